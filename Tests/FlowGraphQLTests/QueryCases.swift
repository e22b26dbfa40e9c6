import Testing

/// A query with the problem that a schema of a shop finds in it, or nil for a right one.
struct QueryCase: Sendable, CustomTestStringConvertible {
  let query: String
  let problem: String?

  init(_ query: String, _ problem: String? = nil) { (self.query, self.problem) = (query, problem) }

  var testDescription: String { query }

  static let right = [
    "{ user(id: 1) { name } }",
    "{ user(id: \"a\") { id name email kind born } }",
    "query { users { id } }",
    "query Q { users(limit: 3) { id } }",
    "query Q($id: ID!) { user(id: $id) { name } }",
    "query Q($id: ID = 1) { user(id: $id) { name } }",
    "query Q($n: Int) { users(limit: $n) { id } }",
    "query Q($ids: [ID!]) { users(ids: $ids) { id } }",
    "query Q($id: ID!) { users(ids: [$id, 2]) { id } }",
    "{ users(ids: 7) { id } }",
    "{ users(ids: null) { id } }",
    "{ users(filter: {name: \"A\", kinds: [ADMIN, STAFF]}) { id } }",
    "{ users(filter: {not: {not: {kinds: GUEST}}}) { id } }",
    "{ users(filter: {born: {from: 2020, to: {any: [\"thing\"]}}}) { id } }",
    "query Q($f: UserFilter) { users(filter: $f) { id } }",
    "query Q($k: Kind!) { users(filter: {kinds: [$k]}) { id } }",
    "query Q($d: DateTime!) { users(filter: {born: {from: $d}}) { id } }",
    "query Q($x: Boolean!) { user(id: 1) { name @include(if: $x) id @skip(if: $x) } }",
    "query Q($x: Boolean = true) { user(id: 1) { ... @include(if: $x) { name } } }",
    "{ a: user(id: 1) { name } b: user(id: 2) { name } }",
    "{ user(id: 1) { name name } }",
    "{ user(id: 1) { friends(first: 2) { id } friends(first: 2) { name } } }",
    "{ search(text: \"x\") { __typename ... on User { name } ... on Order { number } } }",
    "{ search(text: \"x\", kinds: [ADMIN]) { ... on Node { id } } }",
    "{ node(id: 1) { id ... on Named { name } ... on Order { total } } }",
    "{ node(id: 1) { ...U } } fragment U on User { name ...O } fragment O on Named { id }",
    "{ pet { name ... on Dog { toy(size: 1) } ... on Cat { toy(size: 2) } } }",
    "{ pet { ... on Dog { x: barks } ... on Cat { x: meows } } }",
    "{ price(weight: 1) }",
    "{ price(weight: 1.5e3, at: \"now\") }",
    "query Q($w: Float) { price(weight: $w) }",
    "{ order(number: -3) { lines note { text } owner { boss { boss { name } } } } }",
    "query Q($e: Boolean) { order(number: 1, exact: $e) { id } }",
    "mutation { addUser(user: {name: \"A\", email: \"a@b\"}) { id } }",
    "mutation M($u: NewUser!) { addUser(user: $u) { id kind } }",
    "mutation M($n: String!, $t: String!) { addUser(user: {name: $n, email: \"\", tags: [$t]}) { id } }",
    "mutation M($k: Kind) { addUser(user: {name: \"\", email: \"\", kind: $k}) { id } }",
    "mutation { a: rate(order: 1, stars: 5) { id } b: rate(order: 2, stars: 1) { id } }",
    "subscription { paid { number } }",
    "subscription S($k: Kind) { added(kind: $k) { name } }",
    "subscription { ...S } fragment S on Subscription { paid { id } }",
    "query Q @trace(name: \"q\") { users { id @note @note(text: \"x\") } }",
    "query Q($n: Int @trace(name: \"v\")) { users(limit: $n) { id } }",
    "{ __schema { types { name fields { name type { kind ofType { name } } } } } }",
    "{ __type(name: \"User\") { name enumValues(includeDeprecated: true) { name } } __typename }",
    "query A { users { id } } query B { user(id: 1) { ...F } } fragment F on User { name }",
    "# a comment\n{ user(id: \"\"\"block \\\"\"\" text\"\"\"), { name, } }",
    "query Q { users { id @note(text: \"\\u00e9\\n\") } price @trace(name: \"\") }",
    "{ users { ...on User { ...on Named { ...on Node { id } } } } }",
    "{ node(id: 1) { ... { id } } }",
  ].map { QueryCase($0) }

  static let wrong = [
    QueryCase("", "1:1 the document is empty"),
    QueryCase("{ }", "1:3 expected a field, got '}'"),
    QueryCase("{ users { id }", "1:15 expected a field, got the end"),
    QueryCase("{ users() { id } }", "1:9 expected a name, got ')'"),
    QueryCase("{ user(id: 01) { id } }", "1:12 a number cannot start with 0"),
    QueryCase("{ user(id: \"a) { id } }", "1:12 the string has no end"),
    QueryCase("{ user(id: \"\\q\") { id } }", "1:13 unknown escape '\\\\q'"),
    QueryCase("{ users { id } } ?", "1:18 unexpected character '?'"),
    QueryCase(
      "fragment on on User { id } { users { ...on } }",
      "1:10 expected the name of the fragment, got 'on'"),
    QueryCase(
      "query Q($a: Int = $b) { users(limit: $a) { id } }", "1:19 a variable cannot be used here"),
    QueryCase(
      "type Query { a: Int }", "1:1 'type' defines a part of a schema; a query cannot have it"),
    QueryCase("{ user(id: 1) { nam } }", "1:17 'User' has no field 'nam'; did you mean 'name'?"),
    QueryCase("{\n  users {\n    é: emil\n  }\n}", "3:5 unexpected character 'é'"),
    QueryCase(
      "{\n  users {\n    a: emil\n  }\n}", "3:8 'User' has no field 'emil'; did you mean 'email'?"),
    QueryCase(
      "{ search(text: \"\") { name } }",
      "1:22 'Hit' is a union and has no field 'name'; select it in '... on TYPE'"),
    QueryCase(
      "{ node(id: 1) { total } }", "1:17 'Node' has no field 'total'; select it in '... on Order'"),
    QueryCase("{ users }", "1:3 'users' is '[User!]!', so select fields of it in '{ }'"),
    QueryCase("{ price { x } }", "1:3 'price' is 'Float!', of which nothing can be selected"),
    QueryCase("{ user { id } }", "1:3 'user' needs the argument 'id'"),
    QueryCase(
      "{ user(id: 1, ud: 2) { id } }", "1:15 'user' has no argument 'ud'; did you mean 'id'?"),
    QueryCase("{ user(id: 1, id: 2) { id } }", "1:15 the argument 'id' is given twice"),
    QueryCase("{ user(id: 1.5) { id } }", "1:12 expected 'ID!', got the number 1.5"),
    QueryCase("{ user(id: null) { id } }", "1:12 expected 'ID!', got null"),
    QueryCase("{ users(limit: \"3\") { id } }", "1:16 expected 'Int', got the string \"3\""),
    QueryCase(
      "{ users(limit: 3000000000) { id } }", "1:16 expected 'Int', got the number 3000000000"),
    QueryCase("{ users(limit: [1]) { id } }", "1:16 expected 'Int', got a list"),
    QueryCase(
      "{ order(number: 1, exact: ADMIN) { id } }", "1:27 expected 'Boolean!', got the name ADMIN"),
    QueryCase("{ search(text: 1) { __typename } }", "1:16 expected 'String!', got the number 1"),
    QueryCase(
      "{ search(text: \"\", kinds: [ADMI]) { __typename } }",
      "1:28 'Kind' has no value 'ADMI'; did you mean 'ADMIN'?"),
    QueryCase(
      "{ search(text: \"\", kinds: [\"ADMIN\"]) { __typename } }",
      "1:28 expected 'Kind!', got the string \"ADMIN\"; write ADMIN without quotes"),
    QueryCase(
      "{ search(text: \"\", kinds: [null]) { __typename } }", "1:28 expected 'Kind!', got null"),
    QueryCase(
      "{ users(filter: {nam: \"A\"}) { id } }",
      "1:18 'UserFilter' has no field 'nam'; did you mean 'name'?"),
    QueryCase(
      "{ users(filter: {born: {to: 1}}) { id } }", "1:24 'DateRange' needs the field 'from'"),
    QueryCase(
      "{ users(filter: {name: \"\", name: \"\"}) { id } }", "1:28 the field 'name' is given twice"),
    QueryCase("{ users(filter: 3) { id } }", "1:17 expected 'UserFilter', got the number 3"),
    QueryCase(
      "query Q($id: ID!) { user(id: $ib) { id } user2: user(id: $id) { id } }",
      "1:30 the operation 'Q' has no variable '$ib'; did you mean '$id'?"),
    QueryCase("query Q($id: ID!) { users { id } }", "1:9 the variable '$id' is not used"),
    QueryCase(
      "query Q($a: ID, $a: ID) { users(ids: $a) { id } }", "1:17 the variable '$a' is defined twice"
    ),
    QueryCase(
      "query Q($id: ID) { user(id: $id) { id } }", "1:29 '$id' is 'ID', but 'ID!' is expected"),
    QueryCase(
      "query Q($id: Int!) { user(id: $id) { id } }", "1:31 '$id' is 'Int!', but 'ID!' is expected"),
    QueryCase(
      "query Q($n: [Int]) { users(limit: $n) { id } }",
      "1:35 '$n' is '[Int]', but 'Int' is expected"),
    QueryCase(
      "query Q($n: Int = \"x\") { users(limit: $n) { id } }",
      "1:19 expected 'Int', got the string \"x\""),
    QueryCase(
      "query Q($n: Int! = null) { users(limit: $n) { id } }", "1:20 expected 'Int!', got null"),
    QueryCase(
      "query Q($i: [ID]) { users(ids: $i) { id } }", "1:32 '$i' is '[ID]', but '[ID!]' is expected"),
    QueryCase(
      "query Q($u: User) { users(limit: $u) { id } }",
      "1:13 'User' is no type of an input, so '$u' cannot have it"),
    QueryCase(
      "query Q($u: Usr) { users(limit: $u) { id } }",
      "1:13 unknown type 'Usr'; did you mean 'User'?"),
    QueryCase(
      "query Q { ...F } fragment F on Query { user(id: $id) { id } }",
      "1:49 the operation 'Q' has no variable '$id'"),
    QueryCase(
      "{ users { id } } query B { users { id } }",
      "1:1 an operation without a name must be the only one"),
    QueryCase("query A { users { id } } query A { price }", "1:32 there are two operations 'A'"),
    QueryCase(
      "{ users { ...F } } fragment F on User { id } fragment F on User { name }",
      "1:55 there are two fragments 'F'"),
    QueryCase(
      "{ users { ...G } } fragment F on User { id }", "1:14 unknown fragment 'G'; did you mean 'F'?"
    ),
    QueryCase("{ users { id } } fragment F on User { id }", "1:27 the fragment 'F' is not used"),
    QueryCase(
      "{ users { ...F } } fragment F on Usr { id }", "1:34 unknown type 'Usr'; did you mean 'User'?"
    ),
    QueryCase(
      "{ users { ...F } } fragment F on Kind { id }",
      "1:34 'Kind' has no fields, so no fragment can be on it"),
    QueryCase("{ users { ... on Order { id } } }", "1:18 'User' is never 'Order'"),
    QueryCase("{ users { ...F } } fragment F on Order { id }", "1:14 'User' is never 'Order'"),
    QueryCase("{ pet { ... on User { id } } }", "1:16 'Pet' is never 'User'"),
    QueryCase(
      "{ users { ...F } } fragment F on User { boss { ...F } }",
      "1:51 the fragment 'F' contains itself"),
    QueryCase(
      "{ users { ...F } } fragment F on User { ...G } fragment G on User { ...F }",
      "1:72 the fragment 'F' contains itself"),
    QueryCase(
      "{ users { x: name x: email } }",
      "1:19 'x' is both 'name' and 'email'; give one of them an alias"),
    QueryCase(
      "{ users { name: id id: email } users { id } }",
      "1:40 'id' is both 'email' and 'id'; give one of them an alias"),
    QueryCase(
      "{ users { friends { id } friends(first: 1) { id } } }",
      "1:26 'friends' is selected with different arguments; give one of them an alias"),
    QueryCase(
      "{ pet { ... on Dog { volume } ... on Cat { volume } } }",
      "1:44 'volume' is 'Int' and 'Int!'; give one of them an alias"),
    QueryCase(
      "{ pet { ... on Dog { x: barks } ... on Cat { x: toy } } }",
      "1:46 'x' is 'Boolean!' and 'String'; give one of them an alias"),
    QueryCase(
      "{ users { boss { x: id } ...F } } fragment F on User { boss { x: email } }",
      "1:63 'x' is both 'id' and 'email'; give one of them an alias"),
    QueryCase(
      "{ users { id @inclde(if: true) } }",
      "1:15 unknown directive '@inclde'; did you mean '@include'?"),
    QueryCase("query Q @skip(if: true) { users { id } }", "1:10 '@skip' cannot be used here"),
    QueryCase("{ users { id @skip } }", "1:15 '@skip' needs the argument 'if'"),
    QueryCase(
      "{ users { id @skip(if: \"yes\") } }", "1:24 expected 'Boolean!', got the string \"yes\""),
    QueryCase(
      "{ users { id @skip(if: true) @skip(if: false) } }", "1:31 '@skip' can be used only once here"
    ),
    QueryCase(
      "{ users { id @trace(name: \"\", x: 1) } }",
      "1:31 '@trace' has no argument 'x'; there is only name"),
    QueryCase(
      "subscription { paid { id } added { id } }", "1:1 a subscription selects one field, not 2"),
    QueryCase(
      "subscription { __typename }", "1:1 a subscription selects no field that starts with '__'"),
    QueryCase(
      "mutation { addUser(user: {name: \"A\"}) { id } }", "1:26 'NewUser' needs the field 'email'"),
    QueryCase(
      "mutation { user(id: 1) { id } }",
      "1:12 'Mutation' has no field 'user'; there are addUser, rate, pay"),
    QueryCase(
      "{ user(id: 1) { __schema { types { name } } } }",
      "1:17 'User' has no field '__schema'; there are id, name, email, kind, born, friends, orders, boss"
    ),
  ]

  /// Queries that the edition of September 2025 judges otherwise than the older editions.
  static let recent = [
    QueryCase("\"A description.\" query Q { users { id } }"),
    QueryCase("mutation { pay(by: {card: \"1\"}) }"),
    QueryCase("mutation M($c: String!) { pay(by: {card: $c}) }"),
    QueryCase(
      "mutation { pay(by: {card: \"1\", cash: 2}) }", "1:20 'Payment' has exactly one field, not 2"),
    QueryCase(
      "mutation { pay(by: {card: null}) }", "1:27 the one field of 'Payment' is never null"),
    QueryCase(
      "mutation M($c: String) { pay(by: {card: $c}) }",
      "1:41 '$c' is 'String', but the one field of an input object is never null"),
    QueryCase(
      "subscription S($x: Boolean!) { paid @skip(if: $x) { id } }",
      "1:38 a subscription cannot have '@skip' around its field"),
  ]
}
