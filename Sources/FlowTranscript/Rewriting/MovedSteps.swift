internal import FlowCore
internal import FlowSystem

/// The steps without an id that have another address in a new recording.
///
/// A step inserted before `http.get[2]` makes it `http.get[3]`. The same step is found by its input.
/// Steps with other inputs are found by their order between found ones, if they are equally many, or
/// else by their address.
struct MovedSteps {
  /// A step with calls, and the hash of the first input.
  private struct Step {
    let path: String
    let input: Int
  }

  /// The most steps of one kind in both recordings, because all pairs of them are compared.
  private static let most = 2_000

  /// The new paths of the steps that moved, by their old ones.
  private(set) var paths: [String: String] = [:]
  /// The old paths of steps that are gone, and which belong to other steps now.
  private(set) var lost: Set<String> = []

  init(from old: CallList, to new: CallList) {
    let (old, new) = (Self.steps(of: old), Self.steps(of: new))
    for (kind, steps) in old {
      guard let others = new[kind], steps.map(\.path) != others.map(\.path),
        steps.count + others.count <= Self.most
      else { continue }
      add(steps, others)
    }
  }

  /// The steps in the order of their first calls, by their paths without numbers.
  private static func steps(of calls: CallList) -> [String: [Step]] {
    var (steps, seen) = ([String: [Step]](), Set<String>())
    for number in calls.indices where !calls.isOfComponent(number) {
      let path = calls.address(of: number).path
      guard seen.insert(path).inserted else { continue }
      let input = calls[number].input.json.text.hashValue
      steps[path.withoutNumbers, default: []].append(Step(path: path, input: input))
    }
    return steps
  }

  private mutating func add(_ old: [Step], _ new: [Step]) {
    var pairs: [(Int, Int)] = []
    var (start, other) = (0, 0)
    for (index, otherIndex) in Self.equal(old, new) + [(old.count, new.count)] {
      pairs += Self.between(old[start..<index], new[other..<otherIndex])
      if index < old.count { pairs.append((index, otherIndex)) }
      (start, other) = (index + 1, otherIndex + 1)
    }
    let found = Set(pairs.map(\.0))
    for (index, otherIndex) in pairs where old[index].path != new[otherIndex].path {
      paths[old[index].path] = new[otherIndex].path
    }
    let taken = Set(new.map(\.path))
    for index in old.indices where !found.contains(index) && taken.contains(old[index].path) {
      lost.insert(old[index].path)
    }
  }

  /// The pairs of steps between two found ones.
  private static func between(
    _ old: ArraySlice<Step>, _ new: ArraySlice<Step>
  ) -> [(Int, Int)] {
    if old.count == new.count { return Array(zip(old.indices, new.indices)) }
    return old.indices.compactMap { index in
      new.firstIndex { $0.path == old[index].path }.map { (index, $0) }
    }
  }

  /// The longest common subsequence of steps with equal inputs.
  private static func equal(_ old: [Step], _ new: [Step]) -> [(Int, Int)] {
    var lengths = Array(repeating: Array(repeating: 0, count: new.count + 1), count: old.count + 1)
    for i in old.indices.reversed() {
      for j in new.indices.reversed() {
        lengths[i][j] =
          old[i].input == new[j].input
          ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
    var (pairs, i, j) = ([(Int, Int)](), 0, 0)
    while i < old.count, j < new.count {
      if old[i].input == new[j].input {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if lengths[i + 1][j] >= lengths[i][j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}

extension Transcript {
  /// Returns the transcript with the addresses of its steps in a new recording of the scenario, so
  /// that answers and patterns stay with their steps.
  ///
  /// It is the same transcript if no step moved.
  package func following(_ new: Transcript) -> Transcript {
    if new.header.digest == header.digest { return self }
    let moved = MovedSteps(from: calls, to: new.calls)
    if moved.paths.isEmpty, moved.lost.isEmpty { return self }
    let lines = lines.compactMap(moved.line)
    // Two steps with one address could not be told apart.
    return moved.isUnique(lines) ? with(lines) : self
  }
}

extension MovedSteps {
  /// Returns a line with its new address, or nil for one of a lost step.
  fileprivate func line(_ line: TranscriptLine) -> TranscriptLine? {
    let path = String(line.at.prefix { $0 != "#" })
    if lost.contains(path) { return nil }
    guard let other = paths[path] else { return line }
    var moved = line
    moved.at = other + line.at.dropFirst(path.count)
    return moved
  }

  /// Returns true if each call of the lines has its answer before the next one at its address.
  fileprivate func isUnique(_ lines: [TranscriptLine]) -> Bool {
    var open: Set<String> = []
    for line in lines {
      switch line.kind {
      case .invoke: guard open.insert(line.at).inserted else { return false }
      case .answer, .error, .cancelled: guard open.remove(line.at) != nil else { return false }
      case .emit, .timer, .timerCancelled, .retry, .version, .end: continue
      }
    }
    return true
  }
}

extension String {
  /// The path without the numbers that distinguish steps of one kind: `for[2]/http.get[3]` is
  /// `for/http.get`.
  fileprivate var withoutNumbers: String {
    guard utf8.contains(UInt8(ascii: "[")) else { return self }
    return split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.prefix { $0 != "[" } }.joined(separator: "/")
  }
}
