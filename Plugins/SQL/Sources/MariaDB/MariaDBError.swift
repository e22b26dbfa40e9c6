internal import FlowCore

/// An error of a server of MySQL or MariaDB, or of its client library.
///
/// See https://mariadb.com/docs/server/reference/error-codes. Many errors share the SQLSTATE
/// `HY000`, so the number decides first.
struct MariaDBError: Error, Equatable {
  var number: Int
  var state: String
  var message: String

  /// The error of a call that failed without a reason (`CR_UNKNOWN_ERROR`).
  static let unexplained = MariaDBError(
    number: 2000, state: "HY000", message: "the library gave no reason")

  /// True if the connection is unusable.
  var endsConnection: Bool {
    // 1053, 1152, 1153, 1184 and 1927 are sent by a server that closes the connection.
    isOfClient || [1053, 1152, 1153, 1158, 1159, 1160, 1161, 1184, 1927].contains(number)
  }

  /// True if a statement cannot be prepared, so that it has to be sent as text.
  var isUnpreparable: Bool { number == 1295 }

  private var isOfClient: Bool { 2000..<3000 ~= number || 5000..<6000 ~= number }

  /// The error of a failed statement.
  var error: SQLError {
    switch number {
    case 1065: return .noStatement
    case 2006, 2013, 2055: return .lost(message)
    case 1064 where message.contains("near 'DELIMITER"): return .clientCommand("DELIMITER")
    default: return .database(code, text)
    }
  }

  /// The message with the SQLSTATE of an application's own error.
  ///
  /// A quoted part of the statement that was cut off ends with an ellipsis, by which the start of a
  /// secret is recognised.
  private var text: String {
    if number == 1644 { return "\(message) (SQLSTATE \(state))" }
    guard let start = message.firstRange(of: "near '"),
      let end = message.ranges(of: "' at line").last, start.upperBound < end.lowerBound
    else { return message }
    let part = message[start.upperBound..<end.lowerBound]
    guard part.unicodeScalars.count >= Self.quotedLength else { return message }
    return message[..<end.lowerBound] + "…" + message[end.lowerBound...]
  }

  /// The length of the part of a statement that the server quotes.
  private static let quotedLength = 80

  var code: ErrorCode {
    if let code = Self.codes[number] { return code }
    if isOfClient { return .unavailable }
    switch state.prefix(2) {
    case "23", "44", "45": return .constraint
    case "21", "22": return .data
    case "28": return .forbidden
    case "40": return .busy
    case "08": return .unavailable
    default: return .syntax
    }
  }

  private static let codes: [Int: ErrorCode] = [
    1021: .unavailable, 1040: .unavailable, 1041: .unavailable, 1049: .unavailable,
    1053: .unavailable, 1114: .unavailable, 1135: .unavailable, 1194: .unavailable,
    1203: .unavailable, 1226: .unavailable, 1927: .unavailable,
    1044: .forbidden, 1045: .forbidden, 1142: .forbidden, 1143: .forbidden, 1227: .forbidden,
    1290: .forbidden, 1370: .forbidden, 1410: .forbidden, 1419: .forbidden, 1698: .forbidden,
    1792: .forbidden, 1820: .forbidden, 1836: .forbidden,
    1020: .busy, 1205: .busy, 1213: .busy, 1614: .busy, 3572: .busy,
    1317: .timeout, 1969: .timeout, 3024: .timeout,
    1037: .unavailable, 1038: .unavailable,
    1153: .tooLarge, 1104: .tooLarge, 1118: .tooLarge, 2008: .tooLarge, 2020: .tooLarge,
    1210: .data, 1264: .data, 1265: .data, 1292: .data, 1365: .data, 1366: .data, 1406: .data,
    1411: .data, 1690: .data,
    1216: .constraint, 1217: .constraint, 1364: .constraint, 1369: .constraint,
    1557: .constraint, 1586: .constraint, 1644: .constraint, 3819: .constraint, 4025: .constraint,
  ]
}
