internal import FlowCore
internal import FlowEngine

/// How a replayed run departs from its transcript, as data and in words.
enum ReplayFailure {
  case notRecorded(Invocation, near: [String], ReplayMismatch.Candidate?)
  case otherOperation(Invocation, Transcript.Call)
  case otherOrder(Invocation, Transcript.Call, after: Transcript.Call)
  case changedInput(Invocation, Transcript.Call, [FieldChange])
  case misfit(Invocation, Misfit)
  case notAwaited(Invocation, Value)
  case notReported(Transcript.Call, Invocation)
  case notCalled([Transcript.Call])

  /// What is recorded and does not fit what the components declare now.
  enum Misfit {
    case input(Transcript.Call, DecodeError)
    case answer(DecodeError)
    case error(String)
    case event(String)
    case payload(event: String, DecodeError)
  }

  /// The failure in words; `advice` says what to do when the departure is meant.
  func failure(advice: String?) -> BoundaryFailure {
    let advice = advice.map { [$0] } ?? []
    return switch self {
    case .notRecorded(let invocation, let near, let candidate):
      BoundaryFailure(
        code: .unrecordedCall, message: "'\(invocation.address)' is not in the transcript",
        notes: ["it calls '\(invocation.name)' with \(invocation.input.summary())"]
          + near.map { "recorded and not yet served: '\($0)'" }
          + (candidate.map(Self.words) ?? []) + advice)
    case .otherOperation(let invocation, let recorded):
      BoundaryFailure(
        code: .otherOperation,
        message: "'\(invocation.address)' calls '\(invocation.name)', recorded '\(recorded.name)'",
        notes: advice)
    case .otherOrder(let invocation, let recorded, let earlier):
      BoundaryFailure(
        code: .otherOrder,
        message:
          "'\(invocation.address)' comes after '\(earlier.address)', recorded before its end",
        notes: [
          "line \(recorded.line): '\(recorded.address)' called '\(recorded.name)'",
          "line \(earlier.line): '\(earlier.address)' called '\(earlier.name)'"
            + (earlier.answerLine.map { ", answered in line \($0)" } ?? ""),
        ] + advice)
    case .changedInput(let invocation, _, let changes):
      BoundaryFailure(
        code: .changedInput, message: "the input of '\(invocation.address)' has changed",
        notes: changes.noteLines + advice)
    case .misfit(let invocation, let misfit): misfit.failure(of: invocation, advice)
    case .notAwaited(let invocation, let payload):
      BoundaryFailure(
        code: .otherEvent,
        message: "what '\(invocation.address)' received is not what it waits for",
        notes: ["recorded \(payload.summary())"] + advice)
    case .notReported(let recorded, let invocation):
      Self.notReported(recorded, invocation, advice)
    case .notCalled(let calls): Self.notCalled(calls, advice)
    }
  }

  private static func notReported(
    _ recorded: Transcript.Call, _ invocation: Invocation, _ advice: [String]
  ) -> BoundaryFailure {
    let line = recorded.answerLine ?? recorded.line
    return BoundaryFailure(
      code: .unreportedEvent,
      message: "'\(invocation.address)' received an event that is not recorded as reported",
      notes: ["line \(line): it received '\(invocation.name)'"] + advice)
  }

  private static func notCalled(
    _ calls: [Transcript.Call], _ advice: [String]
  ) -> BoundaryFailure {
    let shown = calls.prefix(5).map { "line \($0.line): '\($0.address)' called '\($0.name)'" }
    let more = calls.count > 5 ? ["and \(calls.count - 5) more"] : []
    let noun = calls.count == 1 ? "call was" : "calls were"
    return BoundaryFailure(
      code: .unusedCalls, message: "\(calls.count) recorded \(noun) never made",
      notes: shown + more + advice)
  }

  /// The nearest recorded call, where it says more than that there is one.
  private static func words(_ candidate: ReplayMismatch.Candidate) -> [String] {
    let served = candidate.isServed ? ", which was served already" : ""
    if candidate.fields.isEmpty {
      return candidate.isServed
        ? ["the same call is recorded in line \(candidate.line) at '\(candidate.address)'\(served)"]
        : []
    }
    let title = "the nearest is in line \(candidate.line), '\(candidate.address)'\(served)"
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
