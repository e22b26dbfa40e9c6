extension Array where Element: Hashable {
  /// The first occurrence of each element, in order.
  @inlinable package var unique: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
