private import CPostgreSQL
private import FlowSystem

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A connection to a server, which only waits for its socket, so that each wait has an end.
///
/// Its owner makes only one call at a time.
@safe public final class PostgreSQLConnection {
  private let pq: flow_pq
  private let handle: OpaquePointer
  private let intake: MessageIntake
  /// The pipe that ends a wait, or nil if only time does.
  private let waker: PostgreSQLWaker?
  private var isClosed = false

  /// Connects and logs in, blocking the thread for as long as libpq's own time limits allow.
  ///
  /// - Throws: `PostgreSQLError.notStarted` or `.lost`.
  public convenience init(blockingFor address: PostgreSQLAddress) throws(PostgreSQLError) {
    let pq = address.library.functions
    let started = unsafe Self.start(address.parameters, pq.connectdbParams)
    try unsafe self.init(started, pq, limit: nil, waker: nil)
    guard !isBroken else { throw .lost(message) }
    _ = unsafe pq.setnonblocking(handle, 1)
  }

  /// Connects and logs in until a time, or until it is stopped.
  ///
  /// A `limit` is the number of bytes of the longest value that is read. Each use of the waker makes
  /// a wait look whether it is stopped.
  ///
  /// - Throws: `PostgreSQLError.notStarted`, `.lost`, `.late` or `.stopped`.
  public convenience init(
    _ address: PostgreSQLAddress, until deadline: ContinuousClock.Instant, limit: Int,
    waker: PostgreSQLWaker, isStopped: () -> Bool
  ) throws(PostgreSQLError) {
    let pq = address.library.functions
    let started = unsafe Self.start(address.parameters, pq.connectStartParams)
    try unsafe self.init(started, pq, limit: limit, waker: waker)
    try connect(.until(deadline), isStopped)
    _ = unsafe pq.setnonblocking(handle, 1)
  }

  private init(
    _ handle: OpaquePointer?, _ pq: flow_pq, limit: Int?, waker: PostgreSQLWaker?
  ) throws(PostgreSQLError) {
    guard let handle = unsafe handle else { throw .notStarted("the system is out of memory") }
    unsafe self.handle = handle
    self.pq = pq
    self.waker = waker
    intake = MessageIntake(limit: limit)
    // libpq writes notices to the standard error by default, and a server may send some before the
    // login.
    _ = unsafe pq.setNoticeProcessor(
      handle,
      { context, message in
        let intake = unsafe MessageIntake.at(context)
        intake?.endMessage()
        intake?.note(unsafe String(cString: message))
      },
      Unmanaged.passUnretained(intake).toOpaque())
  }

  private typealias Start = (
    UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>, Int32
  ) -> OpaquePointer?

  private static func start(_ parameters: [String: String], _ start: Start) -> OpaquePointer? {
    let parameters = parameters.sorted { $0.key < $1.key }
    let (names, values) = (CStrings(parameters.map(\.key)), CStrings(parameters.map(\.value)))
    return unsafe names.withPointers { names in
      unsafe values.withPointers { unsafe start(names, $0, 0) }
    }
  }

  private func connect(
    _ patience: Patience, _ isStopped: () -> Bool
  ) throws(PostgreSQLError) {
    // The first wait is for writing, as PQconnectStart documents.
    var polling: Int32 = unsafe pq.status(handle) == 1 ? 0 : 2
    while polling != 3 {
      guard polling != 0 else { throw .lost(message) }
      let end = wait(for: polling == 1 ? POLLIN : POLLOUT, patience)
      if isStopped() { throw .stopped }
      if end == .late { throw .late }
      if end == .ready { polling = unsafe pq.connectPoll(handle) }
    }
  }

  deinit { close() }

  /// Closes the connection.
  ///
  /// This is the last call.
  public func close() {
    if isClosed { return }
    isClosed = true
    unsafe pq.finish(handle)
  }

  // MARK: - State

  /// True if libpq has noticed that the connection is unusable.
  public var isBroken: Bool { unsafe pq.status(handle) != 0 }

  /// True if a transaction is open, even a failed one.
  public var isInTransaction: Bool { unsafe [2, 3].contains(pq.transactionStatus(handle)) }

  /// True while the next result is incomplete.
  public var isBusy: Bool { unsafe pq.isBusy(handle) != 0 }

  /// libpq's latest message, which may have several lines, or an empty string.
  public var message: String {
    unsafe pq.errorMessage(handle).map { unsafe String(cString: $0) } ?? ""
  }

  /// Takes the server's notices since they were taken last.
  public func takeNotices() -> [String] { intake.takeNotices() }

  // MARK: - Sending

  /// Sends statements without parameters.
  public func send(_ script: String) throws(PostgreSQLError) {
    try check(unsafe pq.sendQuery(handle, script))
  }

  /// Sends a statement, whose rows may arrive one by one.
  public func send(
    _ sql: String, _ values: [PostgreSQLValue], rowByRow: Bool
  ) throws(PostgreSQLError) {
    let lengths = values.map { Int32($0.bytes?.count ?? 0) }
    let sent = unsafe CStrings(bytes: values.map(\.bytes)).withPointers { bytes in
      unsafe pq.sendQueryParams(
        handle, sql, Int32(values.count), values.map(\.type), bytes, lengths,
        values.map { $0.isBinary ? 1 : 0 }, 0)
    }
    try check(sent)
    if rowByRow { _ = unsafe pq.setSingleRowMode(handle) }
  }

  /// Sends a statement without running it, with types as in `PostgreSQLValue`.
  public func prepare(_ sql: String, _ types: [UInt32]) throws(PostgreSQLError) {
    try check(unsafe pq.sendPrepare(handle, "", sql, Int32(types.count), types))
  }

  /// Requests the parameters of the prepared statement.
  public func describe() throws(PostgreSQLError) {
    try check(unsafe pq.sendDescribePrepared(handle, ""))
  }

  private func check(_ isSent: Int32) throws(PostgreSQLError) {
    if isSent == 0 { throw .lost(message) }
  }

  /// Sends the data that did not fit into the socket.
  ///
  /// - Throws: `PostgreSQLError.lost`, `.late` or `.stopped`. A message sent by half can only be
  ///   ended by closing the connection.
  public func flush(
    _ patience: Patience, isStopped: () -> Bool = { false }
  ) throws(PostgreSQLError) {
    while true {
      let rest = unsafe pq.flush(handle)
      if rest == 0 { return }
      guard rest > 0 else { throw .lost(message) }
      let end = wait(for: POLLIN | POLLOUT, patience)
      if end == .late { throw .late }
      if isStopped() { throw .stopped }
      if end == .ready { try consume() }
    }
  }

  /// Asks the server to cancel the statement, which its reply then ends.
  ///
  /// Returns false if it cannot be asked.
  public func cancel() -> Bool {
    guard let request = unsafe pq.getCancel(handle) else { return false }
    var problem = [CChar](repeating: 0, count: 256)
    _ = unsafe pq.cancel(request, &problem, Int32(problem.count))
    unsafe pq.freeCancel(request)
    return true
  }

  // MARK: - Receiving

  /// The outcome of one wait for a result.
  public enum Receipt {
    /// A result.
    case result(PostgreSQLResult)
    /// The end of a statement's results.
    case end
    /// A part of a result, or a use of the waker.
    case incomplete
  }

  /// Returns the next result if it is complete, and otherwise waits once for more of it.
  ///
  /// - Throws: `PostgreSQLError.lost`, `.late` or `.tooLong`.
  public func receive(_ patience: Patience) throws(PostgreSQLError) -> Receipt {
    guard isBusy else {
      let result = unsafe pq.getResult(handle)
      intake.endMessage()
      return unsafe result.map { unsafe .result(PostgreSQLResult($0, pq)) } ?? .end
    }
    switch wait(for: POLLIN, patience) {
    case .late: throw .late
    case .woken: break
    case .ready:
      let socket = unsafe pq.socket(handle)
      intake.willRead(socket)
      try consume()
      intake.didRead(unsafe pq.socket(handle))
      // No part of a message can be skipped, so the connection ends with it.
      if intake.isExceeded, isBusy { throw .tooLong }
    }
    return .incomplete
  }

  private func consume() throws(PostgreSQLError) {
    if unsafe pq.consumeInput(handle) == 0 { throw .lost(message) }
  }

  // MARK: - Waiting

  /// The longest time of a wait.
  public enum Patience: Sendable {
    case endless
    /// Until this time, however many waits there are.
    case until(ContinuousClock.Instant)
    /// For so long in each wait.
    case each(Duration)
  }

  private enum WaitEnd {
    case ready, woken, late
  }

  /// Waits until the socket is ready, the waker is used, or it is too late.
  private func wait(for events: Int32, _ patience: Patience) -> WaitEnd {
    let socket = unsafe pq.socket(handle)
    // Without a socket, the next call of libpq reports the reason.
    guard socket >= 0 else { return .ready }
    let deadline = patience.deadline
    var polled = [
      pollfd(fd: socket, events: Int16(events), revents: 0),
      pollfd(fd: waker?.reading ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let left = deadline.map { max(.zero, $0 - .now) / .milliseconds(1) }
      // Rounded up, to avoid waking just before the deadline.
      let count = unsafe poll(&polled, 2, left.map { Int32(min(60_000, $0.rounded(.up))) } ?? -1)
      if count > 0 { break }
      if count == 0, let deadline, deadline <= .now { return .late }
    }
    if polled[1].revents != 0 { waker?.clear() }
    return polled[0].revents != 0 ? .ready : .woken
  }
}

extension PostgreSQLConnection.Patience {
  /// The end of a wait that starts now, or nil.
  fileprivate var deadline: ContinuousClock.Instant? {
    switch self {
    case .endless: nil
    case .until(let deadline): deadline
    case .each(let time): .now + time
    }
  }
}

/// The value of a statement's placeholder.
public struct PostgreSQLValue: Sendable {
  /// The bytes of its text or of its binary form, or nil for NULL.
  let bytes: [UInt8]?
  /// The number of its type, or 0 to let the server infer one.
  let type: UInt32
  /// True if the bytes are the type's binary form.
  let isBinary: Bool

  /// Creates a value with a text, which has no zero byte, or NULL.
  public init(_ text: String?, type: UInt32 = 0) {
    bytes = text.map { Array($0.utf8) }
    self.type = type
    isBinary = false
  }

  /// Creates a value from its binary form.
  public init(binary bytes: [UInt8]) {
    self.bytes = bytes
    type = 0
    isBinary = true
  }
}

/// The reason that a connection does not do its work.
public enum PostgreSQLError: Error {
  /// The system lacks what a connection needs, such as memory.
  case notStarted(String)
  /// The connection or the login failed, with libpq's message, which may have several lines.
  case lost(String)
  /// The server has not done its part in time.
  case late
  /// The work was stopped.
  case stopped
  /// A message of the server is over the limit.
  case tooLong
}

/// A pipe to end the waits of a connection.
public final class PostgreSQLWaker: Sendable {
  let reading: Int32
  private let writing: Int32

  /// Creates a waker.
  ///
  /// - Throws: `PostgreSQLError.notStarted`.
  public init() throws(PostgreSQLError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .notStarted("the system is out of descriptors") }
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

  /// Ends the wait of the connection, or its next one.
  ///
  /// Called from any thread.
  public func wake() {
    var byte: UInt8 = 0
    _ = unsafe write(writing, &byte, 1)
  }

  /// Takes back all wakes.
  public func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while unsafe read(reading, &bytes, 16) > 0 {}
  }
}
