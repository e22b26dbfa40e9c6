internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowSystem

/// The calls of a transcript that have not been taken.
struct WaitingCalls: Sendable {
  /// How many equal calls are looked at for one during which another one was made.
  private static let mostEquals = 1_000
  /// How many calls are looked at for one whose input has varied.
  private static let mostVaried = 1_000

  private let calls: CallList
  private var table: AddressTable
  /// The calls of components that have been taken.
  private var taken: Set<Int> = []
  /// What components called, by what did.
  private var tasks: [CallList.Maker: TaskCalls] = [:]
  /// The recorded calls of those of the run during which components may call others.
  private var makers: [Address: Int] = [:]
  /// The calls of a group by what their inputs are; made when one was asked for in other words.
  private var inputs: [InputGroup: ValueIndex] = [:]

  /// Calls with which one is compared.
  private enum InputGroup: Hashable {
    /// Those of components at an address.
    case at(String)
    /// Those of a name that something made.
    case made(by: CallList.Maker, name: String)
  }

  /// All of them.
  init(_ calls: CallList) {
    self.calls = calls
    table = calls.byAddress
  }

  /// Takes the first call at an address of a recording; one that a component makes also has this input, but for what
  /// has varied.
  mutating func take(
    at address: String, _ input: @autoclosure () -> JSON, as type: @autoclosure () -> ValueType?,
    _ varied: inout VariedValues
  ) -> Int? {
    guard CallKey.isOfComponent(address) else {
      return table.takeFirst(at: address, in: calls.lines)
    }
    let (input, type) = (input(), type())
    while let call = table.takeFirst(at: CallKey.text(address, input), in: calls.lines) {
      if taken.insert(call).inserted { return call }
    }
    let all = calls.made(at: address)
    let isLeft = { [taken] in !taken.contains($0) }
    let other =
      like(input, as: type, in: .at(address), of: all, whereLeft: isLeft)
      ?? varying(from: input, as: type, of: all.filter(isLeft), &varied)?.number
    if let other { taken.insert(other) }
    return other
  }

  /// Takes the call that a run makes; the input of one that a component makes may have varied.
  mutating func take(
    _ invocation: Invocation, _ varied: inout VariedValues
  ) -> TaskCalls.Finding? {
    let address = invocation.address
    let finding =
      if let caller = address.caller { take(invocation, caller, &varied) } else {
        table.takeFirst(at: "\(address)", in: calls.lines).map { TaskCalls.Finding(number: $0) }
      }
    // As in nearly no run.
    if calls.hasCallsOfComponents, let finding { makers[address] = finding.number }
    return finding
  }

  /// Takes what a component calls: made by the same call, or by an equal one that came in its place.
  private mutating func take(
    _ invocation: Invocation, _ caller: Address, _ varied: inout VariedValues
  ) -> TaskCalls.Finding? {
    guard let maker = maker(caller) else { return nil }
    let input = invocation.inputJSON
    let question = CallKey.question("\(invocation.address)", input)
    let take = { (tasks: inout TaskCalls) in tasks.take(question, by: invocation.lane) }
    if let finding = tasks(of: maker, take) { return finding }
    for other in equals(of: maker, caller) {
      if let finding = tasks(of: other, take) { return finding }
    }
    let name = invocation.address.calls.last?.name ?? ""
    let known = tasks.removeValue(forKey: maker) ?? TaskCalls(calls.entries(of: maker))
    let all = calls.made(by: maker).lazy.filter { [calls] in calls.address(of: $0).hasCall(name) }
    let type = ValueType.record(invocation.inputType)
    let other = like(
      input, as: type, in: .made(by: maker, name: name), of: all, whereLeft: known.isLeft)
    let next = known.following(invocation.lane)
    let found =
      other.map { (number: $0, isSure: true) }
      ?? varying(
        from: input, as: type, of: all.filter(known.isLeft).beginning(with: next), isNext: next,
        &varied)
    tasks[maker] = known
    guard let found else { return nil }
    var finding = tasks(of: maker) { $0.take(number: found.number, by: invocation.lane) }
    finding?.isUnsure = !found.isSure
    return finding
  }

  /// The first recorded call that asks what a component asks once more, where that is optional.
  mutating func takeAgain(
    _ invocation: Invocation, _ optional: OptionalCalls
  ) -> TaskCalls.Finding? {
    guard let caller = invocation.address.caller, let maker = maker(caller),
      let owner = owner(of: maker), let name = invocation.address.calls.last?.name,
      optional.contains(name, of: owner)
    else { return nil }
    let question = CallKey.question("\(invocation.address)", invocation.inputJSON)
    let finding = tasks(of: maker) { $0.known(question) }
      .map { TaskCalls.Finding(number: $0, isRepeated: true) }
    if let finding { makers[invocation.address] = finding.number }
    return finding
  }

  /// The component that makes the calls of one of its own.
  private func owner(of maker: CallList.Maker) -> String? {
    switch maker {
    case .call(let number): calls[number].name.componentName
    case .task(let address):
      Address(address).flatMap { calls.latest(at: "\($0.outsideLane)") }
        .map { calls[$0].name.componentName }
    }
  }

  private mutating func tasks<Result>(
    of maker: CallList.Maker, _ body: (inout TaskCalls) -> Result
  ) -> Result {
    var known = tasks.removeValue(forKey: maker) ?? TaskCalls(calls.entries(of: maker))
    defer { tasks[maker] = known }
    return body(&known)
  }

  /// What made the recorded calls of a caller in the run; nil when that is not recorded.
  private func maker(_ caller: Address) -> CallList.Maker? {
    guard caller.calls.last?.isLane == true else { return makers[caller].map { .call($0) } }
    return .task("\(caller)")
  }

  /// What made the recorded calls of others that asked what a caller asked.
  private mutating func equals(
    of maker: CallList.Maker, _ caller: Address
  ) -> [CallList.Maker] {
    guard case .call(let number) = maker, let outer = caller.caller.flatMap({ self.maker($0) })
    else { return [] }
    return tasks(of: outer) { $0.equals(of: number) }
      .prefix(Self.mostEquals).filter { $0 != number }.map { .call($0) }
  }

  /// The first of some calls whose input is another one only by what has varied, and whether no other one may be meant.
  ///
  /// A hidden text that comes for the first time may be any of those that are recorded. What the task asked before
  /// tells, and so it is `isNext` for sure.
  private func varying(
    from input: JSON, as type: ValueType?, of left: [Int], isNext next: Int? = nil,
    _ varied: inout VariedValues
  ) -> (number: Int, isSure: Bool)? {
    guard varied.mayExplain(input) else { return nil }
    var found: (number: Int, varied: VariedValues, recorded: JSON)?
    for call in left.prefix(Self.mostVaried) {
      let recorded = calls[call].input.matched(by: .plain(input), as: type).json
      var known = varied
      guard
        known.isSame(recorded, input, ofComponent: true)
          || known.explains(
            FieldChange.between(recorded, input, as: type ?? .dynamic), ofComponent: true)
      else { continue }
      if let found, found.recorded != recorded {
        varied = found.varied
        return (found.number, false)
      }
      if found == nil { found = (call, known, recorded) }
      if call == next { break }
    }
    guard let found else { return nil }
    varied = found.varied
    return (found.number, true)
  }

  /// The first call of a group that is left, and has a matcher that accepts an input, or the same value in other words, as
  /// after a change by hand.
  private mutating func like(
    _ input: JSON, as type: ValueType?, in group: InputGroup,
    of all: some Sequence<Int>, whereLeft isLeft: (Int) -> Bool
  ) -> Int? {
    let index = inputs.removeValue(forKey: group)
    var known = index ?? ValueIndex(as: type)
    if index == nil { for call in all { known.add(call, calls[call].input) } }
    defer { inputs[group] = known }
    let value = type.flatMap { try? Value(input, as: $0) }
    return known.first(like: .plain(input), whereLeft: isLeft) { call in
      let recorded = calls[call].input.matched(by: .plain(input), as: type).json
      if recorded == input { return true }
      guard let value, let type, let other = try? Value(recorded, as: type) else { return false }
      return other.isSame(as: value)
    }
  }
}

extension CallList {
  fileprivate func entries(of maker: Maker) -> [TaskCalls.Entry] {
    made(by: maker).map { number in
      let call = self[number]
      return TaskCalls.Entry(
        number: number, lane: call.lane, question: CallKey.question(call.address, call.input.json))
    }
  }
}

extension String {
  /// Whether an address ends with a call of a name.
  fileprivate func hasCall(_ name: String) -> Bool {
    Address(self)?.calls.last?.name == name
  }
}

extension [Int] {
  /// The same numbers, with one of them in front.
  fileprivate func beginning(with first: Int?) -> [Int] {
    guard let first, contains(first) else { return self }
    return [first] + filter { $0 != first }
  }
}
