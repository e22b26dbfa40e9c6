extension [String] {
  /// The first occurrence of each string, in order, compared by their bytes.
  package var unique: [String] {
    var known: Set<[UInt8]> = []
    return filter { known.insert([UInt8]($0.utf8)).inserted }
  }
}

extension Array where Element: Hashable {
  /// The first occurrence of each element, in order.
  @inlinable package var unique: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
