private import CMariaDB
internal import FlowCore

/// A prepared statement with its result, freed with this object.
@safe final class MariaDBStatement {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe flow_my_free(handle) }

  /// The error of the latest call, or nil.
  var error: MariaDBError? {
    let error = unsafe MariaDBError(flow_my_error_of_statement(handle))
    return error == .unexplained ? nil : error
  }

  /// The error of a call that failed.
  private var failure: MariaDBError { error ?? .unexplained }

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

  /// The counts of a statement without a result.
  var counts: MariaDBCounts {
    let info = unsafe flow_my_info(handle).map { unsafe String(cString: $0) }
    return MariaDBCounts(
      affected: unsafe Int(exactly: flow_my_changes(handle)) ?? 0,
      id: unsafe Int(exactly: flow_my_last_id(handle)) ?? 0, info: info)
  }

  /// Discards the results with columns after the first one, and returns their number.
  func finish() throws(MariaDBError) -> Int {
    var results = 0
    guard unsafe flow_my_finish(handle, &results) else { throw failure }
    return results
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
