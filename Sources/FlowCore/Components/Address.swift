internal import FlowSystem

/// Where in a run something happened: the step's structural path and which time it ran.
///
/// It depends on the scenario's structure alone, never on a running counter, so inserting a step or
/// finishing in another order moves no other address.
public struct Address: Sendable, Hashable {
  /// The ids of the steps from the outside in, joined by `/`: `browse/page`.
  public let path: String
  /// The iteration, from 1, of each loop around the step, outside in; empty outside of loops.
  public let iterations: [Int]

  /// What the component that is called there asked of others, outside in; empty for steps.
  public let calls: [Call]

  /// The address of a step in the given iterations.
  public init(path: String, iterations: [Int] = []) {
    self.init(path: path, iterations: iterations, calls: [])
  }

  private init(path: String, iterations: [Int], calls: [Call]) {
    self.path = path
    self.iterations = iterations
    self.calls = calls
  }

  /// What a component asked of another one, or a task that it started.
  public struct Call: Sendable, Hashable {
    /// `server.post`, the role and its operation; `poll`, the name of a task.
    public let name: String
    /// Which one of those that are equal, from 1; equal calls have equal inputs.
    public let number: Int
    /// Tells calls with other inputs apart; 0 where it is not known, as in what was read.
    package let tag: UInt64

    /// By the numbers: of one caller few calls of other names have the same ones.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(number)
      hasher.combine(tag)
    }

    /// Whether it is a task, and not what it asked.
    package var isLane: Bool { !name.utf8.contains(UInt8(ascii: ".")) }

    /// Whether a task may have a name.
    static func isLane(_ name: String) -> Bool {
      !name.isEmpty && name.utf8.allSatisfy { $0.isWordCharacter || $0 == UInt8(ascii: "-") }
    }
  }

  /// The address of the call in which a task was started; this one where it is no task's.
  package var outsideLane: Address {
    // Of every report, and hardly any comes from a task.
    guard let last = calls.last, last.isLane else { return self }
    let rest = calls.reversed().drop(while: \.isLane).reversed()
    return Address(path: path, iterations: iterations, calls: Array(rest))
  }

  /// The address of something that a component does on its own account while it is called here.
  package func call(_ name: String, number: Int, tag: UInt64 = 0) -> Address {
    var inner: [Call] = []
    inner.reserveCapacity(calls.count + 1)
    inner += calls
    inner.append(Call(name: name, number: number, tag: tag))
    return Address(path: path, iterations: iterations, calls: inner)
  }

  /// What no other call of the run has in common, whatever its input.
  package var key: String { tags.map { "\(self)~\($0)" } ?? "\(self)" }

  /// What tells calls of one description apart, in digits and letters; nil for a step.
  package var tags: String? {
    calls.isEmpty ? nil : calls.map { String($0.tag, radix: 36) }.joined(separator: "~")
  }

  /// Whether this is what asked for another one; without an address made for it.
  package func isCaller(of call: Address) -> Bool {
    call.calls.count == calls.count + 1 && path == call.path && iterations == call.iterations
      && calls.elementsEqual(call.calls.dropLast())
  }

  /// The address of what asked for this; nil for a step.
  package var caller: Address? {
    calls.isEmpty
      ? nil : Address(path: path, iterations: iterations, calls: Array(calls.dropLast()))
  }
}

extension Address: CustomStringConvertible {
  /// Path, occurrence and calls: `spend#1`, `rows/columns/cell#2.5`, `browse/page#3/server.post#2`.
  public var description: String {
    // As most addresses.
    if iterations.isEmpty, calls.isEmpty { return path + "#1" }
    var text = path
    if !calls.isEmpty {
      // One piece of memory, whatever is added.
      text.reserveCapacity(
        calls.reduce(path.utf8.count + 4 + 4 * iterations.count) { $0 + $1.name.utf8.count + 8 })
    }
    text += "#"
    text += String(iterations.first ?? 1)
    for iteration in iterations.dropFirst() {
      text += "."
      text += String(iteration)
    }
    for call in calls {
      text += "/"
      text += call.name
      text += "#"
      text += String(call.number)
    }
    return text
  }
}

extension Address {
  /// Reads what `description` prints; a step outside of loops comes back in iteration 1.
  package init?(_ text: String) {
    let text = text.utf8
    guard let mark = text.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    var parts = text[mark...].dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let numbers = parts.removeFirst().split(separator: UInt8(ascii: "."))
    let iterations = numbers.compactMap { Int(Substring($0)) }
    let calls = parts.compactMap(Call.init)
    guard iterations.count == numbers.count, calls.count == parts.count else { return nil }
    self.init(path: String(Substring(text[..<mark])), iterations: iterations, calls: calls)
  }

  /// Reads what `description` and `tags` print.
  package init?(_ text: String, tags: String) {
    guard let address = Address(text) else { return nil }
    let parts = tags.split(separator: "~", omittingEmptySubsequences: false)
    let known = parts.compactMap { UInt64($0, radix: 36) }
    guard known.count == parts.count, known.count == address.calls.count else { return nil }
    let calls = zip(address.calls, known).map { Call(name: $0.name, number: $0.number, tag: $1) }
    self.init(path: address.path, iterations: address.iterations, calls: calls)
  }

  /// Whether it is the address of a step, or of one inside of that in one of its iterations.
  package func belongs(to step: Address) -> Bool {
    if !step.calls.isEmpty { return isInside(step) }
    guard iterations.starts(with: step.iterations), path.utf8.starts(with: step.path.utf8) else {
      return false
    }
    let rest = path.utf8.dropFirst(step.path.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  /// Whether it is what a component calls, or something that is called meanwhile.
  ///
  /// One that was read has a first iteration for none, and may not tell calls with other inputs apart.
  private func isInside(_ call: Address) -> Bool {
    let isSameStep =
      path.utf8.elementsEqual(call.path.utf8)
      && (iterations.isEmpty ? [1] : iterations)
        == (call.iterations.isEmpty ? [1] : call.iterations)
    return isSameStep && calls.count >= call.calls.count
      && zip(calls, call.calls).allSatisfy { own, other in
        own.name == other.name && own.number == other.number
          && (own.tag == other.tag || own.tag == 0 || other.tag == 0)
      }
  }

  /// Whether it belongs to a `finally`; with a step around it, to one inside of that step.
  package func isInFinally(inside step: Address? = nil) -> Bool {
    // No step and no branch can be called `finally`, so the word in a path is what it says.
    path.utf8.dropFirst(step?.path.utf8.count ?? 0).split(separator: UInt8(ascii: "/"))
      .contains { $0.elementsEqual("finally".utf8) }
  }
}

extension Address.Call {
  fileprivate init?(_ text: Substring.UTF8View) {
    guard let mark = text.lastIndex(of: UInt8(ascii: "#")),
      let number = Int(Substring(text[mark...].dropFirst())), mark > text.startIndex
    else { return nil }
    self.init(name: String(Substring(text[..<mark])), number: number, tag: 0)
  }
}
