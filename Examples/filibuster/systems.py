"""The trials of the corpus: the service under test, what it asks, and what its test allows.

The expectations are those of the corpus's functional tests and pages, in the words of a scenario:
`answer` is the answer to the request. A known fault is one that the corpus describes, or that its
code shows.
"""
from dataclasses import dataclass, field

CREED = (
    "{'20151201': [{'title': 'Creed', 'rating': decimal('8.8'),"
    " 'uri': '/movies/267eedb8-0f5d-42d5-8f43-72426b9fb3e6'}]}"
)
FRANKENSTEIN = (
    "{'20151201': [{'title': 'Victor Frankenstein', 'rating': decimal('6.4'),"
    " 'uri': '/movies/7daf7208-be4d-4944-a3ae-c1c2f516f3e6'}]}"
)


@dataclass(frozen=True)
class Service:
    """A service under test."""

    system: str
    service: str
    asks: tuple
    """The services that it asks. A name with a dot is a host outside of the system."""
    known: str = ""
    """The known fault, or nothing if the service is sound as far as the corpus says."""
    published: str = ""
    """The published number of runs for the whole system, by Filibuster."""
    environment: dict = field(default_factory=dict)
    by_name: bool = False
    """True if the service reaches the others by their names, through the proxy."""
    patience: float = 0.3
    """The factor of the timeouts in networking.json."""
    varies: dict = field(default_factory=dict)
    """Parts of requests to a service that differ in each run."""
    name: str = ""
    """Tells trials of one service apart."""

    @property
    def title(self):
        return " ".join(filter(None, [self.system, self.service, self.name]))


@dataclass(frozen=True, kw_only=True)
class Trial(Service):
    """A service that answers one request, also while one of its own requests fails."""

    path: str
    check: str
    """What has to hold for `answer`."""
    unasked: tuple = ()
    """Those that a sound run does not ask."""
    faults: tuple = ()
    """Those whose answers fail: all unless given."""
    within: str = "10s"
    """The time after which the client gives up."""
    broken: str = ""
    """A service that a stub breaks, so that a second one can fail beside it."""
    once: tuple = ()
    """Services that may be asked only once."""


@dataclass(frozen=True, kw_only=True)
class Breaker(Service):
    """A service that takes orders, and whose circuit breakers may guard too much."""

    calls: tuple
    """Requests to the service, each with its method, path, JSON and the status of the answer."""
    refused: tuple
    """The service that refuses one kind of request, and what a stub of it looks at."""
    repeated: tuple
    """The request that is refused six times."""
    after: tuple
    """The request that has to pass all the same."""


def cinema(number, asks, published="", service="users", **rest):
    path = rest.pop("path", "/users/chris_rivers/bookings")
    otherwise = rest.pop("otherwise", "answer.status in [404, 503]")
    bodies = rest.pop("bodies", f"[{CREED}]")
    check = f"{otherwise} || answer.status == 200 && answer.json in {bodies}"
    system = f"cinema-{number}"
    return Trial(system, service, asks, published=published, path=path, check=check, **rest)


def bookings(number, asks=("movies",), **rest):
    return cinema(number, asks, service="bookings", path="/bookings/chris_rivers", **rest)


FIRST, SECOND = "bookings-primary", "bookings-secondary"


def replicas(number, published, **known):
    """Bookings with a second copy: any answer, then one that has to come from the second copy."""
    asks = (FIRST, SECOND, "movies")
    either = dict(bodies=f"[{CREED}, {FRANKENSTEIN}]", published=published)
    one = dict(name="one copy fails", otherwise="false", faults=(FIRST,), unasked=(SECOND,))
    both = dict(name="both fail", broken=FIRST, faults=(SECOND, "movies"))
    return [
        cinema(number, asks, unasked=(SECOND,), **either),
        cinema(number, asks, **one, **either, **known),
        cinema(number, asks, **both, **either),
    ]


TWO = ("bookings", "movies")
PATIENT = dict(by_name=True, known="asks an optional site without a timeout")
SLEEPY = dict(known="a refused connection costs ten seconds", within="5s")
CINEMAS = [
    cinema(1, TWO),
    cinema(2, ("bookings",), "12"),
    bookings(2),
    cinema(3, ("bookings",), "804"),
    bookings(3),
    cinema(4, ("www.imdb.com", "bookings"), "30", **PATIENT),
    bookings(4, ("www.fandango.com", "movies"), **PATIENT),
    cinema(5, TWO, "16"),
    *replicas(6, "61"),
    *replicas(7, "66", known="no fallback if the first copy fails after its health check"),
    cinema(8, ("monolith",), "0", service="api-server"),
    cinema(9, TWO),
    cinema(10, TWO, known="passes 429 on"),
    cinema(11, TWO),
    cinema(12, TWO, **SLEEPY),
    cinema(13, TWO),
    cinema(14, ("bookings",)),
    bookings(14),
]


def audible(service, asks, check, **rest):
    path = "/users/user1/books/book2"
    return Trial("audible", service, asks, published="95", path=path, check=check, **rest)


BOOK = "answer.status == 200 && answer.text == 'This is book 2.'"
LICENSE = ("ownership", "activation", "stats")
CONTENT = ("audible-download-service", "asset-metadata", "audio-assets")
DELIVERY = ("content-delivery-engine", "content-delivery-service")
AUDIBLE = [
    audible(CONTENT[0], LICENSE, "answer.status in [200, 403, 404, 500, 503]"),
    audible(
        CONTENT[0], LICENSE, "answer.status == 200", name="only stats fails", faults=("stats",)
    ),
    audible(DELIVERY[1], CONTENT, f"answer.status in [403, 404, 500, 503] || {BOOK}"),
    audible("audible-app", DELIVERY, f"answer.status in [403, 404, 503] || {BOOK}", by_name=True),
]


def mailchimp(service, asks, status, urls, **rest):
    check = f"answer.status == {status} || answer.status == 200 && answer.json.result in {urls}"
    path = "/urls/prettyurl"
    return Trial("mailchimp", service, asks, published="208", path=path, check=check, **rest)


MAPPED = ("requestmapper", "db-primary", "db-secondary")
BOTH = dict(name="both fail", broken="db-primary", faults=("db-secondary", "requestmapper"))
MAILCHIMP = [
    mailchimp(
        "load-balancer", ("app-server",), 503, ["internalurl", "prettyurl"],
        known="cannot handle a 503 of the app server",
    ),
    mailchimp("app-server", MAPPED, 500, ["internalurl"], unasked=("db-secondary",)),
    mailchimp("app-server", MAPPED, 500, ["internalurl"], **BOTH),
]


def netflix(service, asks, path, check, **rest):
    """A service of Netflix. `NETFLIX_FAULTS` in `environment` switches its planted faults on."""
    common = dict(published="4381", path=path, check=check, varies={"telemetry": "json.time"})
    return Trial("netflix", service, asks, **common, **rest)


SHELVES = ("user-profile", "bookmarks", "my-list", "user-recommendations", "ratings")
FALLBACKS = ("telemetry", "trending", "global-recommendations")
GATEWAY = dict(
    service="api-gateway",
    asks=SHELVES + FALLBACKS,
    path="/homepage/users/chris_rivers",
    check="answer.status in [404, 500, 503] || answer.status == 200"
    " && answer.json['user-profile'].id == 'chris_rivers'"
    " && (has(answer.json.bookmarks) || has(answer.json.trending))"
    " && (has(answer.json.recommendations) || has(answer.json.trending))",
    patience=0.1,
)
PLANTED = dict(name="with its faults", environment={"NETFLIX_FAULTS": "1"})
NETFLIX = [
    netflix(
        "mobile-client", ("api-gateway",), "/netflix/homepage/users/chris_rivers",
        "answer.status in [200, 404, 503]", patience=0.1,
    ),
    netflix(**GATEWAY, unasked=FALLBACKS),
    netflix(
        **GATEWAY, unasked=("global-recommendations",), name="two shelves fail", broken="bookmarks",
        faults=("telemetry", "trending", "user-recommendations"),
    ),
    netflix(
        **GATEWAY, **PLANTED, unasked=FALLBACKS, once=("my-list",), faults=("my-list",),
        known="asks the same server again as a fallback",
    ),
    netflix(
        "user-profile", ("telemetry",), "/users/chris_rivers", "answer.status == 200",
        **PLANTED, within="1s", known="waits for telemetry longer than it is waited for",
    ),
]


def expedia(**rest):
    check = "answer.status in [404, 503] || answer.status == 200 && size(answer.json.reviews) == 3"
    path = "/review/hotels/hotel1"
    asks = ("review-ml", "review-time")
    return Trial("expedia", "api-gateway", asks, published="26", path=path, check=check, **rest)


EXPEDIA = [
    expedia(unasked=("review-time",)),
    expedia(name="both fail", broken="review-ml", faults=("review-time",)),
]


def order(method, path="/orders", **more):
    amount = {"order_amount": 11.89, **more}
    if method == "post":
        return method, path, amount, 201
    return method, path, {"order_id": 10, **amount}, 200


def food(example, asks, calls, stub, repeated, after, known):
    system = f"case-study-{example}"
    rest = dict(refused=stub, repeated=repeated, after=after, known=known)
    return Breaker(system, "orders", asks, calls=tuple(calls), **rest)


def by_verb(example, known=""):
    calls = order("post"), order("put"), order("delete")
    stub = ("auth", {"method": "DELETE"})
    system = f"1-food-delivery-example-{example}"
    return food(system, ("auth",), calls, stub, calls[2], calls[0], known)


def by_kind(example, asks, seen, known="one breaker for two kinds of orders", calls=None):
    delivery, takeout = calls or (pages("delivery"), pages("takeout"))
    stub = (asks[-1], {"method": "DELETE", **seen})
    system = f"2-food-delivery-example-{example}"
    return food(system, asks, delivery + takeout, stub, takeout[2], delivery[2], known)


def pages(kind, slash=""):
    """Requests whose path has the kind of the order."""
    path = f"/orders/{kind}"
    return [order("post", path), order("put", path), order("delete", path + slash)]


def fields():
    """Requests whose JSON has the kind of the order."""
    methods = "post", "put", "delete"
    return [
        [order(method, order_type=kind) for method in methods] for kind in ("delivery", "takeout")
    ]


PAIR = ("delivery_auth", "takeout_auth")
INNER = {"json": {"order_details": {"order_type": "takeout"}}}
FOOD = [
    by_verb(1, "one breaker for three kinds of requests"),
    by_verb(2),
    by_kind("a", PAIR, {}, known=""),
    by_kind("b", ("auth",), {"path": "/takeout_auth"}),
    by_kind(
        "c", ("auth",), {"json": {"order_type": "takeout"}},
        calls=(pages("delivery"), pages("takeout", slash="/")),
    ),
    by_kind("d", PAIR, {}, calls=fields()),
    by_kind("e", ("auth",), {"path": "/takeout_auth"}, calls=fields()),
    by_kind("f", ("auth",), INNER, calls=fields()),
]

ALL = CINEMAS + AUDIBLE + MAILCHIMP + NETFLIX + EXPEDIA + FOOD
