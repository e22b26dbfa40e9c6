import FlowCore

/// A server as flow.lock describes it: its revision, its name, and its tools and prompts.
struct ServerDescription: Sendable {
  /// The entry of flow.lock.
  let entry: Value
  let revision: Revision
  let tools: [(name: String, fields: Value)]
  let prompts: [(name: String, fields: Value)]

  /// The most tools, or prompts, of a server.
  private static let most = 10_000
  private static let pages = 1_000

  /// Reads an entry of flow.lock.
  ///
  /// - Throws: `MCPError.invalid`.
  init(lock entry: Value) throws(MCPError) {
    guard let text = entry["revision"]?.string else {
      throw .invalid("it has no 'revision'")
    }
    guard let revision = Revision(rawValue: text) else {
      throw .invalid("'\(ServerText.line(text, limit: 40))' is not one of \(Revision.list)")
    }
    self.revision = revision
    self.entry = entry
    tools = Self.named(entry["tools"])
    prompts = Self.named(entry["prompts"])
  }

  private static func named(_ value: Value?) -> [(name: String, fields: Value)] {
    (value?.map?.entries ?? []).map { ($0.key.interpolated, $0.value) }
  }

  /// Asks a server for its description.
  ///
  /// - Throws: `MCPError` or `CancellationError`.
  init(of session: ServerSession) async throws {
    var entry = ValueMap([("revision", .string(session.revision.rawValue))])
    entry[.string("server")] = Self.keeping(["name", "title", "version"], of: session.identity)
    if let text = session.instructions { entry[.string("instructions")] = .string(text) }
    let capabilities = session.capabilities
    if capabilities["resources"] != nil { entry[.string("resources")] = .bool(true) }
    if capabilities["tools"] != nil {
      entry[.string("tools")] = try await Self.list(
        "tools", session, keeping: Self.toolKeys, adding: Self.errors)
    }
    if capabilities["prompts"] != nil {
      let prompts = try await Self.list("prompts", session, keeping: Self.promptKeys) { _ in nil }
      if case .map(let map) = prompts, !map.isEmpty { entry[.string("prompts")] = prompts }
    }
    try self.init(lock: .map(entry))
  }

  private static let toolKeys = [
    "title", "description", "inputSchema", "outputSchema", "annotations",
  ]
  private static let promptKeys = ["title", "description", "arguments"]
  /// The key in `_meta` of a tool with its error codes.
  static let errorsKey = "flow/errors"

  private static func errors(of tool: Value) -> (String, Value)? {
    tool["_meta"]?[errorsKey].map { ("errors", $0) }
  }

  private static func keeping(_ keys: [String], of value: Value) -> Value {
    .map(ValueMap(keys.compactMap { key in value[key].map { (key, $0) } }))
  }

  /// Returns all pages of a list, by name.
  private static func list(
    _ kind: String, _ session: ServerSession, keeping keys: [String],
    adding extra: (Value) -> (String, Value)?
  ) async throws -> Value {
    var (found, cursor) = (ValueMap(), Value?.none)
    for _ in 0..<pages {
      let params = ValueMap(cursor.map { [("cursor", $0)] } ?? [])
      let page: Value
      do { page = try await session.request("\(kind)/list", params) } catch let failure
        as ServerFailure
      {
        throw MCPError.unavailable("the server refused '\(kind)/list': \(failure)")
      }
      guard let items = page[kind]?.list else {
        throw MCPError.malformed("the answer of '\(kind)/list' has no list '\(kind)'")
      }
      for item in items {
        guard let name = item["name"]?.string else {
          throw MCPError.malformed("an element of '\(kind)' has no name")
        }
        if kind == "tools", session.mirrors, let reason = Self.problem(of: item) {
          session.log("the tool '\(ServerText.line(name))' is left out: \(reason)")
          continue
        }
        guard found[name] == nil else {
          let place = cursor.map { ", again on the page of the cursor \($0.summary(limit: 60))" }
          throw MCPError.malformed(
            "'\(ServerText.line(name))' is twice among '\(kind)'\(place ?? "")")
        }
        var fields = keeping(keys, of: item).map ?? ValueMap()
        if let (key, value) = extra(item) { fields[.string(key)] = value }
        found[.string(name)] = .map(fields)
      }
      guard found.count <= most else {
        throw MCPError.malformed("the server has more than \(most) \(kind)")
      }
      cursor = page["nextCursor"].flatMap { $0 == .null ? nil : $0 }
      if cursor == nil { return .map(found) }
    }
    throw MCPError.malformed("the list of '\(kind)' does not end after \(pages) pages")
  }

  /// The reason why clients must leave out a tool, or nil.
  private static func problem(of tool: Value) -> String? {
    do throws(MCPError) { _ = try MirroredHeaders(tool["inputSchema"] ?? .null) } catch {
      return "\(error)"
    }
    return nil
  }

  /// The version of the server, for transcripts.
  var version: String {
    entry["server"]?["version"]?.string.map { ServerText.line($0, limit: 60) } ?? "unknown"
  }

  /// The purpose of the server, one line.
  var summary: String {
    let server = entry["server"]
    let name = server?["title"]?.string ?? server?["name"]?.string ?? "without a name"
    return "The MCP server '\(ServerText.line(name, limit: 80))'."
  }
}
