public import FlowCore

/// One operation of a service.
public struct OpenAPIOperation: Sendable {
  /// The method in upper case.
  public let method: String
  /// The path's template, as `/orders/{id}`.
  public let path: String
  /// The `operationId`.
  public let id: String?
  /// The `summary`, or the first line of the `description`, often empty.
  public let summary: String
  /// True if the service will drop the operation.
  public let isDeprecated: Bool
  /// The parameters of the path and of the operation, in file order.
  public let parameters: [OpenAPIParameter]
  /// The body of requests.
  public let body: OpenAPIBody?
  /// The responses in file order.
  public let responses: [OpenAPIResponse]
  /// The paths of the servers, as `/v1`, of which any may precede the operation's path.
  public let serverPaths: [String]
  /// The query's names of keys, which are no parameters.
  let keyNames: [String]
  let template: PathTemplate
  let store: SchemaStore
  let place: OpenAPIPlace
  /// The place of its method, and the place of its path in the first file.
  let origin: (method: OpenAPIPlace, path: OpenAPIPlace)
  let coverage: CoverageCache
  /// The mistakes in its answers, but for those within schemas.
  var answerFaults: [OpenAPIProblem] = []
  /// The mistakes in all its parts, but for those within schemas.
  public internal(set) var partFaults: [OpenAPIProblem]

  /// The path's template as requests have it: without a fragment, by which some descriptions tell
  /// operations of one path apart, and which is never sent (RFC 3986, section 3.5).
  public var sentPath: String { String(path.prefix { $0 != "#" }) }

  /// The method and the path: `GET /orders/{id}`.
  public var name: String { method + " " + path }

  /// Returns the response of a status: exact, of its class, or the default one.
  public func response(for status: Int) -> OpenAPIResponse? {
    responses.first { $0.status == .exact(status) }
      ?? responses.first { $0.status == .class(status / 100) }
      ?? responses.first { $0.status == .default }
  }
}

/// A parameter of an operation.
public struct OpenAPIParameter: Sendable {
  /// The part of a request that has a parameter.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// A part of the path.
    case path
    /// A part of the query.
    case query
    /// A header.
    case header
    /// A cookie.
    case cookie
  }

  /// The form of a parameter's text.
  public enum Style: String, Sendable, Hashable, CaseIterable {
    /// `;a=1`, in paths.
    case matrix
    /// `.1`, in paths.
    case label
    /// `1,2`, in paths and headers.
    case simple
    /// `a=1`, in queries and cookies.
    case form
    /// `a=1%202`, in queries.
    case spaceDelimited
    /// `a=1|2`, in queries.
    case pipeDelimited
    /// `a[b]=1`, in queries.
    case deepObject
  }

  /// The name.
  public let name: String
  /// The part of the request.
  public let place: Place
  /// True if every request has it.
  public let isRequired: Bool
  /// True if the service will drop it.
  public let isDeprecated: Bool
  /// The `description`, often empty.
  public let summary: String
  /// The form of its text.
  public let style: Style
  /// True if each element or member has its own text.
  public let explodes: Bool
  /// True if an empty text stands for no value.
  public let allowsEmptyValue: Bool
  /// True if reserved characters of its text stay as they are in a query.
  public let allowsReserved: Bool
  /// The media type of its text, nil for the usual forms.
  public let mediaType: String?
  /// The schema of its value.
  public let schema: OpenAPISchema?
  let origin: OpenAPIPlace

  /// The type of its value.
  public var type: ValueType { schema?.type(in: .request) ?? .dynamic }
}

/// The body of a request.
public struct OpenAPIBody: Sendable {
  /// True if every request has one.
  public let isRequired: Bool
  /// The `description`, often empty.
  public let summary: String
  /// The contents by their media types, in file order.
  public let contents: [OpenAPIContent]
  let origin: OpenAPIPlace
}

/// A media type with the schema of its content.
public struct OpenAPIContent: Sendable {
  /// The media type or range as the file has it: `application/json`, `text/*`.
  public let mediaType: String
  /// The schema, nil for content of any form.
  public let schema: OpenAPISchema?
  let origin: OpenAPIPlace
}

/// A response of an operation.
public struct OpenAPIResponse: Sendable {
  /// The statuses of a response.
  public enum Status: Sendable, Hashable, CustomStringConvertible {
    /// One status.
    case exact(Int)
    /// All statuses with a first digit, as `4XX`.
    case `class`(Int)
    /// All other statuses.
    case `default`

    /// `404`, `4XX` or `default`.
    public var description: String {
      switch self {
      case .exact(let status): String(status)
      case .class(let digit): "\(digit)XX"
      case .default: "default"
      }
    }

    /// True for statuses from 200 to 299.
    public var isSuccess: Bool {
      switch self {
      case .exact(let status): status / 100 == 2
      case .class(let digit): digit == 2
      case .default: false
      }
    }
  }

  /// The statuses.
  public internal(set) var status: Status
  /// The `description`, often empty.
  public let summary: String
  /// The headers in file order.
  public let headers: [OpenAPIHeader]
  /// The contents by their media types, in file order, or nil if the file says nothing of them.
  public let contents: [OpenAPIContent]?
  let origin: OpenAPIPlace
}

/// A header of a response.
public struct OpenAPIHeader: Sendable {
  /// The name as the file has it.
  public let name: String
  /// True if every such response has it.
  public let isRequired: Bool
  /// The `description`, often empty.
  public let summary: String
  /// True if members have the form `a=1`.
  public let explodes: Bool
  /// The media type of its text, nil for the usual form.
  public let mediaType: String?
  /// The schema of its value.
  public let schema: OpenAPISchema?
  let origin: OpenAPIPlace

  /// The type of its value.
  public var type: ValueType { schema?.type(in: .response) ?? .dynamic }
}
