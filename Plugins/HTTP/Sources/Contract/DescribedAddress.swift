internal import FlowCore
internal import FlowOpenAPI

/// The path, the query and the headers of a request, as far as they are known.
struct DescribedAddress {
  /// The path as it is sent, with a placeholder for each unknown part.
  private(set) var path = ""
  /// Decoded names with percent-encoded values.
  private(set) var query: [(name: String, value: String)] = []
  /// The parameters that cannot be sent.
  private(set) var problems: [PlacedParameters.Problem] = []
  /// The headers that parameters add.
  private(set) var headers: [(name: String, value: String)] = []
  /// The names of parameters with an unknown value, or nil if any name is possible.
  private(set) var unknownQuery: Set<String>? = []
  /// True if a part of the path is unknown.
  private(set) var hasUnknownPath = false
  /// True if some headers are unknown.
  private(set) var hasUnknownHeaders = false
  /// True if the path has a query.
  private(set) var hasWrittenQuery = false

  // Not a character of a path, which is encoded by now.
  private static let unknown = "\u{0}"

  /// Reads the fields `path` or `url`, `query` and `headers`, or returns nil for a request to another
  /// server, or one whose path is not known at all.
  init?(_ fields: KnownFields, _ server: ContractServer) {
    guard let parts = Self.parts(fields, server) else { return nil }
    read(parts)
    readQuery(fields, "query")
    hasUnknownHeaders = fields.unknown.contains("headers")
  }

  /// Reads the field `parameters` of `call`.
  init(parameters fields: KnownFields, of operation: OpenAPIOperation?) {
    guard let operation else { return }
    let placed = PlacedParameters(fields, operation)
    (path, query, headers) = (placed.path, placed.query, placed.headers)
    problems = placed.problems
    hasUnknownPath = placed.isUnknown
    unknownQuery = placed.isUnknown ? nil : []
    hasUnknownHeaders = placed.isUnknown || fields.unknown.contains("headers")
  }

  /// The written headers.
  static func headers(_ fields: KnownFields) -> [(name: String, value: String)] {
    (fields.names["headers"] ?? []).map { name in
      (name, fields.entries["headers"]?[name].map(NamedValues.headerText) ?? "")
    }
  }

  /// The segments of the path in the description, for each possible start of it.
  func segments(_ server: ContractServer) -> [[OpenAPIPathSegment]] {
    server.paths(of: path).map { path in
      path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
        $0.contains(Self.unknown) ? .unknown : .text(String($0))
      }
    }
  }

  /// The path for a message.
  var shownPath: String {
    path.split(separator: Self.unknown, omittingEmptySubsequences: false).joined(separator: "{}")
  }

  /// The literal parts of the path with its query, and nil for each expression.
  private static func parts(_ fields: KnownFields, _ server: ContractServer) -> [String?]? {
    if fields.isGiven("url") {
      guard case .string(let url)? = fields.values["url"], let address = try? WebAddress(url),
        !server.isOther(address)
      else { return nil }
      return [server.rest(of: address)]
    }
    if let parts = fields.texts["path"] {
      // A path of expressions alone may be any.
      return parts.contains { $0?.isEmpty == false } ? parts : nil
    }
    guard case .string(let path)? = fields.values["path"] else { return [""] }
    return [path]
  }

  private mutating func read(_ parts: [String?]) {
    var text = ""
    for part in parts {
      text += part.map { PercentEncoding.written.encode($0.utf8) } ?? Self.unknown
    }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(halves[0])
    if !path.hasPrefix("/") { path = "/" + path }
    hasUnknownPath = path.contains(Self.unknown)
    guard halves.count == 2 else { return }
    hasWrittenQuery = true
    for pair in halves[1].split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let (name, value) = (String(sides[0]), sides.count == 2 ? String(sides[1]) : "")
      if name.contains(Self.unknown) {
        unknownQuery = nil
      } else {
        query.append((PercentEncoding.decodedQuery(name), value))
        if value.contains(Self.unknown) { unknownQuery?.insert(PercentEncoding.decodedQuery(name)) }
      }
    }
  }

  private mutating func readQuery(_ fields: KnownFields, _ field: String) {
    guard let names = fields.names[field] else {
      if fields.unknown.contains(field) { unknownQuery = nil }
      return
    }
    for name in names {
      guard let value = fields.entries[field]?[name] else {
        query.append((name, ""))
        unknownQuery?.insert(name)
        continue
      }
      let one = NamedValues(ValueMap([(name, value)]))
      query += ((try? one.pairs) ?? []).map {
        ($0.name, PercentEncoding.component.encode($0.value.utf8))
      }
    }
  }
}
