private import CMariaDB
internal import FlowCore
private import Synchronization

/// A connection to a server, whose waits another thread can interrupt.
///
/// It belongs to the thread of its client.
@safe final class MariaDBConnection {
  private let handle: Handle
  /// The number of the connection at the server.
  let number: UInt
  /// True if the connection is unusable.
  private(set) var isLost = false

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

  /// Connects and logs in.
  init(
    _ address: MariaDBAddress, in library: MariaDBLibrary, within timeout: Duration,
    longest: Int
  ) throws(SQLError) {
    guard let pointer = unsafe flow_my_create(library.functions) else {
      throw .notConnected("the system is out of memory")
    }
    guard unsafe Self.connect(pointer, address, timeout, longest) else {
      let error = unsafe MariaDBError(flow_my_error_of(pointer))
      unsafe flow_my_close(pointer)
      throw .notConnected(error.message)
    }
    unsafe handle = Handle(pointer)
    number = unsafe UInt(flow_my_number(pointer))
  }

  private static func connect(
    _ pointer: OpaquePointer, _ address: MariaDBAddress, _ timeout: Duration, _ longest: Int
  ) -> Bool {
    let isSocket = address.socket != nil
    // The library takes IPv6 addresses without brackets.
    let isBare = !address.host.hasPrefix("[")
    let host = isBare ? address.host : String(address.host.dropFirst().dropLast())
    let texts = CStrings([
      isSocket ? nil : host, address.user, address.password, address.database, address.socket,
      address.authority,
    ])
    return unsafe texts.withPointers { texts in
      var login = unsafe flow_my_login()
      unsafe login.host = texts[0]
      unsafe login.user = texts[1]
      unsafe login.password = texts[2]
      unsafe login.database = texts[3]
      unsafe login.socket = texts[4]
      unsafe login.authority = texts[5]
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

  /// True if a call was interrupted, whose statement may still run at the server.
  var wasInterrupted: Bool { handle.wasInterrupted }

  /// True if a transaction is open.
  var isInTransaction: Bool { unsafe !isLost && flow_my_is_in_transaction(handle.pointer) }

  /// The number of warnings of the latest statement.
  var warningCount: Int { unsafe isLost ? 0 : Int(flow_my_warnings(handle.pointer)) }

  /// Abandons the connection, so that the server undoes unfinished work.
  func lose() { isLost = true }

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
  fileprivate init(_ error: flow_my_error) {
    number = unsafe Int(error.number)
    state = unsafe String(cString: error.state)
    message = unsafe String(cString: error.message)
  }
}

/// A prepared statement with its result, freed with this object.
@safe final class MariaDBStatement {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe flow_my_free(handle) }

  /// The error of the latest call, or nil.
  var error: MariaDBError? {
    let error = unsafe MariaDBError(flow_my_error_of_statement(handle))
    return error.number == 0 ? nil : error
  }

  /// An error where one has to be.
  private var failure: MariaDBError {
    error ?? MariaDBError(number: 2008, state: "HY000", message: "the system is out of memory")
  }

  var parameterCount: Int { unsafe flow_my_parameter_count(handle) }

  /// Runs the statement with as many values as it has placeholders.
  func execute(_ parameters: [MariaDBParameter]) throws(MariaDBError) {
    let texts = parameters.map { $0.bytes ?? [] }
    let isDone = unsafe Self.lend(texts) { pointers in
      let values = unsafe zip(parameters, pointers).map { parameter, bytes in
        unsafe parameter.value(bytes)
      }
      return unsafe values.withUnsafeBufferPointer { values in
        unsafe flow_my_execute(handle, values.baseAddress)
      }
    }
    guard isDone else { throw failure }
  }

  /// Lends the bytes of all texts at once.
  private static func lend(
    _ texts: [[UInt8]], _ work: ([UnsafeRawBufferPointer]) -> Bool
  ) -> Bool {
    var all: [UInt8] = []
    var starts: [Int] = []
    for text in texts {
      starts.append(all.count)
      all += text
    }
    return unsafe (all + [0]).withUnsafeBytes { bytes in
      unsafe work(
        zip(starts, texts).map { start, text in
          unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + text.count])
        })
    }
  }

  /// The columns of the result, none without one.
  var columns: [MariaDBColumn] {
    (0..<(unsafe flow_my_column_count(handle))).map { index in
      let column = unsafe flow_my_column_at(handle, index)
      return unsafe MariaDBColumn(
        name: column.name.map { unsafe String(cString: $0) } ?? "", type: Int(column.type),
        form: MariaDBColumn.Form(column.form), isBinary: column.is_binary,
        isUnsigned: column.is_unsigned)
    }
  }

  /// Reads the next row, and returns false at the end.
  func step() throws(MariaDBError) -> Bool {
    switch unsafe flow_my_step(handle) {
    case FLOW_MY_ROW: return true
    case FLOW_MY_END: return false
    default: throw failure
    }
  }

  /// Returns the length of a text of the row in bytes, and 8 for a number.
  func length(_ index: Int, _ column: MariaDBColumn) -> Int {
    if unsafe flow_my_is_null(handle, index) { return 0 }
    return column.form == .text ? unsafe flow_my_length(handle, index) : 8
  }

  /// Returns a value of the row.
  func value(_ index: Int, _ column: MariaDBColumn) throws(MariaDBError) -> Value {
    if unsafe flow_my_is_null(handle, index) { return .null }
    switch column.form {
    case .integer: return .int(Int(unsafe flow_my_integer(handle, index)))
    case .unsigned:
      let number = UInt64(bitPattern: unsafe flow_my_integer(handle, index))
      return Int(exactly: number).map(Value.int) ?? .uint(UInt(number))
    // The shortest text of a float is that of the server.
    case .float:
      let number = unsafe Float(flow_my_double(handle, index))
      return .double(Double("\(number)") ?? Double(number))
    case .double: return .double(unsafe flow_my_double(handle, index))
    case .text:
      let length = unsafe flow_my_length(handle, index)
      var isRead = true
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        guard length > 0, let start = buffer.baseAddress else { return }
        isRead = unsafe flow_my_text(handle, index, start, length)
        count = isRead ? length : 0
      }
      guard isRead else { throw failure }
      return column.value(of: bytes)
    }
  }

  /// The number of changed rows, 0 for a result.
  var changes: Int { unsafe Int(exactly: flow_my_changes(handle)) ?? 0 }

  /// The number of the last new row, or nil.
  var lastID: Int? {
    let id = unsafe flow_my_last_id(handle)
    return id == 0 ? nil : Int(exactly: id)
  }

  /// Discards the results after the first one.
  func finish() throws(MariaDBError) {
    guard unsafe flow_my_finish(handle) else { throw failure }
  }
}

extension MariaDBColumn.Form {
  fileprivate init(_ form: flow_my_form) {
    switch form {
    case FLOW_MY_AS_INTEGER: self = .integer
    case FLOW_MY_AS_UNSIGNED: self = .unsigned
    case FLOW_MY_AS_FLOAT: self = .float
    case FLOW_MY_AS_DOUBLE: self = .double
    default: self = .text
    }
  }
}

extension MariaDBParameter {
  fileprivate func value(_ bytes: UnsafeRawBufferPointer) -> flow_my_value {
    var value = unsafe flow_my_value()
    switch self {
    case .null: unsafe value.kind = FLOW_MY_NULL
    case .int(let number):
      unsafe value.kind = FLOW_MY_INTEGER
      unsafe value.integer = Int64(number)
    case .uint(let number):
      unsafe value.kind = FLOW_MY_UNSIGNED
      unsafe value.integer = Int64(bitPattern: UInt64(number))
    case .double(let number):
      unsafe value.kind = FLOW_MY_DOUBLE
      unsafe value.number = number
    case .decimal: unsafe value.kind = FLOW_MY_DECIMAL
    case .text: unsafe value.kind = FLOW_MY_TEXT
    case .bytes: unsafe value.kind = FLOW_MY_BYTES
    }
    unsafe value.bytes = bytes.baseAddress
    unsafe value.length = bytes.count
    return unsafe value
  }
}
