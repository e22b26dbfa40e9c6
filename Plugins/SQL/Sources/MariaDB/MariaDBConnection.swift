internal import CMariaDB
internal import FlowCore
internal import FlowSQL
private import Synchronization

/// A connection to a server, whose waits another thread can interrupt.
///
/// It belongs to the thread of its client.
@safe final class MariaDBConnection {
  private let handle: Handle
  /// The number of the connection at the server.
  let number: UInt
  private var isAbandoned = false

  /// The library's connection.
  ///
  /// `@unchecked`: other threads only interrupt it, which the library is not asked for.
  @safe private final class Handle: @unchecked Sendable {
    let pointer: OpaquePointer
    private let state = Mutex(false)

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    var wasInterrupted: Bool { state.withLock { $0 } }

    func interrupt() {
      state.withLock { $0 = true }
      unsafe flow_my_interrupt(pointer)
    }
  }

  /// Connects, logs in and runs a first statement, all within a time.
  init(
    _ address: MariaDBAddress, in library: MariaDBLibrary, within timeout: Duration,
    first: String, longest: Int
  ) throws(SQLError) {
    guard let pointer = unsafe flow_my_create(library.functions) else {
      throw .notConnected("the system is out of memory")
    }
    guard unsafe Self.connect(pointer, address, first, timeout, longest) else {
      let error = unsafe MariaDBError(flow_my_error_of(pointer))
      unsafe flow_my_close(pointer)
      throw .notConnected(error == .unexplained ? "libmariadb is too old" : error.message)
    }
    unsafe handle = Handle(pointer)
    number = unsafe UInt(flow_my_number(pointer))
  }

  private static func connect(
    _ pointer: OpaquePointer, _ address: MariaDBAddress, _ first: String, _ timeout: Duration,
    _ longest: Int
  ) -> Bool {
    let isSocket = address.socket != nil
    // The library takes IPv6 addresses without brackets.
    let isBare = !address.host.hasPrefix("[")
    let host = isBare ? address.host : String(address.host.dropFirst().dropLast())
    // Without a password the library would take one from the environment.
    let texts = CStrings([
      isSocket ? nil : host, address.user, address.password ?? "", address.database,
      address.socket, address.authority, first,
    ])
    return unsafe texts.withPointers { texts in
      var login = unsafe flow_my_login()
      unsafe login.host = texts[0]
      unsafe login.user = texts[1]
      unsafe login.password = texts[2]
      unsafe login.database = texts[3]
      unsafe login.socket = texts[4]
      unsafe login.authority = texts[5]
      unsafe login.first = texts[6]
      unsafe login.port = UInt32(address.port)
      unsafe login.seconds = UInt32(max(1, min(timeout, .seconds(3_600)) / .seconds(1)))
      unsafe login.longest = longest
      switch address.tls {
      case .none: unsafe login.tls = FLOW_MY_TLS_NONE
      case .required: unsafe login.tls = FLOW_MY_TLS_REQUIRED
      case .verified: unsafe login.tls = FLOW_MY_TLS_VERIFIED
      }
      return unsafe flow_my_connect(pointer, &login)
    }
  }

  /// Closes the connection.
  ///
  /// This is the last call.
  func close() { unsafe flow_my_close(handle.pointer) }

  /// True if the connection is unusable, as after an interruption, which ends its socket.
  var isLost: Bool { isAbandoned || wasInterrupted }

  /// True if a call was interrupted, whose statement may still run at the server.
  var wasInterrupted: Bool { handle.wasInterrupted }

  /// True if a transaction is open.
  var isInTransaction: Bool { unsafe !isLost && flow_my_is_in_transaction(handle.pointer) }

  /// The number of warnings of the latest statement.
  var warningCount: Int { unsafe isLost ? 0 : Int(flow_my_warnings(handle.pointer)) }

  /// Abandons the connection, so that the server undoes unfinished work.
  func lose() { isAbandoned = true }

  /// Abandons the connection in the middle of a result, whose rest the library would read otherwise.
  func abandonResult() {
    lose()
    handle.interrupt()
  }

  /// Does work that a call's stop can interrupt.
  func waking<Answer>(
    _ stop: Stop, _ work: () throws(SQLError) -> Answer
  ) throws(SQLError) -> Answer {
    let handle = handle
    return try stop.waking({ handle.interrupt() }) { () throws(SQLError) in
      if stop.isRequested { throw .cancelled }
      return try work()
    }
  }

  /// Runs statements without parameters and without their rows, and returns how many there are.
  ///
  /// - Throws: `.inStatement` with the number of the failed one.
  @discardableResult
  func run(_ script: String) throws(SQLError) -> Int {
    var failed = false
    let bytes = script.utf8CString
    let count = unsafe bytes.withUnsafeBufferPointer { bytes in
      // There is at least the final zero byte.
      unsafe flow_my_run(
        handle.pointer, bytes.baseAddress.unsafelyUnwrapped, bytes.count - 1, &failed)
    }
    guard failed else { return Int(count) }
    throw .inStatement(Int(count) + 1, fail(unsafe MariaDBError(flow_my_error_of(handle.pointer))))
  }

  /// Prepares a statement.
  func prepare(_ sql: String) throws(MariaDBError) -> MariaDBStatement {
    let bytes = sql.utf8CString
    let prepared = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe flow_my_prepare(
        handle.pointer, bytes.baseAddress.unsafelyUnwrapped, bytes.count - 1)
    }
    guard let prepared = unsafe prepared else {
      throw unsafe MariaDBError(flow_my_error_of(handle.pointer))
    }
    let statement = unsafe MariaDBStatement(prepared)
    if let error = statement.error { throw error }
    return statement
  }

  /// Returns the error of a statement, after noticing the end of the connection.
  func fail(_ error: MariaDBError) -> SQLError {
    if error.endsConnection { lose() }
    return error.error
  }
}

extension MariaDBError {
  /// Copies an error of the library, whose number is 0 if it has no reason.
  init(_ error: flow_my_error) {
    self = .unexplained
    guard unsafe error.number != 0 else { return }
    number = unsafe Int(error.number)
    state = unsafe String(cString: error.state)
    message = unsafe String(cString: error.message)
  }
}
