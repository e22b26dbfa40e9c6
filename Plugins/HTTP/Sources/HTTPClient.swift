internal import FlowCore

/// A client with the rules of URLs, headers and redirects, based on the exchanges of
/// `TransferLease`.
struct HTTPClient: Sendable {
  let settings: HTTPSettings
  private let base: WebAddress?
  private let transfers: TransferLease
  let network: Network
  private let unixSocket: String?
  let options: TransferOptions
  let tokens = AccessTokens()
  let set = SetHeaders()

  /// Checks the settings, loads libcurl and starts its thread, or takes over the one of an ended client
  /// of the same server.
  init(_ settings: HTTPSettings, in context: Context) throws {
    self.settings = settings
    network = context.network
    base = try settings.baseAddress()
    if let proxy = try settings.proxyServer(), !proxy.isAllowed(by: network, asProxy: true) {
      throw HTTPError.forbiddenProxy(proxy.hostAndPort(asProxy: true))
    }
    unixSocket = try settings.socketPath(in: context.directory)
    if let unixSocket, network != .unlimited { throw HTTPError.forbiddenSocket(unixSocket) }
    options = try settings.transferOptions(in: context.directory)
    transfers = try TransferLease(options, to: base)
  }

  /// Ends the exchanges.
  func close() async {
    await transfers.end()
  }

  /// Creates the request of an input and reads the files to send.
  func request(_ input: RequestInput, _ context: Context) throws(HTTPError) -> HTTPRequest {
    let body = try input.body.encoded(in: context)
    do throws(RequestError) {
      let address = try address(input)
      let isOther = base.map { !$0.isSameServer(as: address) } ?? false
      var request = try HTTPRequest(method: input.method, address: address, body: body)
      request.usesProxy = settings.usesProxy
      request.follows = input.follows ?? settings.follows
      request.keepsPath = input.keepsPath ?? false
      request.unixSocket = unixSocket(for: address)
      if !isOther, input.authentication == nil, let authentication = settings.authentication {
        request.authenticate(authentication)
      }
      try addDefaults(to: &request, toOtherServer: isOther, context)
      if let authentication = input.authentication {
        try authentication.check()
        request.authenticate(authentication)
      }
      if input.idempotency { request.set("Idempotency-Key", context.idempotencyKey) }
      try request.add(input.headers)
      if settings.decompresses ?? true { request.acceptCodings() }
      return request
    } catch {
      throw .request(error)
    }
  }

  /// The address in `base`, without a slash at its end, or nil without one.
  var addressOfBase: String? {
    base.map { base in
      let text = "\(base)"
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
  }

  /// Creates the request that passes on another program's.
  ///
  /// The settings replace its headers: the component may know a key that the program does not.
  func request(passing input: ExchangeInput, _ context: Context) throws(HTTPError) -> HTTPRequest {
    let body = try input.body(in: context)
    do throws(RequestError) {
      let named = base == nil ? try input.server : nil
      guard let base = base ?? named else { throw .noBase }
      var request = try HTTPRequest(
        passing: input.method,
        to: base.appending(written: input.path).appending(query: try input.query.pairs)
          .appending(flags: input.query.flags),
        headers: try input.headers.pairs + (input.aside?.pairs ?? [])
          + (input.agent.map { [("user-agent", $0)] } ?? []),
        body: body)
      request.usesProxy = settings.usesProxy
      request.unixSocket = unixSocket
      if let authentication = settings.authentication { request.authenticate(authentication) }
      try addDefaults(to: &request, toOtherServer: false, context)
      return request
    } catch {
      throw .request(error)
    }
  }

  /// Adds the headers of the settings, and those that steps have set.
  private func addDefaults(
    to request: inout HTTPRequest, toOtherServer isOther: Bool, _ context: Context
  ) throws(RequestError) {
    for headers in [settings.headers, set.current] {
      try request.add(defaults: headers, toOtherServer: isOther, hiding: context.secrets)
    }
  }

  /// Sends one request, possibly the target of a redirect from `source`.
  func exchange(
    _ request: HTTPRequest, _ elapsed: Duration = .zero, from source: String? = nil
  ) async throws -> TransferReply {
    let url = request.address.description
    guard request.address.isAllowed(by: network) else {
      throw HTTPError.forbidden(
        request.address.hostAndPort(), source ?? url, isRedirect: source != nil)
    }
    let rest = settings.timeout - elapsed
    guard rest > .zero else { throw HTTPError.timeout(url, .answering(settings.timeout)) }
    do {
      let transfer = request.transfer(within: rest, limit: settings.limit)
      guard request.isStream else { return try await transfers.send(transfer) }
      let reply = try await Self.within(rest) { try await transfers.send(transfer) }
      guard let reply else { throw HTTPError.timeout(url, .answering(settings.timeout)) }
      return reply
    } catch let failure as TransferFailure where failure.isMalformed {
      let error = WebAddressError.malformed(request.address.server)
      throw source.map { HTTPError.redirect($0, error) } ?? .request(.address(error))
    } catch let failure as TransferFailure {
      if failure.isRefused, let path = request.unixSocket {
        throw HTTPError.unreachableSocket(UnreachableSocket(path: path), url)
      }
      throw error(of: failure, url, within: rest)
    } catch let error as TransferThreadError {
      throw HTTPError.notBegun(error)
    }
  }

  /// Returns the error for a failed exchange with a URL.
  func error(of failure: TransferFailure, _ url: String, within rest: Duration) -> HTTPError {
    if failure.isTooLarge { return .tooLarge(url, limit: settings.limit) }
    if failure.isTimeout {
      let isConnecting = !failure.wasConnected && settings.connectTimeout < rest
      return .timeout(
        url, isConnecting ? .connecting(settings.connectTimeout) : .answering(settings.timeout))
    }
    if failure.isOfKey, let problem = keyProblem(failure) { return .unreadableKey(problem, url) }
    if settings.proxy == nil { return .transfer(failure, url) }
    // First: new versions of libcurl, such as 8.23, call this a refused connection as well.
    if failure.isRefusedTunnel {
      return .refusedTunnel(
        url, status: failure.connectStatus, hasLogin: settings.proxyUser != nil)
    }
    if failure.isRefused { return .unreachableProxy(url) }
    return .transfer(failure, url)
  }

  private func keyProblem(_ failure: TransferFailure) -> KeyProblem? {
    KeyProblem(
      isPKCS12: options.isPKCS12, failure.detail, options.key ?? options.certificate ?? [])
  }

  /// Returns the next bytes of a stream, none at its end, or nil after a real span of time.
  ///
  /// - Throws: `TransferFailure` when it breaks, or `CancellationError`.
  func read(_ stream: UInt64, within span: Duration) async throws -> TransferPiece? {
    try await Self.within(span) { try await transfers.read(stream) }
  }

  /// Returns the next bytes of a stream, none at its end, without a limit of time.
  ///
  /// - Throws: As above.
  func read(_ stream: UInt64) async throws -> [UInt8] { try await transfers.read(stream).bytes }

  /// Returns the next bytes of a stream, without a limit of time.
  ///
  /// Virtual time stands still until a real instant, and no longer: a step waiting for time to pass
  /// would wait forever. Otherwise as above.
  func read(
    _ stream: UInt64, holdingTimeUntil end: ContinuousClock.Instant, in context: Context
  ) async throws -> [UInt8] {
    let rest = end - .now
    if rest > .zero {
      let piece = try await context.outside { try await read(stream, within: rest) }
      if let piece { return piece.bytes }
    }
    return try await read(stream)
  }

  /// Returns the next part of a body within the `timeout` of a request.
  ///
  /// - Throws: `HTTPError`, or `CancellationError`.
  func next(
    of reply: TransferReply, from address: WebAddress, since start: ContinuousClock.Instant
  ) async throws -> TransferPiece {
    // After 101 another protocol follows, and the exchange has ended.
    if reply.status == 101 { return TransferPiece(bytes: []) }
    let rest = settings.timeout - (ContinuousClock.now - start)
    do {
      if rest > .zero, let piece = try await read(reply.number, within: rest) { return piece }
    } catch let failure as TransferFailure {
      throw error(of: failure, "\(address)", within: rest)
    }
    throw HTTPError.timeout("\(address)", .answering(settings.timeout))
  }

  /// Changes the cookies by some lines, and returns all of them, in Netscape's format.
  ///
  /// - Throws: `HTTPError`.
  func cookies(changedBy lines: [String]) async throws -> [String] {
    do {
      return try await transfers.cookies(changedBy: lines)
    } catch let error as TransferThreadError {
      throw HTTPError.notBegun(error)
    }
  }

  /// The host of `base`, without its port, or nil.
  var host: String? { base?.host }

  /// Ends a stream.
  func end(_ stream: UInt64) { transfers.end(stream) }

  /// The Unix socket for requests to the server of `base`, or nil.
  func unixSocket(for address: WebAddress) -> String? {
    base.map { $0.isSameServer(as: address) } == true ? unixSocket : nil
  }

  private func address(_ input: RequestInput) throws(RequestError) -> WebAddress {
    let query = try input.query.pairs
    let keepsPath = input.keepsPath ?? false
    if let url = input.url {
      guard input.path == nil else { throw .twoAddresses }
      do {
        let address = keepsPath ? try WebAddress(written: url) : try WebAddress(url)
        return address.appending(query: query)
      } catch { throw .address(error) }
    }
    guard let base else { throw .noAddress }
    guard let path = input.path else { return base.appending(query: query) }
    if WebAddress.isWhole(path) { throw .wholeAddress(path) }
    let address = keepsPath ? base.appending(written: path) : base.appending(path)
    return address.appending(query: query)
  }

  /// Returns the result of some work, or cancels it and returns nil after a real span of time.
  static func within<Success: Sendable>(
    _ span: Duration, _ work: @escaping @Sendable () async throws -> Success
  ) async throws -> Success? {
    try await withThrowingTaskGroup(of: Success?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: span)
        return nil
      }
      if let result = try await group.next() ?? nil {
        group.cancelAll()
        return result
      }
      group.cancelAll()
      do { return try await group.next() ?? nil } catch is CancellationError {
        // Only the work was cancelled.
        try Task.checkCancellation()
        return nil
      }
    }
  }
}
