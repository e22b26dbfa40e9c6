/// The members or elements of a value that some keyword has evaluated, by their positions.
struct Evaluated {
  /// True if some schema around needs to know.
  let isWanted: Bool
  private var isEverything = false
  private var positions: [Bool] = []

  init(isWanted: Bool) { self.isWanted = isWanted }

  func contains(_ position: Int) -> Bool {
    isEverything || position < positions.count && positions[position]
  }

  mutating func insertAll() { if isWanted { isEverything = true } }

  mutating func insert(_ position: Int) {
    guard isWanted, !isEverything else { return }
    while positions.count <= position { positions.append(false) }
    positions[position] = true
  }

  mutating func insert(upTo count: Int) {
    for position in 0..<count { insert(position) }
  }

  mutating func formUnion(_ other: Evaluated) {
    guard isWanted else { return }
    if other.isEverything { isEverything = true }
    for (position, isEvaluated) in other.positions.enumerated() where isEvaluated {
      insert(position)
    }
  }
}
