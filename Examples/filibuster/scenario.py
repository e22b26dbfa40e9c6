"""Writes the scenario of a trial."""

import json


def component(name):
    return name.replace("-", "_").replace(".", "_")


def text(trial, serve, python, app, addresses):
    """The scenario. `addresses` has the server of each service that the one under test asks."""
    return (
        "\n".join(
            [
                *start(trial, serve, python, app, addresses),
                "  - id: answer",
                "    uses: api.get",
                f'    with: {{url: "${{{{ url }}}}{trial.path}"}}',
                f"    timeout: {trial.within}",
                "  - assert:",
                f"      - {quoted(trial.check.replace('answer.', 'steps.answer.'))}",
                *received(trial),
            ]
        )
        + "\n"
    )


def orders(trial, serve, python, app, addresses, refused=False):
    """The scenario of a breaker. With `refused` one kind of request is refused first."""
    calls = [call(*one) for one in trial.calls]
    if refused:
        name, seen = trial.refused
        stub = json.dumps({"path": "/**", **seen, "answer": {"status": 500}})
        six = [call(*trial.repeated[:3], "it >= 500")] * 6
        calls = [
            [f"  - uses: {component(name)}.stub", f"    with: {stub}"],
            *six,
            call(*trial.after),
        ]
    lines = start(trial, serve, python, app, addresses)
    return "\n".join([*lines, *(line for lines in calls for line in lines)]) + "\n"


def call(method, path, body, status):
    expected = quoted(status) if isinstance(status, str) else status
    return [
        f"  - uses: api.{method}",
        f'    with: {{url: "${{{{ url }}}}{path}", json: {json.dumps(body)}}}',
        f"    expect: {{status: {expected}}}",
    ]


def start(trial, serve, python, app, addresses):
    """The lines up to the variable `url`, the address of the started service."""
    by = NamedUpstreams if trial.by_name else PortUpstreams
    return [
        "flow: 1",
        f"name: {trial.title}",
        "components:",
        *by.components(trial, addresses),
        "  service: {plugin: process, live: true}",
        "  api: {plugin: http, live: true}",
        "steps:",
        *by.addresses(trial),
        *broken(trial),
        "  - uses: service.start",
        "    with:",
        "      name: service",
        f"      argv: {json.dumps([python, serve, app])}",
        f"      env: {by.environment}",
        "  - id: start",
        "    uses: service.wait_for",
        "    with: {name: service, line: listening}",
        "    timeout: 20s",
        "    volatile: [line]",
        "  - set: {url: \"${{ steps.start.line.split(' ')[2] }}\"}",
    ]


def quoted(expression):
    return json.dumps("${{ " + expression + " }}")


def broken(trial):
    if getattr(trial, "broken", ""):
        yield f"  - uses: {component(trial.broken)}.stub"
        yield '    with: {path: "/**", answer: {drop: true}}'


def received(trial):
    if trial.by_name:
        return
    for name in trial.unasked:
        yield f"  - uses: {component(name)}.received"
        yield f"    expect: {{count: {quoted('it >= 0')}}}"
    for name in trial.once:
        yield f"  - uses: {component(name)}.received"
        yield "    expect: {count: 1}"


def server(name, addresses):
    return f'  {component(name)}_api: {{plugin: http, with: {{base: "{addresses[name]}"}}}}'


def settings(trial, services):
    """The variables of the service under test."""
    return {"PATIENCE": str(trial.patience), "SERVICES": json.dumps(services), **trial.environment}


class PortUpstreams:
    """The service gets the address of an upstream for each one that it asks."""

    environment = "${{ settings }}"

    @staticmethod
    def components(trial, addresses):
        for name in trial.asks:
            varies = trial.varies.get(name)
            more = f", varies: {{server.exchange: {{any: [{varies}]}}}}" if varies else ""
            yield server(name, addresses)
            yield (
                f"  {component(name)}: {{plugin: upstream, live: true,"
                f" using: {{server: {component(name)}_api}}{more}}}"
            )

    @staticmethod
    def addresses(trial):
        for name in trial.asks:
            yield f"  - {{id: {component(name)}, uses: {component(name)}.address}}"
        yield "  - set:"
        yield "      settings:"
        services = {name: f"${{{{ steps.{component(name)}.url }}}}" for name in trial.asks}
        for name, value in settings(trial, services).items():
            yield f"        {name}: {json.dumps(value)}"


class NamedUpstreams:
    """The service asks by names, through the proxy of one upstream."""

    environment = "${{ steps.net.variables }}"

    @staticmethod
    def components(trial, addresses):
        for name in trial.asks:
            yield server(name, addresses)
        roles = {name: component(name) for name in trial.asks}
        roles[trial.asks[0]] = "server"
        using = ", ".join(f"{role}: {component(name)}_api" for name, role in roles.items())
        hosts = ", ".join(f"{name}: {role}" for name, role in roles.items())
        yield "  net:"
        yield "    plugin: upstream"
        yield "    live: true"
        yield f"    using: {{{using}}}"
        yield f"    with: {{hosts: {{{hosts}}}}}"

    @staticmethod
    def addresses(trial):
        services = {name: f"http://{name}:80" for name in trial.asks}
        add = json.dumps(settings(trial, services))
        yield "  - id: net"
        yield "    uses: net.environment"
        yield f"    with: {{add: {add}}}"
