internal import FlowSystem

extension String {
  /// Creates a string from UTF-8 bytes from outside, without the byte order mark before it.
  ///
  /// - Throws: `TextError` for other bytes, with their apparent encoding.
  public init(plainText bytes: [UInt8]) throws(TextError) {
    self = try PlainText.text(of: bytes)
  }
}
