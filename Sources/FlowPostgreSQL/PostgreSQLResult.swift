internal import CPostgreSQL

/// A part of a server's response, freed with this object.
@safe public final class PostgreSQLResult {
  private let pq: flow_pq
  private let result: OpaquePointer

  /// Takes over a result of libpq.
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
  public var isEmpty: Bool { status == 0 }
  /// True at the end of a statement.
  public var endsStatement: Bool { status == 1 || status == 2 }
  /// True if the statement is a `COPY` or streams replication data.
  public var isCopy: Bool { [3, 4, 8].contains(status) }
  /// True for an error of the server.
  public var isError: Bool { [5, 6, 7].contains(status) }

  /// Returns a field of an error by its letter, such as `M` for the message.
  ///
  /// See https://www.postgresql.org/docs/current/protocol-error-fields.html.
  public func field(_ code: Unicode.Scalar) -> String? {
    unsafe pq.resultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) }
  }

  // MARK: - Rows

  /// The number of rows.
  public var rowCount: Int { unsafe Int(pq.ntuples(result)) }
  private var columns: Range<Int32> { unsafe 0..<pq.nfields(result) }

  /// The names of the columns.
  public var columnNames: [String] {
    columns.map { column in
      unsafe pq.fname(result, column).map { unsafe String(cString: $0) } ?? ""
    }
  }

  /// The numbers of the columns' types.
  public var columnTypes: [UInt32] { columns.map { unsafe pq.ftype(result, $0) } }

  /// The numbers of the parameters' types in a description.
  public var parameterTypes: [UInt32] {
    (0..<(unsafe pq.nparams(result))).map { unsafe pq.paramtype(result, $0) }
  }

  /// Returns the length of a value's text in bytes, 0 for NULL.
  public func length(_ row: Int, _ column: Int) -> Int {
    unsafe Int(pq.getlength(result, Int32(row), Int32(column)))
  }

  /// Returns the text of a value, or nil for NULL.
  public func text(_ row: Int, _ column: Int) -> String? {
    unsafe characters(row, column).map { unsafe String(cString: $0) }
  }

  /// Returns the bytes of a row's values, nil for NULL.
  public func row(_ row: Int) -> [[UInt8]?] {
    columns.map { column in
      unsafe characters(row, Int(column)).map { value in
        unsafe Array(UnsafeRawBufferPointer(start: value, count: length(row, Int(column))))
      }
    }
  }

  private func characters(_ row: Int, _ column: Int) -> UnsafePointer<CChar>? {
    let (row, column) = (Int32(row), Int32(column))
    return unsafe pq.getisnull(result, row, column) == 0 ? pq.getvalue(result, row, column) : nil
  }

  /// The number of rows changed by the statement, 0 for a query.
  public var changes: Int {
    let status = unsafe pq.cmdStatus(result).map { unsafe String(cString: $0) } ?? ""
    let isChange = ["INSERT", "UPDATE", "DELETE", "MERGE"].contains(where: status.hasPrefix)
    let count = unsafe pq.cmdTuples(result).flatMap { unsafe Int(String(cString: $0)) }
    return isChange ? count ?? 0 : 0
  }
}
