internal import FlowCore
internal import FlowEngine
internal import FlowScenario
private import Synchronization

/// Notes what happens in a run, so that it can be told as a story.
final class RunWatch: EventSink {
  /// A call that was made, and the errors that it may be answered with.
  struct Call: Sendable {
    let address: String
    let name: String
    let errors: [String]
  }

  fileprivate struct Entry {
    let moment: Int
    let task: UInt64
    let text: String
  }

  fileprivate struct State {
    var calls: [Call] = []
    var entries: [Entry] = []
    /// What a task was about last.
    var subjects: [UInt64: [(moment: Int, text: String)]] = [:]
  }

  /// What is said of work that no call was made in.
  static let unknown = "something that has called nothing yet"

  private static let mostLines = 200
  private let steering: Steering
  private let state = Mutex(State())

  init(_ steering: Steering) {
    self.steering = steering
  }

  /// The calls of operations, in their order.
  var calls: [Call] { state.withLock { $0.calls } }

  func receive(_ event: Event) {
    switch event {
    case .stepStarted(let address, _): note(nil, about: "the step '\(address)'")
    case .invoked(let invocation):
      if case .event = invocation.target { return }
      if case .operation(let operation) = invocation.target {
        let errors = operation.description.errors.map(\.name)
        let call = Call(
          address: "\(invocation.address)", name: invocation.name, errors: errors)
        state.withLock { $0.calls.append(call) }
      }
      note(
        "\(Self.name(invocation)) is called with \(invocation.input.onOneLine)",
        about: Self.name(invocation))
    case .completed(let invocation, let outcome):
      if case .event = invocation.target { return }
      note("\(Self.name(invocation)) \(outcome.storyText)", about: Self.name(invocation))
    case .emitted(_, let event, let payload):
      note("\(event) \(payload.onOneLine) is reported", about: nil)
    case .runStarted, .branchStarted, .branchEnded, .stepEnded, .runEnded: break
    }
  }

  /// `images.load at 'open#1/cell-2#1/images.load#1'`, or the address alone where it says all.
  private static func name(_ invocation: Invocation) -> String {
    let address = "\(invocation.address)"
    return address.hasPrefix(invocation.name + "#") ? address : "\(invocation.name) at '\(address)'"
  }

  private func note(_ text: String?, about subject: String?) {
    let (moment, task) = (steering.moments, TaskNumber.current)
    state.withLock { state in
      if let text { state.entries.append(Entry(moment: moment, task: task, text: text)) }
      if let subject { state.subjects[task, default: []].append((moment, subject)) }
    }
  }

  /// What tasks were about.
  func names(of tasks: Set<UInt64>) -> [String] {
    state.withLock { state in
      Set(tasks.map { state.subjects[$0]?.last?.text ?? Self.unknown }).sorted()
    }
  }

  /// The lines of the story, of which the first ones are left out where there are very many.
  func story(with steering: Steering) -> [String] {
    let delayed = steering.delayed
    return state.withLock { state in
      var lines: [String] = []
      var rest = delayed[...]
      for entry in state.entries {
        while let delay = rest.first, delay.moment < entry.moment {
          lines += state.texts(of: delay)
          rest.removeFirst()
        }
        lines.append(entry.text)
      }
      lines += rest.flatMap { state.texts(of: $0) }
      guard lines.count > Self.mostLines else { return lines }
      return ["\(lines.count - Self.mostLines) lines before that"] + lines.suffix(Self.mostLines)
    }
  }
}

extension RunWatch.State {
  /// `images.load at 'open#1/cell-2#1/images.load#1' waits, others go first`.
  fileprivate func texts(of delay: (moment: Int, tasks: [UInt64])) -> [String] {
    delay.tasks.map { task in
      let subjects = subjects[task] ?? []
      let subject =
        subjects.last { $0.moment <= delay.moment } ?? subjects.first { $0.moment > delay.moment }
      return "(\(subject?.text ?? RunWatch.unknown) waits, and others go first)"
    }
  }
}

extension Value {
  /// The value, cut where it is long.
  fileprivate var onOneLine: String {
    let text = "\(self)"
    let scalars = text.unicodeScalars
    return scalars.count <= 80 ? text : String(String.UnicodeScalarView(scalars.prefix(79))) + "…"
  }
}

extension Outcome {
  fileprivate var storyText: String {
    switch self {
    case .answer(let value): "answers \(value.onOneLine)"
    case .error(let error): "answers the error '\(error.code.name)'"
    case .cancelled: "is cancelled"
    }
  }
}
