internal import FlowCore
internal import FlowEngine
internal import FlowSystem

/// A difference of a replayed run from its transcript, as data and in words.
enum ReplayFailure {
  case notRecorded(
    Invocation, near: [Address], ReplayMismatch.Candidate?, refusal: String? = nil,
    varying: [String] = [])
  case otherOperation(Invocation, Transcript.Call)
  case otherOrder(Invocation, Transcript.Call, after: Transcript.Call)
  /// A request from outside that came without one recorded before it.
  case early(Invocation, Transcript.Call, before: Transcript.Call)
  /// A request from outside that came during another step.
  case otherStep(Invocation, Transcript.Call, Address?)
  /// Values that are not the same where the recorded ones are, or the other way round.
  case otherValues(Invocation, Transcript.Call, [SameValues.Conflict])
  case changedInput(Invocation, Transcript.Call, [FieldChange])
  case hidden(Invocation, remedies: [String], Set<Reach>)
  case misfit(Invocation, Misfit)
  case notAwaited(Invocation, Value)
  case notCancelled(Invocation, Transcript.Call)
  case notReported(Transcript.Call, Invocation)
  case notCalled([Transcript.Call])
  case stale(Invocation, [StaleFile])

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
    case .notRecorded(let invocation, let near, let candidate, let refusal, let varying):
      BoundaryFailure(
        code: .unrecordedCall, message: "'\(invocation.address)' is not in the transcript",
        notes: ["it calls '\(invocation.name)' with \(invocation.input.summary())"]
          + (invocation.step.map { ["it came during '\($0)'"] } ?? [])
          + near.unique.map { "recorded but not yet used: '\($0)'" }
          + (candidate.map(Self.words) ?? [])
          + (refusal.map { ["the component was not asked: \($0)"] } ?? []) + varying + advice)
    case .otherOperation(let invocation, let recorded):
      BoundaryFailure(
        code: .otherOperation,
        message: "'\(invocation.address)' calls '\(invocation.name)', recorded '\(recorded.name)'",
        notes: advice)
    case .otherOrder(let invocation, let recorded, let earlier):
      Self.otherOrder(invocation, recorded, after: earlier, advice)
    case .early(let invocation, let recorded, let missing):
      BoundaryFailure(
        code: .otherOrder,
        message: "'\(invocation.address)' came before '\(missing.address)', recorded before it",
        notes: [
          missing.sentence, recorded.sentence,
          "if the program may send them in any order, declare 'order: any' under 'varies'",
        ] + advice)
    case .otherStep(let invocation, let recorded, let step):
      BoundaryFailure(
        code: .otherOrder,
        message: "'\(invocation.address)' came during another step than recorded",
        notes: [
          recorded.sentence,
          "recorded during '\(Self.words(step))', now during '\(Self.words(invocation.step))'",
          "if the program may send it at any time, declare 'order: any' under 'varies'",
        ] + advice)
    case .otherValues(let invocation, _, let conflicts):
      BoundaryFailure(
        code: .changedInput, message: "the input of '\(invocation.address)' has changed",
        notes: conflicts.map(\.note) + advice)
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
    case .stale(let invocation, let files):
      Self.stale(invocation, files, advice.flatMap(Self.staleAdvice))
    }
  }

  /// The advice for something that has changed beside the scenario.
  static func staleAdvice(_ advice: String) -> [String] {
    [advice, "'--allow stale' accepts the recorded answers once"]
  }

  private static func stale(
    _ invocation: Invocation, _ files: [StaleFile], _ advice: [String]
  ) -> BoundaryFailure {
    let reader =
      if case .open = invocation.target { "'\(invocation.name)' was opened" } else {
        "'\(invocation.address.place)' was recorded"
      }
    let unreadable = files.compactMap(\.error)
    let changed = files.filter { $0.error == nil }
    let message =
      if changed.isEmpty { "\(names(of: files)) could be read when \(reader), but not now" } else {
        "\(names(of: changed)) \(changed.count == 1 ? "has" : "have") changed since \(reader)"
      }
    return BoundaryFailure(
      code: .stale, message: message,
      notes: unreadable.prefix(5).map { "\($0)" }
        + ["its recorded answer was made of the old content"] + advice)
  }

  private static func names(of files: [StaleFile]) -> String {
    let names = files.prefix(5).map { "'\($0.file.path.escaped)'" }.joined(separator: ", ")
    return names + (files.count > 5 ? " and \(files.count - 5) more" : "")
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
    let shown = calls.prefix(5).map { call in
      call.sentence + (call.marks.arrival.map { " during '\($0.step)'" } ?? "")
    }
    let more = calls.count > 5 ? ["and \(calls.count - 5) more"] : []
    let noun = calls.count == 1 ? "call was" : "calls were"
    return BoundaryFailure(
      code: .unusedCalls, message: "\(calls.count) recorded \(noun) never made",
      notes: shown + more + advice)
  }

  private static func words(_ step: Address?) -> String { step.map { "\($0)" } ?? "steps" }

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

extension SameValues.Conflict {
  /// The conflict on one line.
  fileprivate var note: String {
    guard let expected else {
      return "\(path): recorded as a new value, now \(now.summary()), the same as in another call"
    }
    if isOfOneRun { return "\(path): recorded \(expected.summary()), now \(now.summary())" }
    return "\(path): recorded the same as in another call, \(expected.summary()), "
      + "now \(now.summary())"
  }
}

extension Invocation {
  /// The call in which a component makes this one.
  fileprivate var maker: Address { address.caller ?? address }
}

extension Transcript.Call {
  /// A description of the call, as in `line 4: 'a#1' called 'p.echo'`.
  ///
  /// The input distinguishes a call made by a component from similar ones.
  var sentence: String {
    let input = !address.calls.isEmpty ? " with \(input.json.summary())" : ""
    return "line \(line): '\(address)' called '\(name)'\(input)"
  }
}
