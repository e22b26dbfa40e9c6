/// Splits the bytes of a client into messages, lines or other parts.
package protocol StreamSplitter: Sendable {
  associatedtype Part: Sendable

  /// Returns the parts that end in the next bytes.
  ///
  /// Called on one thread, with pieces of any length in their order.
  mutating func parts(adding piece: [UInt8]) -> [Part]
}
