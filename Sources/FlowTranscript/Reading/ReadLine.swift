internal import FlowCore
internal import FlowSystem

/// A line of a transcript during the reading of its values.
struct ReadLine {
  let number: Int
  /// The offset of its first byte.
  let offset: Int
  let bytes: ArraySlice<UInt8>
  /// The address, in a journal with its tags.
  let address: Address
  /// True if the name of a member starts with `$`.
  let hasSigns: Bool
  /// True if a part of it is in a separate file.
  let hasBodies: Bool

  /// Returns a value of the line to keep, or nil if reading the line again produces it.
  func kept(_ value: RecordedValue) -> RecordedValue? {
    hasBodies || value.hasPatterns ? value : nil
  }
}
