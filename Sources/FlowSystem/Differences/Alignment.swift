/// The elements that two lists have in common, in one order.
package struct Alignment {
  /// The place in the later list of each element of the earlier one, or nil for a removed one.
  package let places: [Int?]

  /// Aligns two lists by their common start, their common end, and the fewest changes between them.
  ///
  /// Between them, everything counts as changed if one list has more than `longest` elements, or
  /// both have more than `mostPairs` pairs.
  package init<Element>(
    from old: [Element], to new: [Element], longest: Int = .max, mostPairs: Int = .max,
    by isSame: (Element, Element) -> Bool
  ) {
    var places = [Int?](repeating: nil, count: old.count)
    let start = zip(old, new).prefix { isSame($0, $1) }.count
    for index in 0..<start { places[index] = index }
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
      .prefix { isSame($0, $1) }.count
    for index in 0..<end { places[old.count - 1 - index] = new.count - 1 - index }
    let left = Array(old.dropFirst(start).dropLast(end))
    let right = Array(new.dropFirst(start).dropLast(end))
    if max(left.count, right.count) <= longest, left.count * right.count <= mostPairs {
      let changes = right.difference(from: left, by: isSame)
      let removed = Set(changes.removals.map(\.offset))
      let added = Set(changes.insertions.map(\.offset))
      let kept = right.indices.filter { !added.contains($0) }
      for (index, place) in zip(left.indices.filter { !removed.contains($0) }, kept) {
        places[start + index] = start + place
      }
    }
    self.places = places
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .remove(let offset, _, _), .insert(let offset, _, _): offset
    }
  }
}
