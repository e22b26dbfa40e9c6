internal import FlowCore
internal import FlowEngine
internal import FlowPlan
private import Synchronization

/// A sink that notes the events of a run, to tell its story.
final class RunWatch: EventSink {
  /// The message of an injected error.
  static let injectedMessage = "the error is injected by the schedule"

  /// A call, and the failures that its operation declares.
  struct Call: Sendable {
    /// The key of its address.
    let address: String
    let name: String
    /// The errors to try if there are no typical failures.
    let errors: [String]
    /// The names of the typical failures with such an input.
    var faults: [String]
  }

  fileprivate struct Entry {
    let moment: Int
    let line: Story.Line
  }

  /// The work of a task at some moment.
  fileprivate struct Subject {
    let moment: Int
    let component: String
    let text: String
  }

  fileprivate struct State {
    var calls: [Call] = []
    /// The names of the typical failures that change nothing, by the keys of the calls' addresses.
    var needless: [String: Set<String>] = [:]
    var deliveries: [String] = []
    var entries: [Entry] = []
    var subjects: [UInt64: [Subject]] = [:]
    /// The component of each call, by the call's address.
    var components: [Address: String] = [:]
  }

  /// The description of a waiting task without a call.
  fileprivate static let newTask = "a task that has not made a call yet"
  /// The description of work that left the thread and belongs to no call.
  static let noCall = "work that belongs to no call"

  private let steering: Steering
  private let state = Mutex(State())

  init(_ steering: Steering) {
    self.steering = steering
  }

  /// The calls of operations, in their order, with the failures that change something.
  var calls: [Call] {
    state.withLock { state in
      state.calls.map { call in
        var copy = call
        copy.faults.removeAll { state.needless[call.address]?.contains($0) ?? false }
        return copy
      }
    }
  }

  /// The events of reports with readers or waiting steps, in order.
  var deliveries: [String] { state.withLock { $0.deliveries } }

  func receive(_ event: Event) {
    switch event {
    case .stepStarted(let address, _): noteSubject("", "the step '\(address)'")
    case .invoked(let invocation): begin(invocation)
    case .completed(let invocation, let outcome): end(invocation, outcome)
    case .emitted(_, let event, let payload):
      let label = "\(event) \(payload.onOneLine)"
      note(.report, of: String(event.prefix { $0 != "." }), "\(label) is reported", label: label)
    case .runStarted, .branchStarted, .branchEnded, .caseStarted, .caseEnded, .stepEnded, .computed,
      .runEnded:
      break
    }
  }

  private func begin(_ invocation: Invocation) {
    switch invocation.target {
    case .event: return
    case .open: break
    case .operation(let operation):
      let errors = operation.description.untypicalErrors.map(\.name)
      let call = Call(
        address: invocation.address.key, name: invocation.name, errors: errors,
        faults: operation.description.faults.filter { $0.applies(invocation.wholeInput) }
          .map(\.name))
      state.withLock { $0.calls.append(call) }
    }
    let component = invocation.componentName
    let caller = state.withLock { state in
      state.components[invocation.address] = component
      return state.caller(of: invocation.address)
    }
    let (name, input) = (invocation.storyName, invocation.input.withoutAbsentFields.onOneLine)
    noteSubject(component, name)
    note(
      .call(from: caller), of: component, "\(name) is called with \(input)",
      label: "\(invocation.label) \(input)")
  }

  private func end(_ invocation: Invocation, _ outcome: Outcome) {
    if case .event = invocation.target { return }
    noteNeedless(invocation, outcome)
    let caller = state.withLock { $0.caller(of: invocation.address) }
    let name = invocation.storyName
    noteSubject(invocation.componentName, name)
    note(
      .answer(to: caller), of: invocation.componentName, "\(name) \(outcome.storyText)",
      label: outcome.label)
  }

  // MARK: - Faults

  /// Notes the failures that leave an answer as it is, such as half of a body that is empty.
  private func noteNeedless(_ invocation: Invocation, _ outcome: Outcome) {
    guard case .operation(let operation) = invocation.target else { return }
    let faults = operation.description.faults
    if faults.isEmpty { return }
    let input = invocation.wholeInput
    let names = Set(faults.filter { !$0.changes(outcome, to: input) }.map(\.name))
    // Attempts share an address, and a fault happens to the first one.
    state.withLock { state in
      let key = invocation.address.key
      state.needless[key] = state.needless[key] ?? names
    }
  }

  func noteDelivery(of event: String) { state.withLock { $0.deliveries.append(event) } }

  func noteDuplicate(of event: String) {
    let text = "\(event) is delivered twice"
    note(.delay, of: String(event.prefix { $0 != "." }), "(\(text))", label: text)
  }

  func noteSilence(of invocation: Invocation) {
    note(
      .delay, of: invocation.componentName, "(\(invocation.storyName) has no answer)",
      label: "\(invocation.name) has no answer")
  }

  // MARK: - Notes

  private func note(
    _ kind: Story.Line.Kind, of component: String, _ text: String, label: String
  ) {
    let line = Story.Line(kind: kind, component: component, text: text, label: label)
    let entry = Entry(moment: steering.moments, line: line)
    state.withLock { $0.entries.append(entry) }
  }

  private func noteSubject(_ component: String, _ text: String) {
    let subject = Subject(moment: steering.moments, component: component, text: text)
    let task = TaskNumber.current
    state.withLock { $0.subjects[task, default: []].append(subject) }
  }

  /// The descriptions of tasks by their work.
  func names(of tasks: Set<UInt64>) -> [String] {
    state.withLock { state in
      Set(tasks.map { state.subjects[$0]?.last?.text ?? Self.noCall }).sorted()
    }
  }

  /// The story, with the delays where they had an effect, and the crash after some lines of the journal.
  func story(with steering: Steering, crash: Int?) -> Story {
    let delayed = steering.delayed
    return state.withLock { state in
      var lines = crash.map { [Story.Line(crashAfter: $0)] } ?? []
      var rest = delayed[...]
      for entry in state.entries {
        while let delay = rest.first, delay.moment < entry.moment {
          lines += state.lines(of: delay)
          rest.removeFirst()
        }
        lines.append(entry.line)
      }
      return Story(lines + rest.flatMap { state.lines(of: $0) })
    }
  }
}

extension Story.Line {
  fileprivate init(crashAfter lines: Int) {
    let text = "the process is killed after line \(lines) of its journal, and the run is resumed"
    self.init(kind: .delay, component: "", text: "(\(text))", label: text)
  }
}

extension RunWatch.State {
  /// The component that makes a call, directly or in a task that it started, or else the scenario.
  fileprivate func caller(of address: Address) -> String {
    var place = address.caller
    while let caller = place {
      if let component = components[caller] { return component }
      place = caller.caller
    }
    return Story.scenario
  }

  /// `(images.load at 'open#1/cell-2#1/images.load#1' waits, and others go first)`.
  fileprivate func lines(of delay: (moment: Int, tasks: [UInt64])) -> [Story.Line] {
    delay.tasks.map { task in
      let subjects = subjects[task] ?? []
      let subject =
        subjects.last { $0.moment <= delay.moment } ?? subjects.first { $0.moment > delay.moment }
      let text = subject?.text ?? RunWatch.newTask
      return Story.Line(
        kind: .delay, component: subject?.component ?? "",
        text: "(\(text) waits, and others go first)", label: "\(text) waits")
    }
  }
}

extension FaultDescription {
  /// True if the outcome of a call is another one with the failure.
  fileprivate func changes(_ outcome: Outcome, to input: Value) -> Bool {
    guard case .changed(let change) = effect else { return true }
    guard case .answer(let answer) = outcome else { return false }
    return change(answer, input) != nil
  }
}

extension Invocation {
  /// The whole input of the called operation, of which a role may pass some fields only.
  var wholeInput: Value { role?.input(input) ?? input }

  /// `images.load at 'open#1/cell-2#1/images.load#1'`, or only the address if it contains the name.
  fileprivate var storyName: String {
    let address = "\(address)"
    return address.hasPrefix(name + "#") ? address : "\(name) at '\(address)'"
  }

  /// `load`, or `open` for the opening of the component.
  fileprivate var label: String {
    if case .open = target { return "open" }
    return String(name.drop { $0 != "." }.dropFirst())
  }
}

extension Value {
  /// The value, shortened if it is long.
  fileprivate var onOneLine: String { "\(self)".shortened(to: 80) }
}

extension Outcome {
  fileprivate var label: String {
    switch self {
    case .answer(let value): value.onOneLine
    case .error(let error): error.code.name
    case .cancelled: "cancelled"
    }
  }

  fileprivate var storyText: String {
    switch self {
    case .answer(let value): "answers \(value.onOneLine)"
    case .error(let error) where error.message == RunWatch.injectedMessage:
      "answers the injected error '\(error.code.name)'"
    case .error(let error): "answers the error '\(error.code.name)'"
    case .cancelled: "is cancelled"
    }
  }
}

/// A sink that notes the components of a run that keep their state outside the process.
final class OutsideComponents: EventSink {
  private let opened = Mutex<Set<String>>([])

  /// The names of the opened ones.
  var names: Set<String> { opened.withLock { $0 } }

  func receive(_ event: Event) {
    guard case .invoked(let invocation) = event, case .open(let component, _) = invocation.target,
      (try? component.plugin.state(invocation.input)) == .external
    else { return }
    opened.withLock { _ = $0.insert(component.name) }
  }
}
