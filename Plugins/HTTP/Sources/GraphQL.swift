internal import FlowCore
internal import FlowGraphQL

/// The input of `graphql`: a query with its variables.
struct GraphQLInput: Sendable {
  var query: String
  var variables: NamedValues
  var operation: String?
  /// The request without its body.
  var request: RequestInput

  static let record = Record(
    { query, variables, operation, path, url, headers, auth, follow, idempotency in
      GraphQLInput(
        query: query, variables: variables, operation: operation,
        request: RequestInput(
          method: "POST", path: path, url: url, headers: headers, authentication: auth,
          follows: follow, idempotency: idempotency))
    },
    Field(
      "query", \.query, "The document: a query or a mutation, and fragments.", code: true,
      examples: ["{ __typename }"]),
    Field("variables", \.variables, "The variables by their names.", default: NamedValues()),
    Field(
      "operation_name", \.operation,
      "The operation to execute, if the document has several of them."),
    Field("path", \.request.path, "A path below 'base', such as graphql."),
    Field("url", \.request.url, "A full URL, instead of 'path'."),
    Field(
      "headers", \.request.headers,
      "Headers for this request. They replace the component's headers of the same name.",
      default: NamedValues()),
    Field(
      "auth", \.request.authentication,
      "The authentication of this request, in place of the component's. Empty for none."),
    Field(
      "follow", \.request.follows, "Follows redirects, or not, in place of the component's setting."
    ),
    Field(
      "idempotency", \.request.idempotency,
      "Sends the header Idempotency-Key. A repeated call sends the same key.", default: false))

  /// The request with the query as its body (GraphQL over HTTP, section 5.4).
  var sent: RequestInput {
    var body = ValueMap([("query", .string(query))])
    if !variables.map.entries.isEmpty { body[.string("variables")] = .map(variables.map) }
    if let operation { body[.string("operationName")] = .string(operation) }
    var input = request
    input.body.json = .map(body)
    if !input.headers.names.contains(where: { Header.isSame($0, "accept") }) {
      input.headers = input.headers.with(
        header: "accept", "application/graphql-response+json, application/json;q=0.9")
    }
    return input
  }

  /// True if the operation is a query, which changes nothing.
  var isQuery: Bool { GraphQLQuery.isQuery(query, named: operation) }

  /// The safety of repeating a request whose outcome is unknown.
  var safety: RetrySafety { isQuery ? .safe : request.safety }

  /// Checks the inputs known before the run, except the query, which the schema is about.
  ///
  /// - Throws: `RequestError`.
  static func check(_ known: [String: Value]) throws {
    try RequestInput.check(known.filter { $0.key != "query" })
  }
}

/// The answer to a query.
struct GraphQLAnswer: Sendable {
  var status: Int
  var data: Value
  var errors: [Value]?
  var extensions: Value
  var headers: HeaderFields
  /// The body if it is no response to a query, or nil.
  var text: String?
  var url: String
  var date: String
  var elapsed: Duration
  var hops: [Hop]?

  static let record = Record(
    GraphQLAnswer.init(status:data:errors:extensions:headers:text:url:date:elapsed:hops:),
    Field(
      "status", \.status,
      "The status code. Servers may answer 200 to a query that fails.", plausible: [200, 400, 500]),
    Field("data", \.data, "The result. Null if an error left none."),
    Field(
      "errors", \.errors,
      "The errors, each with 'message'. Null without any. They fail a step that does not expect them.",
      mutated: .whenPresent),
    Field(
      "extensions", \.extensions, "The extensions of the response. Null without any.",
      mutated: .whenPresent),
    Field(
      "headers", \.headers, "The headers by lower-case name, without 'date', as those of 'get'.",
      compared: .whenRead),
    Field(
      "text", \.text, "The body if it is no response to a query. Otherwise null.",
      mutated: .whenPresent),
    Field(
      "url", \.url, "The URL of the response, after redirects.", compared: .whenRead,
      mutated: .onRequest),
    Field("date", \.date, "The header 'date' of the response.", volatile: true),
    Field("elapsed", \.elapsed, "The duration of the request.", volatile: true),
    Field(
      "hops", \.hops, "The responses that redirected the request, in order. Null without any.",
      compared: .whenRead, mutated: .whenPresent))

  /// Creates the answer in the response of a server.
  init(_ answer: HTTPAnswer) {
    self.init(
      status: answer.status, data: .null, extensions: .null, headers: answer.headers,
      url: answer.url, date: answer.date, elapsed: answer.elapsed, hops: answer.hops)
    guard case .map(let map) = answer.json, map["data"] != nil || map["errors"] != nil else {
      text = answer.text
      return
    }
    data = map["data"] ?? .null
    extensions = map["extensions"] ?? .null
    if case .list(let errors)? = map["errors"], !errors.isEmpty { self.errors = errors }
  }

  init(
    status: Int, data: Value, errors: [Value]? = nil, extensions: Value, headers: HeaderFields,
    text: String? = nil, url: String, date: String, elapsed: Duration, hops: [Hop]? = nil
  ) {
    (self.status, self.data, self.errors, self.extensions) = (status, data, errors, extensions)
    (self.headers, self.text, self.url, self.date) = (headers, text, url, date)
    (self.elapsed, self.hops) = (elapsed, hops)
  }

  /// Returns the field that a step has to expect, with the reason, or nil.
  ///
  /// A status is a result, and errors are none: data that a step waits for may be missing.
  func refusal(expecting names: Set<String>) -> FieldRefusal? {
    if names.contains("errors") { return nil }
    if let errors {
      let more = errors.count > 1 ? " and \(errors.count - 1) more" : ""
      return FieldRefusal(
        "errors", "the query failed: \(Self.message(errors[0]))\(more); expect 'errors' to allow it"
      )
    }
    guard text != nil, names.isDisjoint(with: ["status", "text"]) else { return nil }
    let type = headers["content-type"].map { " of type '\($0.excerpt)'" } ?? ""
    return FieldRefusal(
      "data", "the response with status \(status)\(type) has neither 'data' nor 'errors'")
  }

  /// The message and the path of an error.
  private static func message(_ error: Value) -> String {
    guard case .map(let map) = error, case .string(let message)? = map["message"] else {
      return "an error without a message"
    }
    let text = Value.string(message).summary()
    guard case .list(let path)? = map["path"], !path.isEmpty else { return text }
    return "\(text) at '\(path.map(\.interpolated).joined(separator: ".").excerpt)'"
  }

  /// The wait that the server asks for, or nil.
  var retryAfter: Duration? {
    HTTPAnswer(
      status: status, headers: headers, text: "", json: .null, size: 0, url: url, date: date,
      elapsed: elapsed
    ).retryAfter
  }
}

extension GraphQLAnswer: FaultyAnswer {
  init(status: Int, headers: HeaderFields) {
    self.init(
      status: status, data: .null, extensions: .null, headers: headers, text: "", url: "", date: "",
      elapsed: .zero)
  }

  /// Nothing, since no model answers.
  var model: Value { .null }

  func replacing(model: Value) -> GraphQLAnswer { self }

  /// Half of a JSON text is none.
  var truncated: GraphQLAnswer {
    var copy = self
    (copy.data, copy.errors, copy.extensions) = (.null, nil, .null)
    copy.text = "{\"data\":"
    return copy
  }
}
