public import FlowCore

/// A request as it is sent.
public struct OpenAPIRequest: Sendable {
  /// The content of a request.
  public enum Body: Sendable {
    /// No body.
    case none
    /// JSON.
    case json(Value)
    /// The fields of a form, decoded.
    case form([(name: String, value: String)])
    /// The names of the parts of a form.
    case multipart([String])
    /// Text of another kind.
    case text(String)
    /// A number of bytes.
    case bytes(Int)
  }

  /// The path without the query, percent-encoded as sent.
  public var path: String
  /// The query's names, decoded, and values, percent-encoded as sent.
  public var query: [(name: String, value: String)]
  /// The headers' names and values.
  public var headers: [(name: String, value: String)]
  /// The `Content-Type`, nil for the one among the headers, or else that of the body's kind.
  public var contentType: String?
  /// The content.
  public var body: Body

  /// A request.
  public init(
    path: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], contentType: String? = nil, body: Body = .none
  ) {
    self.path = path
    self.query = query
    self.headers = headers
    self.contentType = contentType
    self.body = body
  }
}

/// A response as it was received.
public struct OpenAPIResponseValue: Sendable {
  /// The content of a response.
  public enum Body: Sendable {
    /// No body.
    case none
    /// JSON.
    case json(Value)
    /// Text of another kind, or JSON that is malformed.
    case text(String)
    /// A number of bytes.
    case bytes(Int)
    /// Bytes that could not be decoded as their headers say, with the reason.
    case undecoded(String)
  }

  /// The status.
  public var status: Int
  /// The headers' names and values.
  public var headers: [(name: String, value: String)]
  /// The `Content-Type`, nil for the one among the headers.
  public var contentType: String?
  /// The content.
  public var body: Body

  /// A response.
  public init(
    status: Int, headers: [(name: String, value: String)] = [], contentType: String? = nil,
    body: Body = .none
  ) {
    self.status = status
    self.headers = headers
    self.contentType = contentType
    self.body = body
  }

  /// True if there is content.
  public var hasBody: Bool { if case .none = body { false } else { true } }
}

extension [(name: String, value: String)] {
  /// The media type among headers, or nil.
  var contentType: String? { first { $0.name.lowercased() == "content-type" }?.value }
}

/// A contradiction between a call and the description of its service.
public struct CallProblem: Sendable, Hashable {
  /// The field of the call's input or answer: `json`, `query.limit`, `headers.etag`, `status`.
  public let field: String
  /// The JSON pointer inside of the field, empty for the whole.
  public let pointer: String
  /// The message: lower case, no full stop.
  public let message: String
  /// The value that contradicts, nil for an absent one.
  public let actual: Value?
  /// The place of the rule: `openapi.yaml#/paths/~1orders/get (openapi.yaml:31)`.
  public let rule: String

  /// A contradiction.
  public init(field: String, pointer: String, message: String, actual: Value?, rule: String) {
    self.field = field
    self.pointer = pointer
    self.message = message
    self.actual = actual
    self.rule = rule
  }
}
