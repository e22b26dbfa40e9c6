internal import FlowCore
package import FlowSystem

extension Transcript {
  /// The latest recorded answer of each step, or the code of its error, by the steps' paths.
  package var latestAnswers: [String: JSON] {
    var answers: [String: JSON] = [:]
    for call in calls where call.address.calls.isEmpty {
      switch call.answer {
      case .output(let output)?: answers[call.address.path] = output.served
      case .error(let code, let message)?:
        let error = [JSON.Member("code", .string(code)), .init("message", .string(message))]
        answers[call.address.path] = .object([.init("error", .object(error))])
      case .cancelled?, nil: break
      }
    }
    return answers
  }

  /// The recorded inputs of the scenario.
  package var recordedInputs: [JSON.Member] { header.inputs }
}
