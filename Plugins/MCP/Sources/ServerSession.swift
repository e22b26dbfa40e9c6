import FlowCore

/// A server that has been asked for its revision, and takes requests.
struct ServerSession: Sendable {
  let link: ProgramLink
  let revision: Revision
  /// The server's name and version, as it says them.
  let identity: Value
  let capabilities: ValueMap
  let instructions: String?
  /// The longest time for an answer.
  let timeout: Duration

  /// Starts a server, in the revision of flow.lock or in the newest one of both.
  ///
  /// - Throws: `MCPError`, `SecretError` or `CancellationError`, with nothing running.
  init(
    _ declared: DeclaredPlugin<MCPDeclaration>, _ settings: MCPSettings, _ revision: Revision?,
    _ context: Context,
    hearing hear: @escaping @Sendable (ProgramLink.Heard, Context) -> Void = ServerNews.report
  ) async throws {
    guard case .program(let arguments) = try declared.declaration.place() else {
      throw MCPError.noTransport
    }
    let program = try ServerProgram(arguments, declared, settings, context)
    let link = try ProgramLink(program) { hear($0, context) }
    do {
      let greeting = try await Greeting(link, revision, within: settings.startTimeout)
      self.link = link
      self.revision = greeting.revision
      identity = greeting.identity
      capabilities = greeting.capabilities
      instructions = greeting.instructions
      timeout = settings.timeout
    } catch let error as MCPError {
      let lastLines = link.lastLines
      await link.close()
      guard case .timeout = error else { throw error }
      throw MCPError.unavailable(
        "the server did not start within \(settings.startTimeout.encoded)\(lastLines)")
    } catch {
      await link.close()
      throw error
    }
  }

  /// Sends a request and returns its result.
  ///
  /// `showsProgress` asks for notes on the progress.
  ///
  /// - Throws: `ServerFailure`, `MCPError` or `CancellationError`.
  func request(
    _ method: String, _ params: ValueMap = ValueMap(), within limit: Duration? = nil,
    showsProgress: Bool = false
  ) async throws -> Value {
    let revision = revision
    return try await link.request(method, within: limit ?? timeout) { id in
      var params = params
      var meta = revision.isStateless ? Greeting.meta(revision) : ValueMap()
      if showsProgress { meta[.string("progressToken")] = .int(id) }
      if !meta.isEmpty { params[.string("_meta")] = .map(meta) }
      return params
    }
  }

  /// Asks the server to report its changes, as far as it can report them.
  func listen(to uris: [String]) async throws {
    if revision.isStateless {
      let filter = filter(uris)
      if filter.isEmpty { return }
      let meta = Greeting.meta(revision)
      link.post(
        "subscriptions/listen",
        ValueMap([("notifications", .map(filter)), ("_meta", .map(meta))]))
    } else {
      for uri in uris {
        _ = try await request("resources/subscribe", ValueMap([("uri", .string(uri))]))
      }
    }
  }

  private func filter(_ uris: [String]) -> ValueMap {
    var filter = ValueMap()
    for list in ["tools", "prompts", "resources"]
    where capabilities[list]?["listChanged"] == .bool(true) {
      filter[.string("\(list)ListChanged")] = .bool(true)
    }
    if !uris.isEmpty {
      filter[.string("resourceSubscriptions")] = .list(uris.map(Value.string))
    }
    return filter
  }

  /// Ends the server.
  func close() async { await link.close() }
}

extension ServerFailure {
  /// The message with the number, bounded.
  var text: String { "\(ServerText.line(message)) (\(code))" }
}
