internal import FlowCore
internal import FlowSystem

/// The encoders extension: base64 as in RFC 4648, section 4.
enum Encoders {
  static let all: [Function] =
    Function.typed("base64.encode", isMember: false, encode)
    + Function.typed("base64.decode", isMember: false, decode)

  private static func encode(
    _ frame: inout Frame, _ bytes: Bytes
  ) throws(EvaluationError) -> String {
    try frame.charge(bytes.content.count / 16)
    return Base64.encode(bytes.content)
  }

  /// Padding may be left out.
  private static func decode(
    _ frame: inout Frame, _ text: String
  ) throws(EvaluationError) -> Bytes {
    try frame.charge(text.utf8.count / 16)
    guard let bytes = Base64.decodeLeniently(text) else { throw .invalidBase64 }
    return Bytes(bytes)
  }
}
