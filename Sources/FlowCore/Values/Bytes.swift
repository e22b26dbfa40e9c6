internal import FlowSystem

/// A sequence of bytes as one value, told apart from a list of numbers.
public struct Bytes: Sendable, Hashable {
  /// The bytes, in order.
  public var content: [UInt8]

  /// Wraps the bytes.
  public init(_ content: [UInt8]) {
    self.content = content
  }
}

extension Bytes: CustomStringConvertible {
  /// Two lower-case hexadecimal digits for each byte: a form in which secrets are found.
  public var description: String {
    content.hexadecimalText()
  }
}
