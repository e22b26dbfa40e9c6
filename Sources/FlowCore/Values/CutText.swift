private import FlowSystem

extension String {
  /// The text, or its beginning and an ellipsis: at most so many unicode scalars.
  ///
  /// The one way to cut a text that may hold a secret: what is left of a secret before an ellipsis is found and
  /// hidden, and what is left of its end would not be.
  public func shortened(to limit: Int) -> String { Ellipsis.shortened(self, to: limit) }

  /// The beginning of a text in UTF-8 of which the rest was left out, with an ellipsis.
  ///
  /// A character of which only the beginning is left is left out, and U+FFFD stands for what is no UTF-8.
  public init(beginning bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    self = String(decoding: bytes[..<Self.endOfScalars(in: bytes)], as: UTF8.self) + "…"
  }

  /// The end of the last scalar that was not cut in two.
  private static func endOfScalars(in bytes: [UInt8]) -> Int {
    guard let lead = bytes.suffix(4).lastIndex(where: { $0 & 0b1100_0000 != 0b1000_0000 }) else {
      return bytes.count
    }
    let length = Swift.max(1, (~bytes[lead]).leadingZeroBitCount)
    return lead + length > bytes.count ? lead : bytes.count
  }
}
