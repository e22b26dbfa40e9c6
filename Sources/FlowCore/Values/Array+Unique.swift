extension Array where Element: Hashable {
  /// Each element once, where it stands first.
  @inlinable package var unique: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
