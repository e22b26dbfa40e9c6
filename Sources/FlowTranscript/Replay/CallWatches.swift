internal import FlowCore

/// Those who wait until the recorded calls inside of a step have been made, but for those of a `finally`.
struct CallWatches {
  private struct Watch {
    let step: Address
    /// How many calls have not been made; 1 or more.
    var left: Int
    /// Finished when the last one is made.
    let continuation: AsyncStream<Never>.Continuation
  }

  private var watches: [Watch] = []
  /// The steps whose branches are to be cut off.
  private var cutOffs: [Address] = []

  /// Notes that the branches of a step are about to be cut off.
  mutating func cutOff(_ step: Address) { cutOffs.append(step) }

  /// Whether an address is in a branch that is about to be cut off, and in no `finally` there.
  func isCutOff(_ address: Address) -> Bool {
    // As in nearly all runs.
    if cutOffs.isEmpty { return false }
    let text = address.description
    return cutOffs.contains { $0.contains(text) }
  }

  /// Somebody more, who hears at once when nothing is left of the calls at these addresses.
  mutating func add(
    _ step: Address, left: some Sequence<String>, _ continuation: AsyncStream<Never>.Continuation
  ) {
    let count = left.count { step.contains($0) }
    if count == 0 { return continuation.finish() }
    watches.append(Watch(step: step, left: count, continuation: continuation))
  }

  /// Notes that a call was made.
  mutating func note(_ address: Address) {
    // As in nearly all runs.
    if watches.isEmpty { return }
    let text = address.description
    for index in watches.indices where watches[index].step.contains(text) {
      watches[index].left -= 1
      if watches[index].left == 0 { watches[index].continuation.finish() }
    }
    watches.removeAll { $0.left == 0 }
  }
}

extension Address {
  /// Whether a recorded address is of a step inside of this one; of a `finally` there if that counts.
  func contains(_ recorded: String, inFinally: Bool = false) -> Bool {
    let (own, text) = (path.utf8, recorded.utf8)
    guard text.starts(with: own), let mark = text.lastIndex(of: UInt8(ascii: "#")) else {
      return false
    }
    let numbers = text[mark...].dropFirst().split(separator: UInt8(ascii: "."))
    guard numbers.count >= iterations.count,
      zip(numbers, iterations).allSatisfy({ $0.elementsEqual("\($1)".utf8) })
    else { return false }
    let ids = text[..<mark].dropFirst(own.count)
    guard ids.first == UInt8(ascii: "/") else { return false }
    return inFinally
      || !ids.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("finally".utf8) }
  }
}
