internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowTranscript

/// Replays a scenario with altered answers.
struct MutationTrial: Sendable {
  let transcript: Transcript
  let plan: Plan
  let inputs: [Value]
  /// Gives a run one that hides what the project's patterns match, as in the recorded inputs; what the run takes
  /// for a secret is an altered one, and stays with it.
  let redactor: @Sendable () -> Redactor

  /// Who noticed an alteration.
  enum Notice: String, Sendable {
    /// An expectation, an assertion or a later call failed.
    case noticed
    /// Only the outputs of the scenario are others.
    case outputs
    /// Nobody.
    case unnoticed
  }

  /// What became of an alteration.
  struct Result: Sendable {
    let alteration: Alteration
    let notice: Notice
  }

  /// The results in the order of the alterations, of which several are tried at once.
  @concurrent func results(of alterations: [Alteration], _ jobs: Jobs) async -> [Result] {
    var results: [Result] = []
    // A task for each would cost more than most replays.
    await jobs.run(alterations.chunks(of: 64)) { chunk in
      var results: [Result] = []
      for alteration in chunk where !Task.isCancelled {
        results.append(Result(alteration: alteration, notice: await notice(of: alteration)))
      }
      return results
    } receive: { chunk in
      results += chunk
    }
    return results
  }

  private func notice(of alteration: Alteration) async -> Notice {
    let report = await Replay(transcript.applying(alteration), of: plan)
      .run(inputs: inputs, redactor: redactor())
    // A failure that may be is one that a check noticed, and the run went another way or it did not.
    guard report.run.passed else { return .noticed }
    return report.passed ? .unnoticed : .outputs
  }
}

extension Array {
  /// The elements in order, so many at a time.
  fileprivate func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
