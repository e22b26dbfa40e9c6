internal import FlowCore
internal import FlowEngine

extension ComponentCalls {
  /// A call with its events, its answer and the calls made during it.
  final class Call {
    let invocation: Invocation
    /// The events reported during it.
    var reports: [(event: String, payload: Value)] = []
    /// Cancelled, unless the component waits for the call.
    var outcome = Outcome.cancelled
    var inner: [Call] = []
    /// Its calls, by question.
    private var asked: [Question: Asked] = [:]
    /// The calls equal to it.
    private var equals: Asked?
    /// Its number among equal calls, from 1, in the order of their start.
    private(set) var number = 1
    /// The number of its crowd: equal calls in progress at the same time.
    private(set) var crowd = 0
    /// The number of its group: requests from outside with no moment between them without one.
    private(set) var turn = 0
    private var turns: RequestTurns?
    /// True if another call of its crowd had another answer.
    var isTied = false
    /// True if a request from outside may belong to a later step.
    var isLate = false
    /// The number of requests of its conversation that had come before its end.
    var after = 0
    /// The sort key of tasks, complete after the call has ended.
    private(set) lazy var key = makeKey()

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// Notes its end, with any result.
    func end() {
      equals?.open -= 1
      turns?.end()
    }

    /// Puts a request from outside into the present group, or into a new one.
    func begin(in turns: RequestTurns) {
      turn = turns.begin(during: invocation.step)
      self.turns = turns
    }

    /// Puts a call among the equal ones that go on, or into a new crowd, of this number.
    func begin(_ call: Call, newCrowd: Int) {
      inner.append(call)
      let equals = equals(of: Question(call.invocation))
      call.equals = equals
      call.number = equals.begin(newCrowd: newCrowd)
      call.crowd = equals.crowd
    }

    private func equals(of question: Question) -> Asked {
      if let known = asked[question] { return known }
      let new = Asked()
      asked[question] = new
      return new
    }
  }

  /// Equal calls made during one call.
  private final class Asked {
    private var count = 0
    /// The number of unanswered ones.
    var open = 0
    /// The crowd of the calls that started while another was open.
    private(set) var crowd = 0

    /// Counts another one, and says its number among them.
    func begin(newCrowd: Int) -> Int {
      if open == 0 { crowd = newCrowd }
      open += 1
      count += 1
      return count
    }
  }

  /// The key of equal calls.
  struct Question: Hashable {
    let name: String
    let tag: UInt64

    init(_ invocation: Invocation) {
      let call = invocation.address.calls.last
      (name, tag) = (call?.name ?? "", call?.tag ?? 0)
    }

    /// By the input alone: few calls of other names have the same one.
    func hash(into hasher: inout Hasher) { hasher.combine(tag) }
  }
}
