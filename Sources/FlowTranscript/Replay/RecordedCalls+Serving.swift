internal import FlowCore
internal import FlowEngine
internal import FlowRedaction

// What a recorded call serves in a replay.

extension RecordedCalls {
  /// Sends the component's reports from a call, or after it, to the sinks and to waiting steps.
  func emit(
    _ recorded: Transcript.Call, _ invocation: Invocation, _ sinks: EventSinks
  ) throws -> [LateReports.Report] {
    var reports: [LateReports.Report] = []
    for (event, recordedPayload) in recorded.emitted {
      guard let type = invocation.payloadType(of: event) else {
        throw failure(.misfit(invocation, .event(event)))
      }
      do {
        let payload = try Value(recordedPayload.served, as: .record(type))
        sinks.receive(.emitted(invocation.address, event: event, payload: payload))
        let key = EventQueue.Key(scope: invocation.scope, name: event)
        reports.append((key, sinks.redactor.restored(payload) ?? payload))
      } catch {
        throw failure(.misfit(invocation, .payload(event: event, error)))
      }
    }
    return reports
  }

  /// Returns the recorded answer, with the output as a value of the operation's type.
  func outcome(of answer: Transcript.Answer, _ invocation: Invocation) throws -> Outcome {
    switch answer {
    case .error(let name, let message):
      let code = ErrorCode(name, "")
      guard invocation.target.canFail(with: code) else {
        throw failure(.misfit(invocation, .error(name)))
      }
      return .error(ComponentError(code, message))
    case .output(let output):
      do {
        return .answer(try Value(output.served, as: .record(invocation.outputType)))
      } catch {
        throw failure(.misfit(invocation, .answer(error)))
      }
    case .cancelled: return .cancelled
    }
  }
}
