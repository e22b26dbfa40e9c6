extension Array where Element: Hashable {
  /// Each element once, where it stands first.
  package var unique: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
