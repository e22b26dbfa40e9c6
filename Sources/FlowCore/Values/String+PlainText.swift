internal import FlowSystem

extension String {
  /// The text of bytes in UTF-8 that come from outside, without a byte order mark before it.
  ///
  /// - Throws: `TextError` for other bytes, with the encoding that they seem to have.
  public init(plainText bytes: [UInt8]) throws(TextError) {
    self = try PlainText.text(of: bytes)
  }
}
