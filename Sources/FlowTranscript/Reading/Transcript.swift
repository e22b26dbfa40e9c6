package import FlowCore
package import FlowPlan
internal import FlowRedaction

/// A recorded run as a value.
///
/// A reader makes it of a file, and a recorder of a run. What changes a recording is a function on
/// it, and `bytes` are its file.
public struct Transcript: Sendable {
  /// A call across the boundary, with its events and its answer.
  struct Call: Sendable {
    let line: Int
    /// The address, in a journal with its tags.
    let address: Address
    let name: String
    var input: RecordedValue
    /// The further members of its line.
    var marks = CallMarks()
    var emitted: [(event: String, payload: RecordedValue)] = []
    var answer: Answer?
    /// The line of the answer, or nil.
    var answerLine: Int?

    /// The number of its task among those of the component's call, from 0.
    ///
    /// Calls of one task follow each other.
    var lane: Int { marks.lane }

    /// The called component.
    var component: String { name.componentName }
  }

  /// An answer of unknown type, which becomes an `Outcome` when the plan provides the type.
  enum Answer: Sendable {
    case output(RecordedValue)
    case error(code: String, message: String)
    case cancelled
  }

  /// The scenario, its inputs and its plugins.
  public internal(set) var header: TranscriptHeader
  /// True if the recorded run passed.
  public let passed: Bool
  /// The start of the recorded run, or nil if no component asked for the date.
  package let date: Timestamp?
  /// The project files that the recorded run read.
  package internal(set) var files: [ReadFile] = []
  /// The crossings in the order of their beginnings.
  var calls: CallList
  /// The recorded outputs of the scenario.
  let outputs: RecordedValue
  /// True if its file ends with a digest of everything before it.
  var isSealed = false

  /// True if an answer was altered on purpose, so it need not agree with the rest of the recording.
  var isAltered = false
}

extension Transcript {
  /// Creates the transcript of the run with these lines, whose last one is its end.
  init(_ header: TranscriptHeader, _ calls: CallList, isSealed: Bool) {
    guard let last = calls.lines.all.last,
      case .end(let passed, let date, let files, _) = last.kind
    else {
      self.init(
        header: header, passed: false, date: nil, calls: calls, outputs: .plain(.object([])))
      return
    }
    self.init(
      header: header, passed: passed, date: date, files: files, calls: calls,
      outputs: last.value ?? .plain(.object([])), isSealed: isSealed)
  }

  /// Returns true for a recording, unchanged since then, of a run of exactly this scenario with these
  /// versions of its plugins that passed.
  package func isRecording(of plan: Plan) -> Bool {
    isSealed && passed && header.changes(in: plan).isEmpty
  }

  /// Its lines after the header, to the end of the run.
  var lines: [TranscriptLine] { calls.lines.all }

  /// The same run with other lines.
  func with(_ lines: [TranscriptLine]) -> Transcript {
    Transcript(header, CallList(lines), isSealed: isSealed)
  }
}

/// A transcript of a run that may not have ended.
public struct Journal: Sendable {
  /// The scenario, its inputs and its plugins.
  public let header: TranscriptHeader
  /// The run's name, the prefix of its idempotency keys.
  public let run: String
  /// True if the run passed, or nil if it did not end.
  public let passed: Bool?
  /// The scenario's outputs, empty for a run that did not end.
  let outputs: RecordedValue
  /// The start of the run, or nil if no component asked for it, or the run did not end.
  let date: Timestamp?
  /// The length of its complete lines, in bytes.
  public let length: Int
  /// The length of a torn line after them, in bytes.
  public let tornBytes: Int
  /// The checksum of its complete lines, or nil in journals of an earlier version.
  let checksum: Checksum?
  /// The crossings in the order of their start.
  ///
  /// An unfinished one has no answer.
  let calls: CallList
  /// The timers started by the run.
  let timers: [RecordedTimer.Key: RecordedTimer]

  /// True if damage to its lines would have been noticed.
  package var isChecked: Bool { checksum != nil }

  /// The journal as a transcript, to be replayed as far as it goes.
  ///
  /// Its last calls may have no answers.
  package var recording: Transcript {
    Transcript(
      header: header, passed: passed ?? false, date: date, calls: calls, outputs: outputs)
  }
}

/// A timer started by a run.
struct RecordedTimer: Sendable {
  /// The address and the kind of a timer.
  struct Key: Sendable, Hashable {
    let address: Address
    let name: String
  }

  /// The end of its time.
  let until: Timestamp
  /// True if it was cancelled before.
  var wasCancelled = false
}

extension RenamedSteps {
  /// The timers with their addresses in the new version.
  func timers(_ timers: [RecordedTimer.Key: RecordedTimer]) -> [RecordedTimer.Key: RecordedTimer] {
    if isEmpty { return timers }
    let renamed = timers.map { key, timer in
      (RecordedTimer.Key(address: address(key.address), name: key.name), timer)
    }
    return Dictionary(renamed) { first, _ in first }
  }
}

extension Transcript.Call {
  /// True if a value of it has a pattern.
  var hasPatterns: Bool {
    if input.hasPatterns || emitted.contains(where: \.payload.hasPatterns) { return true }
    if case .output(let output)? = answer { return output.hasPatterns }
    return false
  }

  /// Returns the call with placeholders in its written input, and in its served events and answer.
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
