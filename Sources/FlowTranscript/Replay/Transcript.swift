/// A recorded run, read and checked line by line.
public struct Transcript: Sendable {
  /// One crossing of the boundary with everything that was said about it.
  struct Call: Sendable {
    let line: Int
    let address: String
    let name: String
    /// The input as it is written; it may have matchers.
    var input: JSON
    var emitted: [(event: String, payload: JSON)] = []
    var answer: Answer?
    /// The line of the answer; nil without one.
    var answerLine: Int?
    /// Nil for a call without matchers, as nearly all are.
    var written: Written?

    /// The component that was asked: what stands before the point of the name.
    var component: Substring { name.prefix { $0 != "." } }
  }

  /// A call with matchers as somebody wrote it; elsewhere their examples stand in their place.
  struct Written: Sendable {
    /// Whether the input has matchers.
    var hasInput = false
    /// The output with its matchers; nil without any.
    var output: JSON?
    /// The payloads with matchers, by the position of their events.
    var payloads: [Int: JSON] = [:]
  }

  enum Answer: Sendable {
    case output(JSON)
    case error(code: String, message: String)
    case cancelled
  }

  /// What was run, and on what.
  public internal(set) var header: TranscriptHeader
  /// Whether the recorded run passed.
  public let passed: Bool
  /// The crossings in the order of their beginnings.
  var calls: [Call]
  /// The recorded outputs of the scenario, which may have matchers.
  var outputs: JSON
  /// Whether an answer was altered on purpose, and so need not agree with what else is recorded.
  var isAltered = false
}

extension [Transcript.Call] {
  /// The numbers of the calls at each address, the first one last: who makes it takes it from the end.
  var numbersByAddress: [String: [Int]] {
    Dictionary(grouping: indices.reversed()) { self[$0].address }
  }
}
