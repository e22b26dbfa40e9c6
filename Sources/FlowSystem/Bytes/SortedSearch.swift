extension RandomAccessCollection {
  /// Returns the index of the first element of a sorted collection for which a condition holds, or
  /// its end.
  package func partitioningIndex(where isAfter: (Element) -> Bool) -> Index {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
      if isAfter(self[middle]) { high = middle } else { low = index(after: middle) }
    }
    return low
  }
}
