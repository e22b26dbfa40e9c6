package import FlowCore
internal import FlowRedaction
private import FlowScenario

/// A recorded run, read and checked line by line.
public struct Transcript: Sendable {
  /// One crossing of the boundary with everything that was said about it.
  struct Call: Sendable {
    let line: Int
    let address: String
    let name: String
    var input: RecordedValue
    /// What is said of it where a component made it.
    var inner = InnerCall()
    /// In a journal, what tells it apart from others that components made; nil for a step's.
    var tags: String?
    var emitted: [(event: String, payload: RecordedValue)] = []
    var answer: Answer?
    /// The line of the answer; nil without one.
    var answerLine: Int?

    /// Where it was made; nil where a transcript says something else there.
    var place: Address? { tags.map { Address(address, tags: $0) } ?? Address(address) }

    /// What no other call of a journal has in common, but for those of another attempt.
    var key: String { CallKey.text(address, tags: tags) }

    /// Which of the tasks of a component's call made it, from 0; calls of one task follow each other.
    var lane: Int { inner.lane }

    /// The component that was asked.
    var component: String { name.componentName }
  }

  /// An answer whose type is not known: an `Outcome` before the plan says what it is.
  enum Answer: Sendable {
    case output(RecordedValue)
    case error(code: String, message: String)
    case cancelled
  }

  /// What was run, and on what.
  public internal(set) var header: TranscriptHeader
  /// Whether the recorded run passed.
  public let passed: Bool
  /// When the recorded run began; nil where no component asked for the date.
  package let date: Timestamp?
  /// The crossings in the order of their beginnings.
  var calls: CallList
  /// The recorded outputs of the scenario.
  var outputs: RecordedValue
  /// Why what is read of its file may not be what was recorded; nil while nothing is wrong.
  package var problem: TranscriptError? {
    calls.lines.bytes.problem.map {
      TranscriptError(.unreadable("\($0)"), file: $0.path, line: nil)
    }
  }

  /// Whether an answer was altered on purpose, and so need not agree with what else is recorded.
  var isAltered = false
}

/// A transcript of a run that may not have come to its end.
public struct Journal: Sendable {
  /// What was run, and on what.
  public let header: TranscriptHeader
  /// The run's name, which its idempotency keys begin with.
  public let run: String
  /// Whether the run passed; nil when it did not come to its end.
  public let passed: Bool?
  /// The scenario's outputs; empty for a run that did not come to its end.
  let outputs: RecordedValue
  /// When the run began; nil where no component asked for it, or the run did not come to its end.
  let date: Timestamp?
  /// How many bytes its whole lines have.
  public let length: Int
  /// How many bytes of a torn line follow them.
  public let tornBytes: Int
  /// The checksum of its whole lines; nil when they have none, as those of an earlier version.
  let checksum: Checksum?
  /// The crossings in the order of their beginnings; one that was not completed has no answer.
  let calls: CallList
  /// What the run had begun to wait for by the clock.
  let timers: [RecordedTimer.Key: RecordedTimer]

  /// Whether damage to its lines would have been seen.
  package var isChecked: Bool { checksum != nil }

  /// The journal as a transcript, to be played again as far as it goes; its last calls may have no answers.
  package var recording: Transcript {
    Transcript(
      header: header, passed: passed ?? false, date: date, calls: calls, outputs: outputs)
  }
}

/// Something that a run had begun to wait for by the clock.
struct RecordedTimer: Sendable {
  /// Where it is, and what.
  struct Key: Sendable, Hashable {
    let address: String
    let name: String
  }

  /// When its time is over.
  let until: Timestamp
  /// Whether it was cancelled before.
  var wasCancelled = false
}

extension Transcript.Call {
  /// The call with placeholders in its input as it is written, and in its events and answer as they are served.
  func redacted(by redactor: Redactor) -> Transcript.Call {
    guard redactor.isActive else { return self }
    var call = self
    call.input = .plain(input.json.redacted(by: redactor, names: true))
    call.emitted = emitted.map { event, payload in
      (event, .plain(payload.served.redacted(by: redactor, names: true)))
    }
    call.answer = answer?.redacted(by: redactor)
    return call
  }
}

extension Transcript.Answer {
  fileprivate func redacted(by redactor: Redactor) -> Transcript.Answer {
    switch self {
    case .output(let output):
      .output(.plain(output.served.redacted(by: redactor, names: true)))
    case .error(let code, let message):
      .error(code: code, message: redactor.redacted(message))
    case .cancelled: .cancelled
    }
  }
}

extension TranscriptHeader {
  /// The header with placeholders in its inputs.
  func redacted(by redactor: Redactor) -> TranscriptHeader {
    var header = self
    header.inputs = inputs.map { .init($0.name, $0.value.redacted(by: redactor, names: true)) }
    return header
  }
}

/// Finds the recorded calls inside of a step.
struct CallIndex {
  private let calls: CallList
  private lazy var places = calls.indices.map { Address(calls.address(of: $0)) }
  /// Numbers of calls, by the path of a step and the iterations around it.
  private var known: [String: [[Int]: [Int]]] = [:]

  init(_ calls: CallList) {
    self.calls = calls
  }

  /// The numbers of the calls inside of a step, in their recorded order.
  mutating func inside(_ step: Address) -> [Int] {
    // Once for all iterations: a loop may ask for each of them.
    if known[step.path] == nil {
      let (places, path) = (places, Address(path: step.path))
      let inside = calls.indices.filter { places[$0]?.belongs(to: path) == true }
      known[step.path] = Dictionary(grouping: inside) { call in
        Array(places[call]?.iterations.prefix(step.iterations.count) ?? [])
      }
    }
    return known[step.path]?[step.iterations] ?? []
  }
}
