private import CCurl

/// The exchanges under way, driven by one thread at a time.
@safe struct TransferDriver {
  private struct Active {
    let handle: TransferHandle
    let continuation: TransferThread.Continuation
  }

  private let library: CurlLibrary
  private let multi: OpaquePointer
  private let options: TransferOptions
  private var active: [UInt64: Active] = [:]
  private var streams: [UInt64: TransferStream] = [:]
  /// The duration of the latest exchange with a response.
  private(set) var latest = Duration.zero
  /// True if several exchanges overlapped since the driver was last idle.
  private(set) var isCrowded = false
  // Handles ready for reuse, with their options.
  private var idle: [TransferHandle] = []
  private static let greatestIdleCount = 16

  /// Creates a driver for a `flow_multi`, which outlives it.
  init(_ library: CurlLibrary, _ multi: OpaquePointer, _ options: TransferOptions) {
    self.library = library
    unsafe self.multi = multi
    self.options = options
  }

  /// True if an exchange is under way.
  var isBusy: Bool { !active.isEmpty || !streams.isEmpty }

  /// Starts an exchange, which `perform` ends.
  mutating func begin(
    _ number: UInt64, _ transfer: Transfer, _ continuation: TransferThread.Continuation
  ) {
    isCrowded = isBusy
    do throws(TransferThreadError) {
      let handle = try handle(keepsCookies: !transfer.isPassedOn)
      if transfer.isStream {
        streams[number] = TransferStream(number, handle, continuation)
      } else {
        active[number] = Active(handle: handle, continuation: continuation)
      }
      try handle.begin(number, transfer)
    } catch {
      guard !has(number) else { return finish(number, .failure(error)) }
      continuation.resume(throwing: error)
    }
  }

  /// Returns an idle handle, or a new one.
  private mutating func handle(keepsCookies: Bool) throws(TransferThreadError) -> TransferHandle {
    if let index = idle.lastIndex(where: { $0.keepsCookies == keepsCookies }) {
      return idle.remove(at: index)
    }
    return try unsafe TransferHandle(library, multi, options, keepsCookies: keepsCookies)
  }

  /// Changes the cookies by some lines, and returns all of them.
  ///
  /// See `TransferHandle.changeCookies`.
  mutating func cookies(
    changedBy lines: [String]
  ) throws(TransferThreadError) -> [String] {
    let handle = try handle(keepsCookies: true)
    defer { release(handle) }
    for line in lines { handle.changeCookies(line) }
    return handle.cookies
  }

  /// Passes the next bytes of a stream to a reader.
  mutating func read(_ number: UInt64, _ reader: TransferThread.Reader) {
    guard streams[number] != nil else { return reader.resume(throwing: CancellationError()) }
    streams[number]?.read(reader)
    advance(number)
  }

  /// Ends the wait for the next bytes of a stream.
  mutating func withdraw(_ number: UInt64) {
    streams[number]?.withdraw()
  }

  /// Cancels an exchange unless it has ended.
  mutating func cancel(_ number: UInt64) {
    finish(number, .failure(CancellationError()))
  }

  /// Does all work possible without waiting, and resumes the tasks of ended exchanges.
  mutating func perform() {
    unsafe flow_multi_perform(multi)
    var code: Int32 = 0
    while case let number = unsafe flow_multi_next(multi, &code), number > 0 {
      if let handle = active[number]?.handle {
        // After the head of a 101 another protocol follows, which is not read.
        let isAnswer = code == 0 || handle.wasUpgraded
        finish(number, isAnswer ? .success(handle.reply(number)) : .failure(handle.failure(code)))
      }
      streams[number]?.end(code)
    }
    for number in streams.keys { advance(number) }
  }

  /// Ends all exchanges, frees the handles and forgets the cookies.
  mutating func reset() {
    for number in (Array(active.keys) + streams.keys).sorted() { cancel(number) }
    idle = []
    // Without memory, new handles have no cookies, as for a message passed on.
    unsafe flow_multi_forget_cookies(multi)
  }

  private func has(_ number: UInt64) -> Bool { active[number] != nil || streams[number] != nil }

  private mutating func advance(_ number: UInt64) {
    if streams[number]?.advance() == true { finish(number, .failure(CancellationError())) }
  }

  private mutating func finish(_ number: UInt64, _ result: Result<TransferReply, any Error>) {
    if case .success(let reply) = result { latest = reply.elapsed }
    // First, since before libcurl 7.87 removing a handle waits for an unfinished name lookup.
    if let exchange = active.removeValue(forKey: number) {
      exchange.continuation.resume(with: result)
      release(exchange.handle)
    } else if var stream = streams.removeValue(forKey: number) {
      if case .failure(let error) = result { stream.fail(error) }
      release(stream.handle)
    }
  }

  private mutating func release(_ handle: TransferHandle) {
    handle.end()
    if handle.isReusable, idle.count < Self.greatestIdleCount { idle.append(handle) }
  }
}
