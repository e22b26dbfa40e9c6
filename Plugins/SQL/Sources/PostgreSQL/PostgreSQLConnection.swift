private import CPostgreSQL
internal import FlowCore
internal import FlowPostgreSQL

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A connection to a server, which only waits for its socket, so that a call can be stopped at any
/// time.
@safe final class PostgreSQLConnection {
  private let pq: flow_pq
  private let handle: OpaquePointer
  private let waker: Waker
  private let intake: PostgreSQLIntake
  private let limits: ResultLimits
  /// True if the connection is unusable.
  private(set) var isLost = false
  /// The statement sent last, to which error positions refer.
  private var text = ""
  /// The time by which a cancelled statement must have ended.
  private var deadline: ContinuousClock.Instant?

  // A cancelled statement ends at once, or the server is gone.
  private static let patience = Duration.seconds(5)

  /// Connects and logs in.
  init(
    _ address: PostgreSQLAddress, within timeout: Duration, _ limits: ResultLimits, _ stop: Stop
  ) throws(SQLError) {
    let pq = address.library.functions
    self.pq = pq
    self.limits = limits
    intake = PostgreSQLIntake(limit: limits.bytes)
    waker = try Waker()
    let parameters = address.parameters(within: timeout).sorted { $0.key < $1.key }
    let keywords = CStrings(parameters.map(\.key))
    let values = CStrings(parameters.map(\.value))
    let started = unsafe keywords.withPointers { keywords in
      unsafe values.withPointers { unsafe pq.connectStartParams(keywords, $0, 0) }
    }
    guard let handle = unsafe started else { throw .notConnected("the system is out of memory") }
    unsafe self.handle = handle
    // libpq writes notices to the standard error by default, and a server may send some before the
    // login.
    _ = unsafe pq.setNoticeProcessor(
      handle,
      { context, message in
        let intake = unsafe PostgreSQLIntake.at(context)
        intake?.endMessage()
        intake?.note(unsafe String(cString: message))
      },
      Unmanaged.passUnretained(intake).toOpaque())
    do throws(SQLError) {
      try waking(stop) { () throws(SQLError) in try connect(within: timeout, stop) }
    } catch {
      unsafe pq.finish(handle)
      throw error
    }
    _ = unsafe pq.setnonblocking(handle, 1)
  }

  /// True if a transaction is open, even a failed one.
  var isInTransaction: Bool { unsafe !isLost && [2, 3].contains(pq.transactionStatus(handle)) }

  /// Closes the connection.
  ///
  /// This is the last call.
  func close() {
    unsafe pq.finish(handle)
  }

  /// Abandons the connection, so that the server undoes unfinished work.
  func lose() { isLost = true }

  /// Does work that a call's stop can interrupt.
  func waking<Answer>(
    _ stop: Stop?, _ work: () throws(SQLError) -> Answer
  ) throws(SQLError) -> Answer {
    // Work without a stop must end soon on its own.
    deadline = stop == nil ? .now + Self.patience : nil
    defer {
      waker.clear()
      for notice in intake.takeNotices() { stop?.note(notice) }
    }
    guard let stop else { return try work() }
    return try stop.waking({ [waker] in waker.wake() }, during: work)
  }

  // MARK: - Sending

  /// Sends statements without parameters.
  func send(_ script: String) throws(SQLError) {
    text = script
    try check(unsafe pq.sendQuery(handle, script))
  }

  /// Sends a statement, whose rows arrive one by one.
  func send(_ sql: String, _ parameters: PostgreSQLParameters) throws(SQLError) {
    text = sql
    let sent = unsafe CStrings(parameters.values).withPointers { values in
      unsafe pq.sendQueryParams(
        handle, sql, Int32(parameters.values.count), parameters.types, values, nil, nil, 0)
    }
    try check(sent)
    _ = unsafe pq.setSingleRowMode(handle)
  }

  /// Sends a statement without running it, with types as in `PostgreSQLParameters`.
  func prepare(_ sql: String, _ types: [UInt32]) throws(SQLError) {
    text = sql
    try check(unsafe pq.sendPrepare(handle, "", sql, Int32(types.count), types))
  }

  /// Requests the parameters of the prepared statement.
  func describe() throws(SQLError) {
    try check(unsafe pq.sendDescribePrepared(handle, ""))
  }

  private func check(_ isSent: Int32) throws(SQLError) {
    if isSent == 0 { throw lost() }
  }

  // MARK: - Receiving

  /// Takes all results of the statement.
  ///
  /// - Throws: The error of the server, or of `take`, after which the statement is cancelled.
  func results(
    _ stop: Stop?, _ take: (PostgreSQLResult) throws(SQLError) -> Void
  ) throws(SQLError) {
    var failure: SQLError?
    try flush(stop)
    while let result = try next(stop, after: failure) {
      if result.isCopy {
        lose()
        throw .copying
      }
      guard failure == nil else { continue }
      if let error = result.error(in: Array(text.utf8)) {
        failure = error
        if result.endsConnection { lose() }
        continue
      }
      do { try take(result) } catch {
        failure = error
        cancel()
      }
    }
    if unsafe pq.status(handle) != 0 { lose() }
    if let failure { throw failure }
  }

  /// Returns the next result, or nil after the last one.
  ///
  /// An earlier failure is the cause of a failure here.
  private func next(
    _ stop: Stop?, after failure: SQLError?
  ) throws(SQLError) -> PostgreSQLResult? {
    while unsafe pq.isBusy(handle) != 0 {
      if stop?.isRequested == true, deadline == nil { cancel() }
      switch wait(for: POLLIN, until: deadline) {
      case .ready:
        intake.willRead(unsafe pq.socket(handle))
        if unsafe pq.consumeInput(handle) != 0 {
          intake.didRead(unsafe pq.socket(handle))
          // No part of a message can be skipped, so the connection ends with it.
          if unsafe pq.isBusy(handle) != 0, intake.isExceeded {
            lose()
            throw failure ?? .tooManyBytes(limits.bytes)
          }
          continue
        }
        // The connection is lost even if an earlier failure says more.
        let end = lost()
        throw failure ?? end
      case .woken: continue
      case .late:
        lose()
        throw failure ?? .lost("the server does not respond")
      }
    }
    let result = unsafe pq.getResult(handle)
    intake.endMessage()
    return unsafe result.map { unsafe PostgreSQLResult($0, pq) }
  }

  /// Sends the data that did not fit into the socket.
  private func flush(_ stop: Stop?) throws(SQLError) {
    while true {
      let rest = unsafe pq.flush(handle)
      if rest == 0 { return }
      guard rest > 0 else { throw lost() }
      let end = wait(for: POLLIN | POLLOUT, until: deadline)
      // A message sent by half can only be ended by closing the connection.
      if end == .late || stop?.isRequested == true {
        lose()
        throw .lost("the server does not read")
      }
      if end == .ready, unsafe pq.consumeInput(handle) == 0 { throw lost() }
    }
  }

  /// Asks the server to cancel the statement, which its reply then ends.
  private func cancel() {
    deadline = .now + Self.patience
    guard let request = unsafe pq.getCancel(handle) else { return lose() }
    var problem = [CChar](repeating: 0, count: 256)
    _ = unsafe pq.cancel(request, &problem, Int32(problem.count))
    unsafe pq.freeCancel(request)
  }

  private func lost() -> SQLError {
    lose()
    return .lost(reason)
  }

  // MARK: - Waiting

  private enum WaitEnd {
    case ready, woken, late
  }

  private func connect(within timeout: Duration, _ stop: Stop) throws(SQLError) {
    let deadline = ContinuousClock.now + timeout
    // The first wait is for writing, as PQconnectStart documents.
    var polling: Int32 = unsafe pq.status(handle) == 1 ? 0 : 2
    while polling != 3 {
      guard polling != 0 else { throw .notConnected(reason) }
      let end = wait(for: polling == 1 ? POLLIN : POLLOUT, until: deadline)
      if stop.isRequested { throw .cancelled }
      if end == .late { throw .notConnected("no answer within \(timeout.flowText)") }
      if end == .ready { polling = unsafe pq.connectPoll(handle) }
    }
  }

  /// Waits until the socket is ready, a stop is requested, or it is too late.
  private func wait(for events: Int32, until deadline: ContinuousClock.Instant?) -> WaitEnd {
    let socket = unsafe pq.socket(handle)
    // Without a socket, the next call of libpq reports the reason.
    guard socket >= 0 else { return .ready }
    var polled = [
      pollfd(fd: socket, events: Int16(events), revents: 0),
      pollfd(fd: waker.reading, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let left = deadline.map { max(.zero, $0 - .now) / .milliseconds(1) }
      // Rounded up, to avoid waking just before the deadline.
      let count = unsafe poll(&polled, 2, left.map { Int32(min(60_000, $0.rounded(.up))) } ?? -1)
      if count > 0 { break }
      if count == 0, let deadline, deadline <= .now { return .late }
    }
    if polled[1].revents != 0 { waker.clear() }
    return polled[0].revents != 0 ? .ready : .woken
  }

  /// The first line of libpq's message, without the server's address, which the settings have.
  ///
  /// The path of a socket stays: the settings name its folder at most.
  private var reason: String {
    let text = unsafe pq.errorMessage(handle).map { unsafe String(cString: $0) } ?? ""
    let line = text.split(separator: "\n").first.map(String.init) ?? "it gave no reason"
    let isOfSocket = line.hasPrefix("connection to server on socket ")
    let words = line.hasPrefix("connection to server") ? line.tail(after: " failed: ") : line
    if words.hasPrefix("FATAL:  ") { return String(words.dropFirst("FATAL:  ".count)) }
    let socket = line.dropFirst("connection to server on socket \"".count).prefix { $0 != "\"" }
    return isOfSocket ? "the socket '\(socket)': \(words)" : words
  }
}

extension String {
  /// Returns the part after the first occurrence of another string, or all of it without one.
  fileprivate func tail(after other: String) -> String {
    let (text, other) = (Array(utf8), Array(other.utf8))
    let start = text.indices.first { text[$0...].starts(with: other) }
    return start.map { String(decoding: text[($0 + other.count)...], as: UTF8.self) } ?? self
  }
}

/// A pipe to end a wait.
private final class Waker: Sendable {
  let reading: Int32
  private let writing: Int32

  init() throws(SQLError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .notConnected("the system is out of descriptors") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    _ = close(reading)
    _ = close(writing)
  }

  func wake() {
    var byte: UInt8 = 0
    _ = unsafe write(writing, &byte, 1)
  }

  func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while unsafe read(reading, &bytes, 16) > 0 {}
  }
}
