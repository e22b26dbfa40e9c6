internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowSystem

/// Finds the recorded calls that a run makes again, each once.
///
/// A step's call is found by its address, and a component's by its caller, its question and the
/// earlier questions of its task. A resumed run, which must make every call of a component exactly
/// as recorded, numbers them before they are made.
struct CallFinder: Sendable {
  /// The most equal calls to search for the maker of another call.
  private static let mostEquals = 1_000
  /// The most calls searched for one with a varied input.
  private static let mostVaried = 1_000

  private let calls: CallList
  private var table: AddressTable
  /// The taken calls of components.
  private var taken: Set<Int> = []
  /// The calls of components, by their makers.
  private var tasks: [CallList.Maker: TaskOrder] = [:]
  /// The recorded calls that may have made others, by the run's calls.
  private var makers: [Address: Int] = [:]
  /// The calls of a group by their inputs, created for the first input in other words.
  private var inputs: [InputGroup: ValueIndex] = [:]
  private lazy var addresses = calls.indices.map { calls.address(of: $0) }
  /// The calls inside of a step in its iterations, by the path of the step.
  private var insides: [String: [[Int]: [Int]]] = [:]

  /// A group of calls compared with one call.
  private enum InputGroup: Hashable {
    /// The calls of components at an address.
    case at(Address)
    /// The calls with a name by one maker.
    case made(by: CallList.Maker, name: String)
  }

  /// Creates the list of all calls.
  init(_ calls: CallList) {
    self.calls = calls
    table = calls.table
  }

  /// Takes the first call at an address of a recording.
  ///
  /// A component's call must also have this input, except for varied values.
  mutating func take(
    at address: Address, _ input: @autoclosure () -> JSON, as type: @autoclosure () -> ValueType?,
    _ varied: inout VariedValues
  ) -> Int? {
    if address.calls.isEmpty { return table.takeFirst(at: "\(address)", in: calls.lines) }
    let (input, type) = (input(), type())
    let key = CallLines.key("\(address)", input)
    while let call = table.takeFirst(at: key, in: calls.lines) {
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

  /// Takes the call that a run makes.
  ///
  /// The input of a component's call may have varied.
  mutating func take(
    _ invocation: Invocation, _ varied: inout VariedValues
  ) -> TaskOrder.Finding? {
    let address = invocation.address
    let finding =
      if let caller = address.caller { take(invocation, caller, &varied) } else {
        table.takeFirst(at: "\(address)", in: calls.lines).map { TaskOrder.Finding(number: $0) }
      }
    // As in nearly no run.
    if calls.hasCallsOfComponents, let finding { makers[address] = finding.number }
    return finding
  }

  /// Takes a call of a component, made by the same call, or by an equal one in its place.
  private mutating func take(
    _ invocation: Invocation, _ caller: Address, _ varied: inout VariedValues
  ) -> TaskOrder.Finding? {
    guard let maker = maker(caller) else { return nil }
    let input = invocation.inputJSON
    let question = invocation.address.question(invocation.questionJSON)
    if invocation.isFromOutside || invocation.variesInput,
      let finding = best(question, of: maker, invocation, varied.same)
    {
      return finding
    }
    let take = { (tasks: inout TaskOrder) in tasks.take(question, by: invocation.lane) }
    if let finding = tasks(of: maker, take) { return finding }
    for other in equals(of: maker, caller) {
      if let finding = tasks(of: other, take) { return finding }
    }
    let name = invocation.address.calls.last?.name ?? ""
    let known = tasks.removeValue(forKey: maker) ?? TaskOrder(calls.entries(of: maker))
    let all = calls.made(by: maker).lazy.filter { [calls] in
      calls.address(of: $0).calls.last?.name == name
    }
    let type = ValueType.record(invocation.inputType)
    let other = like(
      input, as: type, in: .made(by: maker, name: name), of: all, whereLeft: known.isLeft)
    let next = known.following(invocation.lane)
    let found =
      other.map { (number: $0, isSure: true) }
      ?? varying(
        from: input, as: type, of: all.filter(known.isLeft).beginning(with: next), isNext: next,
        isOrdered: invocation.isFromOutside && invocation.keepsOrder, &varied)
    tasks[maker] = known
    guard let found else { return nil }
    var finding = tasks(of: maker) { $0.take(number: found.number, by: invocation.lane) }
    finding?.isUnsure = !found.isSure
    return finding
  }

  /// Takes the best of equal calls: one of the same step whose varying values correspond, otherwise
  /// one with corresponding values, otherwise one of the same step.
  private mutating func best(
    _ question: Int, of maker: CallList.Maker, _ invocation: Invocation, _ same: SameValues
  ) -> TaskOrder.Finding? {
    let input = invocation.variesInput ? invocation.inputJSON : .null
    let isSameStep = { [calls] (number: Int) in
      calls[number].marks.arrival?.step == invocation.step?.recorded
    }
    let corresponds = { [calls] (number: Int) in same.accepts(calls[number].input, input) }
    return tasks(of: maker) { tasks in
      let found =
        tasks.first(question) { isSameStep($0) && corresponds($0) }
        ?? tasks.first(question, where: corresponds) ?? tasks.first(question, where: isSameStep)
      return found.flatMap { tasks.take(number: $0, by: invocation.lane) }
    }
  }

  /// The first recorded call with the input of an optional call that a component repeats.
  mutating func takeAgain(
    _ invocation: Invocation, _ optional: OptionalCalls
  ) -> TaskOrder.Finding? {
    guard let caller = invocation.address.caller, let maker = maker(caller),
      let owner = owner(of: maker), let name = invocation.address.calls.last?.name,
      optional.contains(name, of: owner)
    else { return nil }
    let question = invocation.address.question(invocation.questionJSON)
    let finding = tasks(of: maker) { $0.known(question) }
      .map { TaskOrder.Finding(number: $0, isRepeated: true) }
    if let finding { makers[invocation.address] = finding.number }
    return finding
  }

  /// The component of a maker's calls.
  private func owner(of maker: CallList.Maker) -> String? {
    switch maker {
    case .call(let number): calls[number].component
    case .task(let address): calls.latest(at: address.outsideLane).map { calls[$0].component }
    }
  }

  private mutating func tasks<Result>(
    of maker: CallList.Maker, _ body: (inout TaskOrder) -> Result
  ) -> Result {
    var known = tasks.removeValue(forKey: maker) ?? TaskOrder(calls.entries(of: maker))
    defer { tasks[maker] = known }
    return body(&known)
  }

  /// The maker of the recorded calls of a caller in the run, or nil if it is not recorded.
  private func maker(_ caller: Address) -> CallList.Maker? {
    guard caller.calls.last?.isLane == true else { return makers[caller].map { .call($0) } }
    return .task(caller.untagged)
  }

  /// The makers of recorded calls with the caller's input.
  private mutating func equals(
    of maker: CallList.Maker, _ caller: Address
  ) -> [CallList.Maker] {
    guard case .call(let number) = maker, let outer = caller.caller.flatMap({ self.maker($0) })
    else { return [] }
    return tasks(of: outer) { $0.equals(of: number) }
      .prefix(Self.mostEquals).filter { $0 != number }.map { .call($0) }
  }

  /// The first call whose input differs only in varied values, and true if no other one is
  /// possible.
  ///
  /// A new hidden text may be any of the recorded ones. The earlier calls of the task identify the
  /// next one, `isNext`, for certain, and so does the order of requests from outside, `isOrdered`: of
  /// those that followed each other the first one that is left comes next.
  private func varying(
    from input: JSON, as type: ValueType?, of left: [Int], isNext next: Int? = nil,
    isOrdered: Bool = false, _ varied: inout VariedValues
  ) -> (number: Int, isSure: Bool)? {
    guard varied.mayExplain(input) else { return nil }
    var found: (number: Int, varied: VariedValues, recorded: JSON)?
    for call in left.prefix(Self.mostVaried) {
      if isOrdered, let found, calls.follows(call, found.number) { break }
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

  /// The first remaining call of a group with a matcher for an input, or with the same value in
  /// other words.
  ///
  /// Other words come from changes by hand.
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

  /// The numbers of the calls inside of a step, in their recorded order.
  mutating func inside(_ step: Address) -> [Int] {
    // Once for all iterations, because a loop may ask for every one.
    if insides[step.path] == nil {
      let (addresses, path) = (addresses, Address(path: step.path))
      let inside = calls.indices.filter { addresses[$0].belongs(to: path) }
      insides[step.path] = Dictionary(grouping: inside) { call in
        Array(addresses[call].iterations.prefix(step.iterations.count))
      }
    }
    return insides[step.path]?[step.iterations] ?? []
  }
}

extension CallList {
  /// Returns true if a request from outside came only after another one had its answer.
  fileprivate func follows(_ later: Int, _ earlier: Int) -> Bool {
    guard let first = self[earlier].marks.arrival, let second = self[later].marks.arrival,
      first.isOfStep, second.isOfStep
    else { return false }
    return first.step != second.step || first.turn < second.turn
  }

  fileprivate func entries(of maker: Maker) -> [TaskOrder.Entry] {
    made(by: maker).map { number in
      let call = self[number]
      return TaskOrder.Entry(
        number: number, lane: call.lane, question: call.address.question(call.input.question))
    }
  }
}

extension Address {
  /// The hash of a component's call without its number among equal ones.
  fileprivate func question(_ input: JSON) -> Int {
    var hasher = Hasher()
    hasher.combine(calls.last?.name)
    hasher.combine(input.text)
    return hasher.finalize()
  }
}

extension [Int] {
  /// Returns the same numbers, with one of them moved to the front.
  fileprivate func beginning(with first: Int?) -> [Int] {
    guard let first, contains(first) else { return self }
    return [first] + filter { $0 != first }
  }
}
