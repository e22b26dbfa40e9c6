internal import CPostgreSQL
internal import FlowCore

/// A part of a server's response, freed with this object.
@safe final class PostgreSQLResult {
  private let pq: flow_pq
  private let result: OpaquePointer

  init(_ result: OpaquePointer, _ pq: flow_pq) {
    unsafe self.result = result
    self.pq = pq
  }

  deinit {
    unsafe pq.clear(result)
  }

  // The numbers are those of ExecStatusType.
  private var status: Int32 { unsafe pq.resultStatus(result) }

  /// True if the string had no statement.
  var isEmpty: Bool { status == 0 }
  /// True at the end of a statement.
  var endsStatement: Bool { status == 1 || status == 2 }
  /// True if the statement is a `COPY` or streams replication data.
  var isCopy: Bool { [3, 4, 8].contains(status) }

  /// Returns the server's error with its position in the statement, or nil if the statement
  /// succeeded.
  func error(in text: [UInt8]) -> SQLError? {
    guard [5, 6, 7].contains(status) else { return nil }
    let state = SQLState(field("C") ?? "")
    let error = SQLError.database(state.code, message(state))
    guard let position = field("P").flatMap({ Int($0) }), position > 0 else {
      return state.isOfParameters ? .unmatchedParameters(message(state)) : error
    }
    let byte = SQLPlace.byte(ofScalar: position - 1, in: text)
    if state.isSyntax, let problem = Script.problem(at: byte, in: text) { return problem }
    return .at(SQLPlace(byte: byte, in: text), error)
  }

  /// Returns the message in the form `message (SQLSTATE S0001): detail; hint: what to do`.
  private func message(_ state: SQLState) -> String {
    var text = field("M") ?? "the server gave no reason"
    if state.isOwn { text += " (SQLSTATE \(state.text))" }
    // Other details quote the start of a value, where a secret cut off would not be recognised.
    if state.hasWholeDetail, let detail = field("D") { text += ": \(detail)" }
    if let hint = field("H") { text += "; hint: \(hint)" }
    return text
  }

  /// True if the server closes the connection with this error.
  var endsConnection: Bool { ["FATAL", "PANIC"].contains(field("V") ?? field("S")) }

  private func field(_ code: Unicode.Scalar) -> String? {
    unsafe pq.resultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) }
  }

  // MARK: - Rows

  var rowCount: Int { unsafe Int(pq.ntuples(result)) }
  private var columnCount: Int32 { unsafe pq.nfields(result) }

  var columnNames: [String] {
    (0..<columnCount).map { column in
      unsafe pq.fname(result, column).map { unsafe String(cString: $0) } ?? ""
    }
  }

  /// The numbers of the columns' types.
  var columnTypes: [UInt32] { (0..<columnCount).map { unsafe pq.ftype(result, $0) } }

  /// The numbers of the parameters' types in a description.
  var parameterTypes: [UInt32] {
    (0..<(unsafe pq.nparams(result))).map { unsafe pq.paramtype(result, $0) }
  }

  /// Returns the length of a value's text in bytes, 0 for NULL.
  func length(_ row: Int, _ column: Int) -> Int {
    unsafe Int(pq.getlength(result, Int32(row), Int32(column)))
  }

  /// Returns the text of a value, or nil for NULL.
  func text(_ row: Int, _ column: Int) -> String? {
    let (row, column) = (Int32(row), Int32(column))
    guard unsafe pq.getisnull(result, row, column) == 0 else { return nil }
    return unsafe pq.getvalue(result, row, column).map { unsafe String(cString: $0) }
  }

  /// The number of rows changed by the statement, 0 for a query.
  var changes: Int {
    let status = unsafe pq.cmdStatus(result).map { unsafe String(cString: $0) } ?? ""
    let isChange = ["INSERT", "UPDATE", "DELETE", "MERGE"].contains(where: status.hasPrefix)
    let count = unsafe pq.cmdTuples(result).flatMap { unsafe Int(String(cString: $0)) }
    return isChange ? count ?? 0 : 0
  }
}
