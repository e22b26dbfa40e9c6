/// The options of `flow tape`.
struct TapeOptions: Sendable {
  static let usualFile = "tape.yaml"

  let file: String
  let updates: Bool
  let isTwice: Bool
  let receipt: String?
  /// The hosts that the command reaches without flow.
  let direct: [String]
  /// The MCP servers of the project in whose place the command starts `flow stand-in`.
  let mcp: [String]
  /// The port of a capture by use, or nil for a tape.
  let port: Int?
  /// The address of the captured service, nil for a tape.
  let service: String?
  /// The names of credentials that a captured scenario shows.
  let shown: Set<String>
  let secrets: GivenSecrets

  init(_ arguments: ParsedArguments, _ flow: CommandContext) throws(UsageError) {
    file = try arguments.only("file") ?? Self.usualFile
    if file.isEmpty { throw .emptyPath }
    updates = arguments.has("update")
    isTwice = arguments.has("twice")
    receipt = try arguments.only("receipt")
    direct = try Self.list("direct", arguments)
    mcp = try Self.list("mcp", arguments)
    port = try arguments.whole("listen", 1...65_535)
    service = try arguments.only("to", "http://HOST:PORT") { text in
      let rest = text.hasPrefix("http://") ? text.dropFirst(7) : text.dropFirst(8)
      let isServer = text.hasPrefix("http://") || text.hasPrefix("https://")
      return isServer && !rest.isEmpty && !rest.contains { "/?#@ ".contains($0) } ? text : nil
    }
    shown = Set(try Self.list("show", arguments))
    if port == nil, service != nil { throw .needs(option: "to", other: "listen") }
    if port != nil, service == nil { throw .needs(option: "listen", other: "to") }
    if port == nil, !shown.isEmpty { throw .needs(option: "show", other: "listen") }
    for option in ["update", "twice", "receipt", "direct", "mcp"]
    where port != nil && arguments.has(option) {
      throw .conflict(option: option, with: "listen")
    }
    if let word = arguments.operands.first(where: { $0.contains("${{") }) {
      throw .expressionInCommand(word)
    }
    secrets = try GivenSecrets(arguments, flow.process, flow.redactor)
  }

  private static func list(
    _ name: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> [String] {
    guard let text = try arguments.only(name) else { return [] }
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if words.contains(where: { $0.isEmpty || $0.contains { "\"\\ \n".contains($0) } }) {
      throw .malformed(option: name, value: text, expected: "names with commas between them")
    }
    return words
  }
}
