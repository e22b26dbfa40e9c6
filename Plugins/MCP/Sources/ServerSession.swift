import FlowCore

/// A server that has been asked for its revision, and takes requests.
struct ServerSession: Sendable {
  let link: any ServerLink
  /// Writes a line for the person who watches the run.
  let log: @Sendable (String) -> Void
  /// True if arguments of tools can be headers, too.
  let mirrors: Bool
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
    hearing hear: @escaping @Sendable (Heard, Context) -> Void = ServerNews.report
  ) async throws {
    let offers = try ClientAbility.abilities(settings.offers ?? [])
    let link = try Self.link(declared, settings, Set(offers.map(\.method)), context) {
      hear($0, context)
    }
    do {
      let greeting = try await Greeting(
        link, revision, offering: offers, within: settings.startTimeout)
      self.link = link
      log = { context.log($0) }
      mirrors = link is WebLink && greeting.revision.isStateless
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

  private static func link(
    _ declared: DeclaredPlugin<MCPDeclaration>, _ settings: MCPSettings,
    _ questions: Set<String>, _ context: Context, hear: @escaping @Sendable (Heard) -> Void
  ) throws -> any ServerLink {
    switch try declared.declaration.place() {
    case .program(let arguments):
      try ProgramLink(
        ServerProgram(arguments, declared, settings, context), hearing: questions, hear: hear
      ) { context.failAtEnd(ComponentError($0.code, "\($0)")) }
    case .url(let url):
      try WebLink(
        WebPlace(url, declared.declaration, settings, context), context, hearing: questions,
        hear: hear)
    }
  }

  /// Sends a request and returns its result.
  ///
  /// Headers, even none, mark a call of a scenario, which asks for notes on its progress. `begun`
  /// receives its number.
  ///
  /// - Throws: `ServerFailure`, `MCPError` or `CancellationError`.
  func request(
    _ method: String, _ params: ValueMap = ValueMap(), within limit: Duration? = nil,
    mirroring headers: [MirroredHeaders.Header]? = nil,
    begun: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> Value {
    let revision = revision
    return try await link.request(
      method, within: limit ?? timeout, mirroring: mirrors ? headers ?? [] : []
    ) { id in
      begun(id)
      var params = params
      var meta = revision.isStateless ? Greeting.meta(revision) : ValueMap()
      if headers != nil { meta[.string("progressToken")] = .int(id) }
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
      try await link.listen(
        ValueMap([("notifications", .map(filter)), ("_meta", .map(meta))]))
    } else {
      if !filter(uris).isEmpty { try await link.listen(nil) }
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
