internal import FlowCore
internal import FlowPostgreSQL

/// A connection to PostgreSQL whose calls can be stopped at any time.
final class StoppableConnection {
  private let connection: PostgreSQLConnection
  private let waker: PostgreSQLWaker
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
    do throws(PostgreSQLError) {
      let waker = try PostgreSQLWaker()
      defer { waker.clear() }
      connection = try stop.waking({ waker.wake() }) { () throws(PostgreSQLError) in
        try PostgreSQLConnection(
          address.limited(to: timeout), until: .now + timeout, limit: limits.bytes, waker: waker,
          isStopped: { stop.isRequested })
      }
      self.waker = waker
    } catch {
      throw Self.failure(of: error, within: timeout)
    }
    self.limits = limits
    takeNotices(for: stop)
  }

  private static func failure(of error: PostgreSQLError, within timeout: Duration) -> SQLError {
    switch error {
    case .notStarted(let reason): .notConnected(reason)
    case .lost(let message): .notConnected(reason(message))
    case .stopped: .cancelled
    case .late, .tooLong: .notConnected("no answer within \(timeout.flowText)")
    }
  }

  /// True if a transaction is open, even a failed one.
  var isInTransaction: Bool { !isLost && connection.isInTransaction }

  /// Closes the connection.
  ///
  /// This is the last call.
  func close() {
    connection.close()
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
      takeNotices(for: stop)
    }
    guard let stop else { return try work() }
    return try stop.waking({ [waker] in waker.wake() }, during: work)
  }

  private func takeNotices(for stop: Stop?) {
    for notice in connection.takeNotices() { stop?.note(notice) }
  }

  // MARK: - Sending

  /// Sends statements without parameters.
  func send(_ script: String) throws(SQLError) {
    text = script
    try working { () throws(PostgreSQLError) in try connection.send(script) }
  }

  /// Sends a statement, whose rows arrive one by one.
  func send(_ sql: String, _ parameters: PostgreSQLParameters) throws(SQLError) {
    text = sql
    try working { () throws(PostgreSQLError) in
      try connection.send(sql, parameters.values, rowByRow: true)
    }
  }

  /// Sends a statement without running it, with types as in `PostgreSQLValue`.
  func prepare(_ sql: String, _ types: [UInt32]) throws(SQLError) {
    text = sql
    try working { () throws(PostgreSQLError) in try connection.prepare(sql, types) }
  }

  /// Requests the parameters of the prepared statement.
  func describe() throws(SQLError) {
    try working { () throws(PostgreSQLError) in try connection.describe() }
  }

  /// Does work whose failure is the end of the connection.
  private func working<Answer>(
    _ work: () throws(PostgreSQLError) -> Answer
  ) throws(SQLError) -> Answer {
    do { return try work() } catch {
      lose()
      switch error {
      case .lost(let message), .notStarted(let message): throw .lost(Self.reason(message))
      case .tooLong: throw .tooManyBytes(limits.bytes)
      case .late, .stopped: throw .lost("the server does not respond")
      }
    }
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
    if connection.isBroken { lose() }
    if let failure { throw failure }
  }

  /// Returns the next result, or nil after the last one.
  ///
  /// An earlier failure is the cause of a failure here.
  private func next(
    _ stop: Stop?, after failure: SQLError?
  ) throws(SQLError) -> PostgreSQLResult? {
    while true {
      if connection.isBusy, stop?.isRequested == true, deadline == nil { cancel() }
      do throws(SQLError) {
        switch try working({ () throws(PostgreSQLError) in try connection.receive(patience) }) {
        case .result(let result): return result
        case .end: return nil
        case .incomplete: continue
        }
      } catch {
        // An earlier failure says more.
        throw failure ?? error
      }
    }
  }

  /// Sends the data that did not fit into the socket.
  private func flush(_ stop: Stop?) throws(SQLError) {
    try working { () throws(PostgreSQLError) in
      do throws(PostgreSQLError) {
        try connection.flush(patience, isStopped: { stop?.isRequested == true })
      } catch .late, .stopped {
        throw PostgreSQLError.lost("the server does not read")
      }
    }
  }

  private var patience: PostgreSQLConnection.Patience { deadline.map { .until($0) } ?? .endless }

  /// Asks the server to cancel the statement, which its reply then ends.
  private func cancel() {
    deadline = .now + Self.patience
    if !connection.cancel() { lose() }
  }

  /// Returns the first line of libpq's message, without the server's address, which the settings
  /// have.
  ///
  /// The path of a socket stays: the settings name its folder at most.
  private static func reason(_ text: String) -> String {
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
