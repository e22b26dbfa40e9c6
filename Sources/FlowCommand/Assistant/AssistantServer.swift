internal import FlowSystem
private import Synchronization

/// A server of the Model Context Protocol over lines of JSON, with the tools of an assistant.
final class AssistantServer: Sendable {
  private struct State {
    /// The version agreed on by `initialize`, or nil before.
    var session: ProtocolVersion?
    /// The calls in progress, by the ids of their requests.
    var calls: [JSON: Task<Void, Never>] = [:]
    /// The last call, which the next one waits for: two runs may share files and ports.
    var last: Task<Void, Never>?
  }

  /// The most calls in progress and waiting.
  private static let mostCalls = 100

  private let tools: AssistantTools
  private let write: @Sendable (JSON) -> Void
  private let state = Mutex(State())

  /// Creates a server.
  ///
  /// `write` is called with one message at a time.
  init(_ tools: AssistantTools, write: @escaping @Sendable (JSON) -> Void) {
    self.tools = tools
    let order = Mutex(())
    self.write = { message in order.withLock { _ in write(message) } }
  }

  /// Answers the lines of a client until their end, and then cancels the calls in progress.
  func serve(_ lines: some AsyncSequence<ClientLine, Never>) async {
    for await line in lines {
      switch line {
      case .text(let bytes): receive(bytes)
      case .tooLong: refuse(RPCError(.parseError, "the line is too long"))
      }
    }
    let calls = state.withLock { Array($0.calls.values) }
    for call in calls { call.cancel() }
    for call in calls { await call.value }
  }

  private func refuse(_ error: RPCError) { write(RPCMessage.response(nil, error)) }

  private func receive(_ line: [UInt8]) {
    guard let json = try? JSONParser.parse(line[...], repairsText: true) else {
      return refuse(RPCError(.parseError, "the line is not JSON"))
    }
    if case .array(let messages) = json { return receive(batch: messages) }
    if let response = respond(to: json, { $0.map(self.write) }) { write(response) }
  }

  /// Answers several messages at once, in one line.
  private func receive(batch: [JSON]) {
    let allows = state.withLock { $0.session?.hasBatches ?? false }
    guard allows, !batch.isEmpty, batch.count <= Self.mostCalls else {
      return refuse(RPCError(.invalidRequest, "several messages in a line"))
    }
    let (stream, answers) = AsyncStream.makeStream(of: JSON?.self)
    let requests = batch.count { $0["id"] != nil && $0["method"] != nil }
    for message in batch {
      if let response = respond(to: message, { answers.yield($0) }) { answers.yield(response) }
    }
    if requests == 0 { return }
    Task { [write] in
      var (responses, missing) = ([JSON](), requests)
      for await response in stream {
        if let response { responses.append(response) }
        missing -= 1
        if missing == 0 { break }
      }
      if !responses.isEmpty { write(.array(responses)) }
    }
  }

  /// Returns the response to a message, or nil for a notification and for a call, whose response is
  /// passed to `later`, nil for a cancelled call.
  private func respond(to json: JSON, _ later: @escaping @Sendable (JSON?) -> Void) -> JSON? {
    do throws(RPCError) {
      let message = try RPCMessage(request: json)
      guard let id = message.id else {
        note(message)
        return nil
      }
      return try result(of: message, id, later).map { RPCMessage.response(id, $0) }
    } catch {
      // Without a known id it has none, as the schemas of the protocol demand.
      return RPCMessage.response(RPCMessage.id(of: json), error)
    }
  }

  /// Takes a notification.
  ///
  /// Unknown ones mean nothing.
  private func note(_ message: RPCMessage) {
    guard message.method == "notifications/cancelled", let id = message.params["requestId"] else {
      return
    }
    state.withLock { $0.calls[id]?.cancel() }
  }

  private func result(
    of message: RPCMessage, _ id: JSON, _ later: @escaping @Sendable (JSON?) -> Void
  ) throws(RPCError) -> JSON? {
    if message.method == "initialize", message.version == nil { return begin(message) }
    let session = state.withLock { $0.session }
    if message.method == "ping", message.version == nil { return .object([]) }
    let version = try version(of: message, session)
    switch message.method {
    case "server/discover" where version == .stateless:
      return version.result(
        [
          .init("supportedVersions", ProtocolVersion.all), .init("capabilities", Self.capabilities),
          .init("_meta", .object([.init("io.modelcontextprotocol/serverInfo", Self.info)])),
          .init("instructions", .string(AssistantTools.instructions)),
        ], isFixed: true)
    case "tools/list":
      guard message.params["cursor"] == nil else {
        throw RPCError(.invalidParams, "the list of tools has one page")
      }
      return version.result([.init("tools", tools.list)], isFixed: true)
    case "tools/call":
      try call(message, id, version, later)
      return nil
    default:
      throw RPCError(
        .methodNotFound, "there is no method '\(message.method?.onOneLine ?? "")'")
    }
  }

  /// Starts a session by a version of the client, or by the newest one with sessions.
  private func begin(_ message: RPCMessage) -> JSON {
    let wanted = message.params["protocolVersion"]?.string.flatMap(ProtocolVersion.init)
    let version = wanted == .stateless ? .newestSession : wanted ?? .newestSession
    state.withLock { $0.session = version }
    return .object([
      .init("protocolVersion", .string(version.rawValue)),
      .init("capabilities", Self.capabilities), .init("serverInfo", Self.info),
      .init("instructions", .string(AssistantTools.instructions)),
    ])
  }

  private static let capabilities = JSON.object([.init("tools", .object([]))])
  private static let info = JSON.object([
    .init("name", .string("flow")), .init("version", .string(CommandContext.version)),
  ])

  /// Returns the version of a request, from its metadata or its session.
  private func version(
    of message: RPCMessage, _ session: ProtocolVersion?
  ) throws(RPCError) -> ProtocolVersion {
    guard let text = message.version else {
      if let session { return session }
      throw RPCError(
        .invalidParams, "the request has no protocol version, and no session was initialized")
    }
    guard let version = ProtocolVersion(rawValue: text) else {
      throw RPCError(
        .unsupportedVersion, "unsupported protocol version",
        data: .object([
          .init("supported", ProtocolVersion.all), .init("requested", .string(text)),
        ]))
    }
    guard version != .stateless || message.hasCapabilities else {
      throw RPCError(
        .invalidParams, "the request does not declare the client's capabilities")
    }
    return version
  }

  // MARK: - Calls

  /// Starts a call, after the calls before it.
  private func call(
    _ message: RPCMessage, _ id: JSON, _ version: ProtocolVersion,
    _ later: @escaping @Sendable (JSON?) -> Void
  ) throws(RPCError) {
    let name = message.params["name"]?.string ?? ""
    guard let tool = tools.tool(named: name) else {
      throw RPCError(.invalidParams, "there is no tool '\(name.onOneLine)'")
    }
    let arguments = message.params["arguments"] ?? .object([])
    let isRefused = state.withLock { state in
      if state.calls[id] != nil || state.calls.count >= Self.mostCalls { return true }
      let before = state.last
      let call = Task { [tools] in
        await before?.value
        // A client that cancels a request expects no response to it.
        let result = Task.isCancelled ? nil : await tools.call(tool, arguments)
        let isWanted = !Task.isCancelled
        self.state.withLock { _ = $0.calls.removeValue(forKey: id) }
        later(isWanted ? result.map { RPCMessage.response(id, version.result($0)) } : nil)
      }
      state.calls[id] = call
      state.last = call
      return false
    }
    if isRefused {
      throw RPCError(
        .invalidRequest, "a request with this id is in progress, or there are too many")
    }
  }
}

extension RPCMessage {
  /// Reads a request or a notification, or throws the error for the answer to a malformed one.
  fileprivate init(request json: JSON) throws(RPCError) {
    if json["id"] == .null {
      throw RPCError(.invalidRequest, "the id must be a string or a number")
    }
    try self.init(json)
    if method == nil { throw RPCError(.invalidRequest, "the message has no method") }
    guard case .object = params else {
      throw RPCError(.invalidParams, "the params must be an object")
    }
  }

  /// The protocol version in the metadata of the request, or nil.
  fileprivate var version: String? {
    params["_meta"]?["io.modelcontextprotocol/protocolVersion"]?.string
  }

  /// True if the request declares the capabilities of its client.
  fileprivate var hasCapabilities: Bool {
    if case .object? = params["_meta"]?["io.modelcontextprotocol/clientCapabilities"] {
      true
    } else {
      false
    }
  }
}
