internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// The commands for recording a transcript of a scenario again.
struct Acceptance {
  let plan: Plan
  /// The live components, because a run with them may fail even if a replay passes.
  var live = LiveComponents.none
  /// The options repeated in the commands.
  var given = ""

  /// Returns the command with the inputs and the seed of a header, or for a transcript with a
  /// schedule the command that explores again.
  func command(for transcript: String, _ header: TranscriptHeader) -> String {
    let file = plan.file.shellPath
    if header.schedule != nil {
      // `flow explore` runs all components unless some are named.
      let names = live == .all ? "" : live.argument(for: plan)
      return "flow explore \(names)\(file)\(given)"
    }
    let command = command(for: transcript)
    // `flow test` takes them from the transcript.
    if Path.transcript(of: plan.file) == transcript { return command }
    return command + header.inputOptions + (header.seed == 0 ? "" : " --seed \(header.seed)")
  }

  /// Returns the command without inputs.
  func command(for transcript: String) -> String {
    let file = plan.file.shellPath
    return Path.transcript(of: plan.file) == transcript
      ? "flow test \(live.argument(for: plan))\(file)\(given) --update failed"
      : "flow run \(file) --record=\(transcript.shellWord)\(given)"
  }

  /// The command for the transcript next to the scenario.
  var command: String { command(for: Path.transcript(of: plan.file)) }
}

extension TranscriptHeader {
  /// The options for the recorded inputs without defaults.
  var inputOptions: String {
    // A hidden value is not in the recording, so it cannot be given again.
    givenInputs.map { ($0.name, $0.value.inputText) }.filter {
      !Redactor.hasPlaceholder(.string($0.1))
    }
    .map { " --input " + "\($0)=\($1)".shellWord }.joined()
  }
}

extension JSON {
  /// The text of a recorded input for `--input`.
  fileprivate var inputText: String { string ?? text }
}

extension String {
  /// The text as one word of a POSIX shell's command, with quotes only if needed.
  var shellWord: String {
    let isPlain = utf8.allSatisfy { $0.isWordCharacter || "@%+=:,./-".utf8.contains($0) }
    return isPlain && !utf8.isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
  }

  /// The path as a word of a command that does not look like an option.
  var shellPath: String { (hasPrefix("-") ? "./" + self : self).shellWord }
}
