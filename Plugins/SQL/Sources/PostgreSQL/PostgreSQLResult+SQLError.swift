internal import FlowCore
internal import FlowPostgreSQL

extension PostgreSQLResult {
  /// Returns the server's error with its position in the statement, or nil if the statement
  /// succeeded.
  func error(in text: [UInt8]) -> SQLError? {
    guard isError else { return nil }
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
}
