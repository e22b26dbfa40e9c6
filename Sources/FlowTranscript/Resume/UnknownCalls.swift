package import FlowCore
internal import FlowExpression
package import FlowPlan
package import FlowRedaction
internal import FlowSystem

/// The calls of a journal that started outside, have no answer and may not be repeated, with an
/// unknown outcome.
///
/// A resumed run reaches them and stops. Until then it may do nothing else outside, so that the
/// journal remains true. All of them are reported at once.
struct UnknownCalls {
  /// The addresses of the calls, in the journal's order.
  let addresses: [String]
  /// The form of an answer to the first of them.
  let firstForm: JSON

  /// Finds the calls that are certain to be unknown.
  ///
  /// The run discovers others when it reaches them.
  init(of calls: CallList, in plan: Plan) {
    let found = calls.indices.lazy.filter { !calls.isAnswered($0) }.map { calls[$0] }.filter {
      call in
      guard let component = Self.component(call.component, in: plan) else { return false }
      return Self.isReached(call, in: calls)
        && Self.state(of: component, in: calls) == .external && Self.isUnsafe(call, of: component)
    }
    addresses = found.map { "\($0.address)" }
    firstForm =
      found.first.flatMap { call in
        AnswerTypes(calls, plan).type(of: call).map { type in
          GivenAnswer(to: call.address, type, in: plan).template
        }
      } ?? .object([])
  }

  /// Returns the scenario's own component of a name, or nil if an included scenario has one of that
  /// name, too.
  private static func component(_ name: String, in plan: Plan) -> PlannedComponent? {
    guard plan.allComponents.count(where: { $0.name == name }) == 1 else { return nil }
    return plan.components.first { $0.name == name }
  }

  /// Returns true if the resumed run reaches a call.
  ///
  /// It skips a call that a component made if its caller has answered.
  private static func isReached(_ call: Transcript.Call, in calls: CallList) -> Bool {
    if call.address.calls.isEmpty { return true }
    let step = Address(path: call.address.path, iterations: call.address.iterations)
    return calls.latest(at: step).map { !calls.isAnswered($0) } ?? false
  }

  /// Returns the place of the state of a call's component, or nil if it is not certain.
  static func state(
    of call: Transcript.Call, in calls: CallList, _ plan: Plan
  ) -> ComponentState? {
    component(call.component, in: plan).flatMap { state(of: $0, in: calls) }
  }

  /// Returns the place of a component's state, by the settings of its opening.
  private static func state(of component: PlannedComponent, in calls: CallList) -> ComponentState? {
    guard let opening = calls.latest(at: Address(path: "components/\(component.name)")),
      let settings = try? Value(
        calls[opening].input.json, as: .record(component.settingsType))
    else { return nil }
    return try? component.plugin.state(settings)
  }

  private static func isUnsafe(_ call: Transcript.Call, of component: PlannedComponent) -> Bool {
    let name = call.name.dropFirst(component.name.count + 1)
    guard let operation = component.plugin.operations.first(where: { $0.name == name }),
      let input = try? Value(call.input.json, as: .record(operation.input))
    else { return false }
    return !operation.isSafeToRepeat(input)
  }
}

extension Journal {
  /// The addresses of the calls at which a resumed run stops (F3202), in the journal's order.
  package func unknownCalls(in plan: Plan) -> [String] {
    UnknownCalls(of: calls, in: plan).addresses
  }
}

/// A call that a person found to be done, and its answer.
package struct DoneCall: Sendable {
  /// The address as it is printed.
  package let address: String
  /// The answer, an object in JSON.
  package let answer: JSON

  /// Creates a call.
  package init(_ address: String, answer: JSON) {
    (self.address, self.answer) = (address, answer)
  }
}

/// A reason that a call of a journal cannot be recorded as done.
package enum DoneCallError: Error, Sendable {
  /// No call at the address waits for its answer.
  case unknown(waiting: [String])
  /// The call has its answer.
  case answered
  /// Several calls of components have this address.
  case ambiguous
  /// The type of the answer is not known.
  case untyped
  /// The component keeps its state in memory, so its calls are made again.
  case inMemory(component: String)
  /// A component makes the call again with the step around it.
  case inside(step: String)
  /// The call did not fail and is made again, as in a `finally`.
  case madeAgain
  /// The answer lacks these fields, which an answer of this form has.
  case lacking([RecordType.Field], form: JSON)
  /// The answer does not fit its type.
  case misfit(DecodeError, form: JSON)
}

/// Writes the lines of calls that a person found to be done.
///
/// Such a call has no answer yet, or its step failed and would run again when a failed run goes on.
/// The latter is written again before its answer.
package struct DoneCallLines {
  private let calls: CallList
  /// The calls with those of the failed steps.
  private let all: CallList
  private let failures: FailedSteps
  private let plan: Plan
  private let redactor: Redactor

  /// Creates the writer for a journal.
  ///
  /// - Parameters:
  ///   - journal: The journal, without the failed steps of a run that goes on.
  ///   - failed: The journal with them, and the failures.
  ///   - plan: The scenario.
  ///   - redactor: Hides the secrets of an answer.
  package init(
    _ journal: Journal, continuing failed: (journal: Journal, failures: FailedSteps)?,
    of plan: Plan, hidingSecretsBy redactor: Redactor
  ) {
    (calls, all) = (journal.calls, failed?.journal.calls ?? journal.calls)
    failures = failed?.failures ?? FailedSteps()
    (self.plan, self.redactor) = (plan, redactor)
  }

  /// Returns the lines of a call.
  ///
  /// - Throws: `DoneCallError`.
  package func lines(for done: DoneCall) throws(DoneCallError) -> [[UInt8]] {
    let numbers = calls.numbers(at: done.address)
    guard numbers.isEmpty else {
      let open = numbers.filter { !calls.isAnswered($0) }
      guard let number = open.first else { throw .answered }
      if open.count > 1 { throw .ambiguous }
      return [try answer(to: calls[number], as: done)]
    }
    // The last attempt.
    guard let number = all.numbers(at: done.address).last else { throw .unknown(waiting: waiting) }
    let call = all[number]
    try check(call)
    return [all.invocation(number), try answer(to: call, as: done)]
  }

  /// Refuses a call that is made again in any case.
  private func check(_ call: Transcript.Call) throws(DoneCallError) {
    let step = call.address.step
    if !call.address.calls.isEmpty { throw .inside(step: "\(step)") }
    // Its answer would come before those of the steps before it.
    guard failures.entries.contains(where: { $0.isOwn && $0.address.step == step }),
      !failures.finallyBlocks.contains(where: step.belongs(to:))
    else { throw .madeAgain }
    if UnknownCalls.state(of: call, in: all, plan) == .memory {
      throw .inMemory(component: call.component)
    }
  }

  /// The addresses of the calls that may be done.
  private var waiting: [String] {
    let open = calls.indices.filter { !calls.isAnswered($0) }.map { calls[$0] }
    let kept = Set(calls.indices.map { calls.lines.text(of: $0) })
    let failed = all.indices.map { all[$0] }.filter { call in
      guard !kept.contains("\(call.address)") else { return false }
      do throws(DoneCallError) { try check(call) } catch { return false }
      return true
    }
    return (open + failed).filter { $0.name.contains(".") }.map { "\($0.address)" }
  }

  /// Returns the line of an answer from a person.
  private func answer(
    to call: Transcript.Call, as done: DoneCall
  ) throws(DoneCallError) -> [UInt8] {
    guard let type = AnswerTypes(all, plan).type(of: call) else { throw .untyped }
    let value = try GivenAnswer(to: call.address, type, in: plan).value(done.answer)
    // A secret that is too short is hidden in its field only.
    try? redactor.hideSecrets(in: value, of: call.component)
    let written = JSON(redactor.redacted(value), as: .record(type))
    let tags = call.address.tags.map { [JSON.Member("call", .string($0))] } ?? []
    return JSON.object(
      [
        .init("at", .string(done.address)), .init("ok", written), .init("by", .string("person")),
      ] + tags
    ).asLine
  }
}

extension CallList {
  /// The numbers of the calls at the string of an address.
  fileprivate func numbers(at address: String) -> [Int] {
    indices.filter { lines.text(of: $0) == address }
  }

  /// The line of a call, without its checksum.
  fileprivate func invocation(_ call: Int) -> [UInt8] {
    let line = lines.all[beginning(of: call)]
    guard case .object(let members) = line.json, let tags = address(of: call).tags else {
      return line.json.asLine
    }
    return JSON.object(members + [.init("call", .string(tags))]).asLine
  }
}

extension JSON {
  /// The bytes of the value as a line.
  fileprivate var asLine: [UInt8] {
    var writer = JSONWriter(longestLine: LineCursor.longest)
    writer.value(self)
    writer.endLine()
    return writer.bytes
  }
}

/// The declared types of the answers to a journal's calls.
struct AnswerTypes {
  private let calls: CallList
  private let plan: Plan

  init(_ calls: CallList, _ plan: Plan) { (self.calls, self.plan) = (calls, plan) }

  /// The type of a call's answer, or nil if it is no call of an operation in the scenario.
  func type(of call: Transcript.Call) -> RecordType? {
    let place = call.address
    guard let inner = place.calls.last else {
      var finder = StepFinder(plan)
      return finder.place(at: place.path)?.output
    }
    guard let caller = caller(of: place) else { return nil }
    for component in plan.allComponents where component.name == caller {
      for role in component.roles {
        let operation = inner.name.dropFirst(role.name.count + 1)
        if inner.name.hasPrefix(role.name + "."), let call = role.calls[String(operation)] {
          return call.outputType
        }
      }
    }
    return nil
  }

  /// The name of the component that made a call, outside of its tasks.
  private func caller(of place: Address) -> String? {
    place.caller.flatMap { calls.latest(at: $0.outsideLane) }.map { calls[$0].component }
  }
}

/// The answer of a person to a call: its fields that must be given, and neutral values for others.
///
/// A field needs no value if no comparison looks at it and the scenario does not read it: it is
/// volatile, or compared only where it is read.
struct GivenAnswer {
  private let type: RecordType
  /// The parts that the scenario reads, or nil if a component reads the answer.
  private let parts: [FieldPath]?

  /// Describes the answer to a call of a step, or of a component.
  init(to address: Address, _ type: RecordType, in plan: Plan) {
    self.type = type
    parts = address.calls.isEmpty ? ReadParts(plan).parts(at: address.path).map(\.path) : nil
  }

  /// The fields without which an answer is refused.
  var required: [RecordType.Field] {
    type.fields.filter { $0.type.neutralValue != .null && neutralValue(of: $0) == nil }
  }

  /// Reads an answer with neutral values in place of fields that need none.
  ///
  /// - Throws: `DoneCallError` if it lacks fields, or does not fit its type.
  func value(_ answer: JSON) throws(DoneCallError) -> Value {
    guard case .object(let given) = answer else { throw .lacking(required, form: template) }
    let missing = required.filter { answer[$0.name] == nil }
    if !missing.isEmpty { throw .lacking(missing, form: template) }
    let rest = type.fields.compactMap { field -> JSON.Member? in
      guard answer[field.name] == nil, let value = neutralValue(of: field) else { return nil }
      return JSON.Member(field.name, JSON(value, as: field.type))
    }
    do throws(DecodeError) { return try Value(.object(given + rest), as: .record(type)) } catch {
      throw .misfit(error, form: template)
    }
  }

  /// An answer with every field that must be given or is read, to be filled in.
  var template: JSON {
    let fields = required.map(\.name)
    return .object(
      type.fields.filter { field in
        // Null is right for most optional fields.
        if case .optional = field.type { return isNamed(field) }
        return fields.contains(field.name) || isRead(field)
      }.map { field in
        JSON.Member(field.name, JSON(field.plausible.first ?? field.type.example, as: field.type))
      })
  }

  /// The value of a field that need not be given, or nil.
  private func neutralValue(of field: RecordType.Field) -> Value? {
    guard field.isVolatile || field.comparison != .always, !isRead(field) else { return nil }
    return field.type.neutralValue
  }

  private func isRead(_ field: RecordType.Field) -> Bool {
    guard let parts, !isNamed(field) else { return true }
    // Of the whole answer, or in a field that is computed from others.
    return parts.contains { part in
      guard case .field(let name)? = part.steps.first else { return true }
      return type.index(of: name) == nil
    }
  }

  /// Returns true if the scenario reads the field itself, or a part of it.
  private func isNamed(_ field: RecordType.Field) -> Bool {
    parts?.contains { $0.steps.first == .field(field.name) } ?? false
  }
}

extension ValueType {
  /// A value of the type, to be replaced by the true one.
  fileprivate var example: Value {
    switch self {
    case .record(let type):
      .record(RecordValue(type, type.fields.map { $0.plausible.first ?? $0.type.example }))
    case .enumeration(let names): .string(names.first ?? "")
    default: neutralValue ?? .null
    }
  }

  /// The value that says least, or nil if none does.
  fileprivate var neutralValue: Value? {
    switch self {
    case .bool: .bool(false)
    case .int: .int(0)
    case .uint: .uint(0)
    case .double: .double(0)
    case .decimal: .decimal(Decimal(0))
    case .string: .string("")
    case .bytes: .bytes(Bytes([]))
    case .timestamp: .timestamp(.epoch)
    case .duration: .duration(.zero)
    case .list: .list([])
    case .map: .map(ValueMap())
    case .optional, .dynamic: .null
    case .enumeration, .record: nil
    }
  }
}
