public import FlowCore
internal import FlowEngine
internal import FlowSystem

/// One difference of a replayed run from its transcript, as data.
public struct ReplayMismatch: Sendable {
  /// The compared property.
  public enum Subject: String, Sendable {
    /// The existence of a call, recorded or made.
    case call
    /// The called operation.
    case operation
    /// The input of the call.
    case input
    /// The position of the call among the others.
    case order
    /// The answer, or a report.
    case answer
    /// The result and the outputs of the run.
    case end
    /// A file or a default on which recorded answers depend.
    case source
  }

  /// A recorded call that may correspond to a call of the run.
  package struct Candidate: Sendable {
    /// The address in the run.
    package let address: Address
    /// The line of its beginning in the transcript, from 1.
    package let line: Int
    /// True if another call was answered by it.
    package let isServed: Bool
    /// The differences of its input from that of the call.
    package let fields: [FieldChange]
  }

  /// The compared property.
  public let subject: Subject
  /// The address in the run, `steps` for its end.
  public let address: String
  /// The line of the recorded call, from 1, or nil if nothing is recorded.
  public let line: Int?
  /// The step during which a request from outside came, or nil for another call.
  package let step: Address?
  /// The recorded value, or nil.
  package let expected: JSON?
  /// The value in the run, or nil.
  package let actual: JSON?
  /// The differing parts, possibly none.
  package let fields: [FieldChange]
  /// The recorded call nearest to an unrecorded one.
  package let nearest: Candidate?
  /// The difference in words.
  public let diagnostic: Diagnostic
  /// True if the difference was tolerated.
  public let isAllowed: Bool
  /// True if it follows from an earlier one, such as a missing call after a call without an answer.
  public internal(set) var isConsequence: Bool = false
}

extension ReplayFailure {
  /// The tolerated kind of the difference, or nil if it cannot be tolerated.
  var toleratedKind: ToleratedDeparture? {
    switch self {
    case .changedInput, .otherValues, .misfit(_, .input): .changed
    case .notCalled: .unused
    case .stale: .stale
    default: nil
    }
  }

  /// The failure as data, a mismatch for each call.
  func mismatches(_ words: BoundaryFailure, isAllowed: Bool) -> [ReplayMismatch] {
    let diagnostic = Diagnostic(words.code, words.message, at: nil, notes: words.notes)
    return parts.map { part in
      ReplayMismatch(
        subject: part.subject, address: "\(part.address)", line: part.line, step: part.step,
        expected: part.expected, actual: part.actual, fields: part.fields, nearest: part.nearest,
        diagnostic: diagnostic, isAllowed: isAllowed)
    }
  }

  private struct Part {
    let subject: ReplayMismatch.Subject
    let address: Address
    var line: Int?
    var step: Address?
    var expected: JSON?
    var actual: JSON?
    var fields: [FieldChange] = []
    var nearest: ReplayMismatch.Candidate?
  }

  private var parts: [Part] {
    switch self {
    case .notCalled(let calls):
      return calls.map {
        Part(
          subject: .call, address: $0.address, line: $0.line, step: $0.marks.arrival?.step,
          expected: .string($0.name))
      }
    case .notRecorded(let invocation, _, let nearest, _, _):
      let call = JSON.object([
        .init("invoke", .string(invocation.name)), .init("input", invocation.inputJSON),
      ])
      var part = part(.call, invocation, nil, nil, call)
      part.nearest = nearest
      return [part]
    case .otherOperation(let invocation, let call):
      return [part(.operation, invocation, call, .string(call.name), .string(invocation.name))]
    case .changedInput(let invocation, let call, let fields):
      var part = part(.input, invocation, call, call.input.json, invocation.inputJSON)
      part.fields = fields
      return [part]
    case .misfit(let invocation, .input(let call, _)), .otherValues(let invocation, let call, _):
      return [part(.input, invocation, call, call.input.json, invocation.inputJSON)]
    case .early(let invocation, let call, let missing):
      let order = [missing, call].map { JSON.string("\($0.address)") }
      return [part(.order, invocation, call, .array(order), .array(order.reversed()))]
    case .otherStep(let invocation, let call, let step):
      let now = invocation.step.map { JSON.string("\($0)") }
      return [part(.order, invocation, call, step.map { .string("\($0)") }, now)]
    case .otherOrder(let invocation, let call, let after):
      let order = [call, after].map { JSON.string("\($0.address)") }
      return [part(.order, invocation, call, .array(order), .array(order.reversed()))]
    case .notReported(let call, let invocation), .notCancelled(let invocation, let call):
      return [part(.answer, invocation, call)]
    case .stale(let invocation, let files):
      var part = part(.source, invocation)
      part.expected = .object(files.map { .init($0.file.path, .string($0.file.digest)) })
      return [part]
    case .hidden(let invocation, _, _): return [part(.input, invocation)]
    case .misfit(let invocation, _), .notAwaited(let invocation, _):
      return [part(.answer, invocation)]
    }
  }

  private func part(
    _ subject: ReplayMismatch.Subject, _ invocation: Invocation, _ call: Transcript.Call? = nil,
    _ expected: JSON? = nil, _ actual: JSON? = nil
  ) -> Part {
    Part(
      subject: subject, address: invocation.address, line: call?.line,
      step: invocation.step?.recorded, expected: expected, actual: actual)
  }
}

extension CallList {
  /// The most calls compared to find the nearest one.
  private static let mostCandidates = 10_000

  /// The recorded call of the same operation with the most similar input.
  ///
  /// Of equally similar ones, it is the first remaining one, or else the first. A request from
  /// outside is compared with those to the same component.
  func nearest(
    to invocation: Invocation, left: [Transcript.Call]
  ) -> ReplayMismatch.Candidate? {
    let waiting = Set(left.map(\.line))
    let near = lazy.filter { invocation.isLike($0) }.prefix(Self.mostCandidates).map {
      ReplayMismatch.Candidate(
        address: $0.address, line: $0.line, isServed: !waiting.contains($0.line),
        fields: invocation.changes(from: $0.input(for: invocation).json))
    }
    return near.min {
      ($0.fields.count, $0.isServed ? 1 : 0, $0.line)
        < ($1.fields.count, $1.isServed ? 1 : 0, $1.line)
    }
  }
}

extension Invocation {
  /// Returns true for a recorded call of the same operation, of a request to the same component.
  func isLike(_ call: Transcript.Call) -> Bool {
    call.name == name && (step == nil || call.address.path == address.path)
  }
}
