public import FlowCore
internal import FlowEngine
internal import FlowSystem

/// A difference of a replayed run from its transcript, as data and in words.
enum ReplayFailure {
  case notRecorded(
    Invocation, near: [String], ReplayMismatch.Candidate?, refusal: String? = nil)
  case otherOperation(Invocation, Transcript.Call)
  case otherOrder(Invocation, Transcript.Call, after: Transcript.Call)
  case changedInput(Invocation, Transcript.Call, [FieldChange])
  case hidden(Invocation, remedies: [String], Set<Reach>)
  case misfit(Invocation, Misfit)
  case notAwaited(Invocation, Value)
  case notCancelled(Invocation, Transcript.Call)
  case notReported(Transcript.Call, Invocation)
  case notCalled([Transcript.Call])

  /// A recorded value that does not fit the present declarations of the components.
  enum Misfit {
    case input(Transcript.Call, DecodeError)
    case answer(DecodeError)
    case error(String)
    case event(String)
    case payload(event: String, DecodeError)
  }

  /// Returns the failure in words.
  ///
  /// `advice` is the advice for an intended difference.
  func failure(advice: String?) -> BoundaryFailure {
    let advice = advice.map { [$0] } ?? []
    return switch self {
    case .notRecorded(let invocation, let near, let candidate, let refusal):
      BoundaryFailure(
        code: .unrecordedCall, message: "'\(invocation.address)' is not in the transcript",
        notes: ["it calls '\(invocation.name)' with \(invocation.input.summary())"]
          + near.unique.map { "recorded but not yet used: '\($0)'" }
          + (candidate.map(Self.words) ?? [])
          + (refusal.map { ["the component was not asked: \($0)"] } ?? []) + advice)
    case .otherOperation(let invocation, let recorded):
      BoundaryFailure(
        code: .otherOperation,
        message: "'\(invocation.address)' calls '\(invocation.name)', recorded '\(recorded.name)'",
        notes: advice)
    case .otherOrder(let invocation, let recorded, let earlier):
      Self.otherOrder(invocation, recorded, after: earlier, advice)
    case .changedInput(let invocation, _, let changes):
      BoundaryFailure(
        code: .changedInput, message: "the input of '\(invocation.address)' has changed",
        notes: changes.noteLines + advice)
    case .hidden(let invocation, let remedies, let reaches):
      Self.hidden(invocation, remedies, reaches)
    case .misfit(let invocation, let misfit): misfit.failure(of: invocation, advice)
    case .notAwaited(let invocation, let payload):
      BoundaryFailure(
        code: .otherEvent,
        message: "the event recorded for '\(invocation.address)' does not fit its condition",
        notes: ["recorded \(payload.summary())"] + advice)
    case .notCancelled(let invocation, let recorded):
      BoundaryFailure(
        code: .unfitRecordedAnswer,
        message: "'\(invocation.address)' was cancelled in the recording, but not in this run",
        notes: ["line \(recorded.line): it has no answer, but '\(invocation.maker)' waits for one"]
          + advice)
    case .notReported(let recorded, let invocation):
      Self.notReported(recorded, invocation, advice)
    case .notCalled(let calls): Self.notCalled(calls, advice)
    }
  }

  private static func otherOrder(
    _ invocation: Invocation, _ recorded: Transcript.Call, after earlier: Transcript.Call,
    _ advice: [String]
  ) -> BoundaryFailure {
    BoundaryFailure(
      code: .otherOrder,
      message:
        "'\(invocation.address)' comes after '\(earlier.address)', but was recorded before its end",
      notes: [
        recorded.sentence,
        earlier.sentence
          + (earlier.answerLine.map { ", answered on line \($0)" } ?? ""),
      ] + advice)
  }

  private static func hidden(
    _ invocation: Invocation, _ remedies: [String], _ reaches: Set<Reach>
  ) -> BoundaryFailure {
    let reason =
      "'\(invocation.componentName)' is live and \(reaches.phrase), so a placeholder cannot be sent"
    return BoundaryFailure(
      code: .hiddenInput,
      message: "part of the input of '\(invocation.address)' was hidden in the recording",
      notes: [reason] + remedies)
  }

  private static func notReported(
    _ recorded: Transcript.Call, _ invocation: Invocation, _ advice: [String]
  ) -> BoundaryFailure {
    let line = recorded.answerLine ?? recorded.line
    return BoundaryFailure(
      code: .unreportedEvent,
      message:
        "'\(invocation.address)' received an event, but no component is recorded as reporting it",
      notes: ["line \(line): it received '\(invocation.name)'"] + advice)
  }

  private static func notCalled(
    _ calls: [Transcript.Call], _ advice: [String]
  ) -> BoundaryFailure {
    let shown = calls.prefix(5).map(\.sentence)
    let more = calls.count > 5 ? ["and \(calls.count - 5) more"] : []
    let noun = calls.count == 1 ? "call was" : "calls were"
    return BoundaryFailure(
      code: .unusedCalls, message: "\(calls.count) recorded \(noun) never made",
      notes: shown + more + advice)
  }

  /// Describes the nearest recorded call, if that says more than its existence.
  private static func words(_ candidate: ReplayMismatch.Candidate) -> [String] {
    let served = candidate.isServed ? ", but is already used" : ""
    if candidate.fields.isEmpty {
      return candidate.isServed
        ? ["the same call is recorded on line \(candidate.line) at '\(candidate.address)'\(served)"]
        : []
    }
    let title =
      "the most similar call is on line \(candidate.line), '\(candidate.address)'\(served)"
    return [title] + candidate.fields.prefix(5).flatMap(\.noteLines)
  }
}

extension ReplayFailure.Misfit {
  private static func undeclared(
    _ code: String, by invocation: Invocation, _ advice: [String]
  ) -> BoundaryFailure {
    let names = (invocation.target.errors ?? []).map { "'\($0.name)'" }.joined(separator: ", ")
    return BoundaryFailure(
      code: .unfitRecordedAnswer,
      message: "the error '\(code)' recorded at '\(invocation.address)' is not declared",
      notes: ["'\(invocation.name)' declares \(names.isEmpty ? "no errors" : names)"] + advice)
  }

  fileprivate func failure(of invocation: Invocation, _ advice: [String]) -> BoundaryFailure {
    let (address, name) = (invocation.address, invocation.name)
    return switch self {
    case .input(_, let error):
      BoundaryFailure(
        code: .unfitRecordedInput,
        message: "the recorded input of '\(address)' does not fit '\(name)'",
        notes: ["\(error)"] + advice)
    case .answer(let error):
      BoundaryFailure(
        code: .unfitRecordedAnswer,
        message: "the recorded answer of '\(address)' does not fit '\(name)'",
        notes: ["\(error)"] + advice)
    case .error(let code): Self.undeclared(code, by: invocation, advice)
    case .event(let event):
      BoundaryFailure(
        code: .unfitRecordedAnswer,
        message: "the event '\(event)' recorded at '\(address)' is not declared",
        notes: advice)
    case .payload(let event, let error):
      BoundaryFailure(
        code: .unfitRecordedAnswer,
        message: "the payload of '\(event)' recorded at '\(address)' does not fit",
        notes: ["\(error)"] + advice)
    }
  }
}

extension ReplayFailure {
  /// The tolerated kind of the difference, or nil if it cannot be tolerated.
  var toleratedKind: ToleratedDeparture? {
    switch self {
    case .changedInput, .misfit(_, .input): .changed
    case .notCalled: .unused
    case .notRecorded, .otherOperation, .otherOrder, .hidden, .notAwaited, .notCancelled,
      .notReported, .misfit(_, .answer), .misfit(_, .error), .misfit(_, .event),
      .misfit(_, .payload):
      nil
    }
  }

  /// The failure as data, a mismatch for each call.
  func mismatches(_ words: BoundaryFailure, isAllowed: Bool) -> [ReplayMismatch] {
    let diagnostic = Diagnostic(words.code, words.message, at: nil, notes: words.notes)
    let make = { (part: Part) in
      ReplayMismatch(
        subject: part.subject, address: part.address, line: part.recorded?.line,
        expected: part.expected, actual: part.actual, fields: part.fields, nearest: part.nearest,
        diagnostic: diagnostic, isAllowed: isAllowed)
    }
    return parts.map(make)
  }

  private struct Part {
    let subject: ReplayMismatch.Subject
    let address: String
    var recorded: Transcript.Call?
    var expected: JSON?
    var actual: JSON?
    var fields: [FieldChange] = []
    var nearest: ReplayMismatch.Candidate?

    init(_ subject: ReplayMismatch.Subject, _ invocation: Invocation, _ call: Transcript.Call?) {
      self.subject = subject
      address = invocation.address.description
      recorded = call
    }

    init(unused call: Transcript.Call) {
      subject = .call
      address = call.address
      recorded = call
      expected = .string(call.name)
    }
  }

  private var parts: [Part] {
    switch self {
    case .notCalled(let calls): return calls.map(Part.init(unused:))
    case .notRecorded(let invocation, _, let nearest, _):
      var part = Part(.call, invocation, nil)
      part.actual = .object([
        .init("invoke", .string(invocation.name)), .init("input", invocation.inputJSON),
      ])
      part.nearest = nearest
      return [part]
    case .otherOperation(let invocation, let call):
      var part = Part(.operation, invocation, call)
      part.expected = .string(call.name)
      part.actual = .string(invocation.name)
      return [part]
    case .changedInput(let invocation, let call, let fields):
      var part = Part(.input, invocation, call)
      part.expected = call.input.json
      part.actual = invocation.inputJSON
      part.fields = fields
      return [part]
    case .misfit(let invocation, .input(let call, _)):
      var part = Part(.input, invocation, call)
      part.expected = call.input.json
      part.actual = invocation.inputJSON
      return [part]
    case .otherOrder(let invocation, let call, let after):
      var part = Part(.order, invocation, call)
      part.expected = .array([.string(call.address), .string(after.address)])
      part.actual = .array([.string(after.address), .string(call.address)])
      return [part]
    case .notReported(let call, let invocation), .notCancelled(let invocation, let call):
      return [Part(.answer, invocation, call)]
    case .hidden(let invocation, _, _): return [Part(.input, invocation, nil)]
    case .misfit(let invocation, _), .notAwaited(let invocation, _):
      return [Part(.answer, invocation, nil)]
    }
  }
}

extension Diagnostic {
  /// Creates the diagnostic of an inconclusive replay with a hidden input that may be another
  /// call's.
  static func unsure(_ call: Transcript.Call) -> Diagnostic {
    Diagnostic(
      .tiedCalls,
      "the replay is inconclusive: the hidden value of '\(call.address)' cannot be distinguished from others",
      at: nil,
      notes: [
        "line \(call.line): other calls of '\(call.name)' differ from it only in hidden values",
        "give the calls labels with 'as:', and record again",
      ])
  }

  /// Creates the diagnostic of an inconclusive replay in which a call may have got another call's
  /// answer.
  static func tied(_ call: Transcript.Call) -> Diagnostic {
    Diagnostic(
      .tiedCalls,
      "the replay is inconclusive: '\(call.address)' cannot be distinguished from an equal call",
      at: nil,
      notes: [
        "line \(call.line): both called '\(call.name)' at the same time and had different answers",
        "give the calls labels with 'as:', and record again",
      ])
  }
}

extension Invocation {
  /// The call in which a component makes this one.
  fileprivate var maker: Address { address.caller ?? address }
}

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
  }

  /// A recorded call that may correspond to a call of the run.
  package struct Candidate: Sendable {
    /// The address in the run.
    package let address: String
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

extension Transcript.Call {
  /// A description of the call, as in `line 4: 'a#1' called 'p.echo'`.
  ///
  /// The input distinguishes a call made by a component from similar ones.
  var sentence: String {
    let input = CallKey.isOfComponent(address) ? " with \(input.json.summary())" : ""
    return "line \(line): '\(address)' called '\(name)'\(input)"
  }
}
