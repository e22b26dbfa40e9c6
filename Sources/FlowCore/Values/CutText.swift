private import FlowSystem

extension String {
  /// Returns the string, or its start and an ellipsis, with at most `limit` unicode scalars.
  ///
  /// This is the only safe way to shorten a string that may hold a secret: the start of a secret
  /// before an ellipsis is found and hidden, and the end of a secret would not be.
  public func shortened(to limit: Int) -> String { Ellipsis.shortened(self, to: limit) }

  /// Creates the start of a longer UTF-8 string, with an ellipsis.
  ///
  /// An incomplete character at the end is left out, and U+FFFD replaces invalid UTF-8.
  public init(beginning bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    self = String(decoding: bytes[..<Self.endOfScalars(in: bytes)], as: UTF8.self) + "…"
  }

  /// Returns the end of the last complete scalar.
  private static func endOfScalars(in bytes: [UInt8]) -> Int {
    guard let lead = bytes.suffix(4).lastIndex(where: { $0 & 0b1100_0000 != 0b1000_0000 }) else {
      return bytes.count
    }
    let length = Swift.max(1, (~bytes[lead]).leadingZeroBitCount)
    return lead + length > bytes.count ? lead : bytes.count
  }
}
