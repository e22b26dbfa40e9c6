internal import FlowCore

/// The five-character code of a server's error.
///
/// The first two characters are its class. See
/// https://www.postgresql.org/docs/current/errcodes-appendix.html.
struct SQLState {
  let text: String

  init(_ text: String) { self.text = text }

  private var group: String { String(text.prefix(2)) }

  /// True for a syntax error.
  var isSyntax: Bool { text == "42601" }

  /// True for a parameter without a use, and for a missing one.
  var isOfParameters: Bool { ["42P18", "08P01"].contains(text) }

  /// True for a state chosen by an application in `RAISE ...
  ///
  /// USING ERRCODE`.
  var isOwn: Bool {
    !text.isEmpty && (Self.code(ofGroup: group) == nil || group == "P0" && Self.codes[text] == nil)
  }

  /// True if the detail quotes whole values or comes from an application.
  var hasWholeDetail: Bool { isOwn || ["23503", "23505", "P0001"].contains(text) }

  /// The error code of this state, `constraint` for errors raised by an application.
  var code: ErrorCode { Self.codes[text] ?? Self.code(ofGroup: group) ?? .constraint }

  private static let codes: [String: ErrorCode] = [
    "08P01": .data, "P0002": .data, "P0003": .data,
    "25006": .forbidden, "2F002": .forbidden, "2F004": .forbidden, "38002": .forbidden,
    "38004": .forbidden, "42501": .forbidden,
    "55P03": .busy, "55006": .busy, "72000": .busy,
    "57014": .timeout, "25P03": .timeout, "25P04": .timeout,
    "40002": .constraint, "P0000": .constraint, "P0001": .constraint, "P0004": .constraint,
  ]

  /// Returns the error code of a class of states, or nil if neither SQL nor PostgreSQL has the
  /// class.
  private static func code(ofGroup group: String) -> ErrorCode? {
    switch group {
    case "09", "23", "27", "38", "44", "P0": .constraint
    case "02", "20", "21", "22": .data
    case "0L", "0P", "28": .forbidden
    case "40", "72": .busy
    case "54": .tooLarge
    case "", "08", "53", "57", "58", "F0", "HV", "XX": .unavailable
    case "00", "01", "03", "0A", "0B", "0F", "0Z", "10", "24", "25", "26", "2B", "2D", "2F", "34",
      "39", "3B", "3D", "3F", "42", "55":
      .syntax
    default: nil
    }
  }
}
