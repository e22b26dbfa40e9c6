internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem

/// The groups of the requests that come from outside of a run.
///
/// A group ends with the moment at which all its requests have their answers. What came at the same
/// time came in no order.
final class RequestTurns {
  typealias Call = ComponentCalls.Call

  /// The number of groups so far.
  private var count = 0
  /// The number of unanswered requests.
  private var open = 0
  /// The groups of each step, in their order.
  private var steps: [Address?: [Int]] = [:]

  /// Notes a request of a step that keeps its order, and returns its group.
  func begin(during step: Address?) -> Int {
    if open == 0 { count += 1 }
    open += 1
    if steps[step]?.last != count { steps[step, default: []].append(count) }
    return count
  }

  /// Notes an answer.
  func end() { open -= 1 }

  /// Passes on the events of requests: step by step in the order of their first requests, group by
  /// group, and in a group by their content.
  func visit(_ calls: [Call], at caller: Address, _ say: (Event) -> Void) {
    var counts: [ComponentCalls.Question: Int] = [:]
    for step in calls.map(\.invocation.step).unique {
      let own = calls.filter { $0.invocation.step == step }
      // Those in any order have no group.
      for (index, turn) in ([0] + (steps[step] ?? [])).enumerated() {
        for call in Self.ordered(own.filter { $0.turn == turn }) {
          let question = ComponentCalls.Question(call.invocation)
          counts[question, default: 0] += 1
          var called = call.invocation
          (called.lane, called.turn) = (0, index)
          call.visit(called, of: caller, number: counts[question] ?? 1, isMoved: false, say)
        }
      }
    }
  }

  /// The requests of a group in the order of their contents.
  private static func ordered(_ group: [Call]) -> [Call] {
    // A request may be as long as a conversation, so its texts are made once.
    group.count < 2 ? group : group.map(Content.init).sorted { $0.precedes($1) }.map(\.call)
  }

  /// A request with the texts by which it is ordered.
  private struct Content {
    let call: Call
    private let question: [UInt8]
    private let key: [UInt8]

    init(_ call: Call) {
      self.call = call
      question = PlaceholderNumbers.removed(from: call.question)
      key = PlaceholderNumbers.removed(from: call.key)
    }

    /// Returns true if it comes before another one.
    ///
    /// Equal ones that followed each other keep their order.
    func precedes(_ other: Content) -> Bool {
      if question != other.question { return question.lexicographicallyPrecedes(other.question) }
      if call.crowd != other.call.crowd { return call.crowd < other.call.crowd }
      if key != other.key { return key.lexicographicallyPrecedes(other.key) }
      return call.key.lexicographicallyPrecedes(other.call.key)
    }
  }
}

extension Invocation {
  /// The shortest echo of a varying value that is recognised, in bytes.
  private static let shortestEcho = 4

  /// The input without the parts that vary.
  var constantInput: Value {
    guard variesInput, let varying = role?.varying else { return input }
    return varying.constant(input)
  }

  /// A text of the answer without the varying values of the input.
  func withoutEchoes(_ text: [UInt8]) -> [UInt8] {
    guard variesInput, let varying = role?.varying else { return text }
    let values = varying.input.flatMap { $0.values(in: input) }
    return values.reduce(text) { text, value in
      guard case .string(let string) = value, string.utf8.count >= Self.shortestEcho else {
        return text
      }
      return text.split(separator: Array(string.utf8)).flatMap { $0 }
    }
  }
}
