public import FlowCore
internal import FlowSystem

/// The parameters of a call at their places in a request, in the styles of the description.
public struct PlacedParameters: Sendable {
  /// A parameter whose value cannot be sent, with the reason.
  public struct Problem: Hashable, Sendable {
    /// The name of the parameter.
    public let name: String
    /// The reason, to follow the name.
    public let message: String
  }

  /// The path, percent-encoded.
  public private(set) var path: String
  /// Decoded names with percent-encoded values.
  public private(set) var query: [(name: String, value: String)] = []
  /// The headers, with the one of all cookies at the end.
  public private(set) var headers: [(name: String, value: String)] = []
  /// The parameters that cannot be sent.
  public private(set) var problems: [Problem] = []
  /// True if some values are not known.
  public let isUnknown: Bool
  private var cookies: [String] = []

  /// Places the entries of the field `parameters`.
  public init(_ fields: KnownFields, _ operation: OpenAPIOperation) {
    path = operation.sentPath
    isUnknown = fields.unknown.contains("parameters")
    let values = fields.entries["parameters"] ?? [:]
    for name in fields.names["parameters"] ?? [] {
      do throws(ParameterWriter.Problem) {
        try place(name, values[name] ?? .string("unknown"), operation)
      } catch {
        problems.append(Problem(name: name, message: error.message))
      }
    }
    if !cookies.isEmpty { headers.append(("Cookie", cookies.joined(separator: "; "))) }
    refuseDotSegments(of: operation)
  }

  private mutating func place(
    _ name: String, _ value: Value, _ operation: OpenAPIOperation
  ) throws(ParameterWriter.Problem) {
    guard let parameter = operation.parameters.first(where: { $0.name == name }) else {
      // The check of the query names it.
      query.append((name, PercentEncoding.component.encode(value.interpolated.utf8)))
      return
    }
    if value == .null { return }
    let writer = ParameterWriter(parameter)
    switch parameter.place {
    case .path: path = path.replacing("{\(name)}", with: try writer.pathText(value))
    case .query: query += try writer.fields(value).map { ($0.name, $0.text) }
    case .header: headers.append((name, try writer.headerText(value)))
    case .cookie: cookies += try writer.fields(value).map(ParameterWriter.cookie)
    }
  }

  /// A segment `.` or `..` would lead to another path (RFC 3986, section 5.2.4), also encoded.
  private mutating func refuseDotSegments(of operation: OpenAPIOperation) {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (template, segment) in zip(
      operation.sentPath.split(separator: "/", omittingEmptySubsequences: false), segments)
    where segment == "." || segment == ".." {
      let name = operation.parameters.first { template.contains("{\($0.name)}") }?.name
      guard let name else { continue }
      problems.append(
        Problem(name: name, message: "'\(segment)' as a part of a path leads to another path"))
    }
  }

  /// The path with the query, percent-encoded.
  public var pathAndQuery: String {
    let pairs = query.map { PercentEncoding.component.encode($0.name.utf8) + "=" + $0.value }
    if pairs.isEmpty { return path }
    return path + (path.contains("?") ? "&" : "?") + pairs.joined(separator: "&")
  }
}
