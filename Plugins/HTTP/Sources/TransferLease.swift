internal import FlowCore

/// The use of a thread by one component.
///
/// The next component of the same server, in whatever scenario, takes the thread over with its open
/// connections, since in a suite of short scenarios these cost more than the requests. Nothing else is
/// shared: the components use it one after the other.
struct TransferLease: Sendable {
  private let thread: TransferThread
  private let generation: Int
  private let key: IdleThreads.Key?

  /// Takes over an idle thread, or loads libcurl and starts one.
  ///
  /// A tunnel through a proxy depends on the headers of the request that opened it, so it stays with
  /// its component.
  init(_ options: TransferOptions, to server: WebAddress?) throws {
    key =
      options.proxy.isEmpty
      ? server.map { IdleThreads.Key(server: $0.server, options: options) } : nil
    thread =
      try key.flatMap(IdleThreads.take) ?? TransferThread(try CurlLibrary.system(), options)
    generation = thread.generation
  }

  /// Makes an exchange, see `TransferThread`.
  func send(_ transfer: Transfer) async throws -> TransferReply {
    try await thread.send(transfer, of: generation)
  }

  /// Returns the new bytes of a stream, see `TransferThread`.
  func read(_ number: UInt64) async throws -> TransferPiece { try await thread.read(number) }

  /// Changes the cookies by some lines, and returns all of them, see `TransferThread`.
  func cookies(changedBy lines: [String]) async throws -> [String] {
    try await thread.cookies(changedBy: lines, of: generation)
  }

  /// Ends a stream and its connection.
  func end(_ stream: UInt64) { thread.end(stream) }

  /// Cancels all exchanges, and leaves the thread to another component for a moment.
  ///
  /// Called once. Nothing is sent afterwards.
  func end() async {
    await thread.reset()
    if let key, IdleThreads.keep(thread, for: key) { return }
    await thread.close()
  }
}
