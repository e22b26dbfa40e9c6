internal import FlowSystem

/// The place of an event in a run: a step's structural path and the iterations of the loops around
/// it.
///
/// It depends only on the scenario's structure, never on a running counter, so inserting a step or
/// finishing in another order changes no other address.
public struct Address: Sendable, Hashable {
  /// The ids of the steps from the outside in, joined by `/`: `browse/page`.
  public let path: String
  /// The iteration, from 1, of each loop around the step, outside in.
  ///
  /// Empty outside loops.
  public let iterations: [Int]

  /// The calls that the component at this step made of others, outside in.
  ///
  /// Empty for steps.
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

  /// A call made by a component in another one, or a task started by it.
  public struct Call: Sendable, Hashable {
    /// The role and its operation, such as `server.post`, or the name of a task, such as `poll`.
    public let name: String
    /// The number among equal calls, from 1.
    ///
    /// Equal calls have equal inputs.
    public let number: Int
    /// A number that differs between calls with different inputs, or 0 if unknown, as in a string.
    package let tag: UInt64

    /// By the numbers: of one caller few calls of other names have the same ones.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(number)
      hasher.combine(tag)
    }

    /// True for a task, false for a call.
    package var isLane: Bool { !name.utf8.contains(UInt8(ascii: ".")) }

    /// True for a scope of requests from outside: a test of a program, or a conversation.
    package var isScope: Bool { isTest || isConversation }

    /// True for the scope of one test of a program.
    package var isTest: Bool { name.utf8.first == UInt8(ascii: "@") }

    /// True for the scope of a conversation with a program, such as a WebSocket.
    package var isConversation: Bool { name.utf8.first == UInt8(ascii: "+") }

    /// Returns true if a task may have this name.
    static func isLane(_ name: String) -> Bool {
      !name.isEmpty && name.utf8.allSatisfy { $0.isWordCharacter || $0 == UInt8(ascii: "-") }
    }
  }

  /// The address of the call that started the task, or this one outside tasks.
  package var outsideLane: Address {
    // Of every report, and hardly any comes from a task.
    guard let last = calls.last, last.isLane else { return self }
    let rest = calls.reversed().drop(while: \.isLane).reversed()
    return Address(path: path, iterations: iterations, calls: Array(rest))
  }

  /// The scope of the caller, or nil outside of scopes.
  package var scope: Address? { caller.flatMap { $0.calls.last?.isScope == true ? $0 : nil } }

  /// The conversation with a program that a call belongs to, or nil for another call.
  package var conversation: Address? {
    calls.dropLast().last?.isConversation == true ? caller : nil
  }

  /// The place in the scenario, in whichever iteration, attempt or task: `browse/page`, and
  /// `spend/server.post` for a call that a component makes.
  package var place: String {
    let calls = outsideLane.calls
    return calls.isEmpty ? path : ([path] + calls.map(\.name)).joined(separator: "/")
  }

  /// The address of something that a component does on its own account while it is called here.
  package func call(_ name: String, number: Int, tag: UInt64 = 0) -> Address {
    var inner: [Call] = []
    inner.reserveCapacity(calls.count + 1)
    inner += calls
    inner.append(Call(name: name, number: number, tag: tag))
    return Address(path: path, iterations: iterations, calls: inner)
  }

  /// The address as a line of a journal has it: with a first iteration outside of loops.
  package var recorded: Address {
    iterations.isEmpty ? Address(path: path, iterations: [1], calls: calls) : self
  }

  /// The address of the same event in a step of another path.
  package func at(_ path: String) -> Address {
    Address(path: path, iterations: iterations, calls: calls)
  }

  /// The address as a line of a transcript has it, where no tags tell inputs apart.
  package var untagged: Address {
    let calls = calls.map { Call(name: $0.name, number: $0.number, tag: 0) }
    return Address(path: path, iterations: iterations.isEmpty ? [1] : iterations, calls: calls)
  }

  /// A string different from that of every other call of the run, including its inputs.
  package var key: String { tags.map { "\(self)~\($0)" } ?? "\(self)" }

  /// The tags of the calls in digits and letters, which tell equal descriptions apart, or nil for a
  /// step.
  package var tags: String? {
    calls.isEmpty ? nil : calls.map { String($0.tag, radix: 36) }.joined(separator: "~")
  }

  /// Returns true if this is the caller of another address.
  ///
  /// Creates no address for it.
  package func isCaller(of call: Address) -> Bool {
    call.calls.count == calls.count + 1 && path == call.path && iterations == call.iterations
      && calls.elementsEqual(call.calls.dropLast())
  }

  /// The address of the caller, or nil for a step.
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
  /// Reads the string of `description`.
  ///
  /// A step outside loops is read as iteration 1.
  package init?(_ text: String) {
    let text = text.utf8
    guard let mark = text.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let rest = text[text.index(after: mark)...]
    let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    guard let iterations = Self.iterations(rest[..<end]), let calls = Self.calls(rest[end...])
    else { return nil }
    self.init(path: String(Substring(text[..<mark])), iterations: iterations, calls: calls)
  }

  /// Reads numbers with points between them.
  ///
  /// One by one, because a list of their texts would take longer than everything else.
  private static func iterations(_ text: Substring.UTF8View) -> [Int]? {
    var (iterations, rest) = ([Int](), text)
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.endIndex
      if end > rest.startIndex {
        guard let number = Int(Substring(rest[..<end])) else { return nil }
        iterations.append(number)
      }
      rest = rest[end...].dropFirst()
    }
    return iterations
  }

  /// Reads calls with a `/` before each of them.
  private static func calls(_ text: Substring.UTF8View) -> [Call]? {
    // As in most addresses.
    if text.isEmpty { return [] }
    let parts = text.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let calls = parts.compactMap(Call.init)
    return calls.count == parts.count ? calls : nil
  }

  /// Reads the texts of `description` and `tags`.
  package init?(_ text: String, tags: String) {
    guard let address = Address(text) else { return nil }
    let parts = tags.split(separator: "~", omittingEmptySubsequences: false)
    let known = parts.compactMap { UInt64($0, radix: 36) }
    guard known.count == parts.count, known.count == address.calls.count else { return nil }
    let calls = zip(address.calls, known).map { Call(name: $0.name, number: $0.number, tag: $1) }
    self.init(path: address.path, iterations: address.iterations, calls: calls)
  }

  /// Returns true for the address of a step, or of one inside it in one of its iterations.
  package func belongs(to step: Address) -> Bool {
    if !step.calls.isEmpty { return isInside(step) }
    guard iterations.starts(with: step.iterations), path.utf8.starts(with: step.path.utf8) else {
      return false
    }
    let rest = path.utf8.dropFirst(step.path.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  /// Returns true for a call of a component, or a call made during it.
  ///
  /// An address read from a text may have a first iteration outside loops, and no tags.
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

  /// Returns true inside a `finally`.
  ///
  /// With a step, only inside a `finally` of that step.
  package func isInFinally(inside step: Address? = nil) -> Bool {
    // No step and no branch can be called `finally`, so the word in a path is unambiguous.
    path.utf8.dropFirst(step?.path.utf8.count ?? 0).split(separator: UInt8(ascii: "/"))
      .contains { $0.elementsEqual("finally".utf8) }
  }
}

extension Address {
  /// The `finally` that contains the step, or nil.
  package var innermostFinally: Address? {
    // As nearly all steps.
    guard path.utf8.contains(UInt8(ascii: "/")) else { return nil }
    let parts = path.split(separator: "/")
    guard parts.dropLast().last == "finally" else { return nil }
    return Address(path: parts.dropLast().joined(separator: "/"), iterations: iterations)
  }

  /// Returns true for the `finally` of a step.
  package func isFinally(of step: Address) -> Bool {
    iterations == step.iterations && path == step.path + "/finally"
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
