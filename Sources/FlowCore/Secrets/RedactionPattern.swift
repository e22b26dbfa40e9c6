/// A pattern of the project's file, whose matches must not be seen.
///
/// A closure, because the regular expressions belong to a module above this one.
package struct RedactionPattern: Sendable {
  /// The stretches of a text that match, in order; the whole text when that takes too long.
  package let ranges: @Sendable ([UInt8]) -> [Range<Int>]

  package init(ranges: @escaping @Sendable ([UInt8]) -> [Range<Int>]) {
    self.ranges = ranges
  }
}
