internal import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowTranscript

// The failures of scenarios that flow has written itself.

extension CommandContext {
  /// Says why a run of a scenario failed that is in no file, without its places and inputs.
  ///
  /// The first note of a component's error has the reason.
  func say(unplaced diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics {
      let reason = diagnostic.code == .unexpectedError ? diagnostic.notes.first : nil
      process.say((reason ?? diagnostic.message).onOneLine)
    }
  }

  /// Says an error of a recording or of its files, and returns the code for it.
  func code(after error: any Error) -> ExitCode {
    switch error {
    case let error as TranscriptError: print(error)
    case let error as ScenarioError:
      error.hideSecrets(by: redactor)
      print(error.diagnostics)
    case let error as FileError:
      process.say("\(error)")
      return error.code
    default: process.say("\(error)")
    }
    return .badInput
  }
}
