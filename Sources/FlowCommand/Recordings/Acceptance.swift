internal import FlowCore
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The commands that record a transcript of a scenario anew.
struct Acceptance {
  let plan: Plan
  /// The components that run: a run with live components may fail where a replay passes.
  var live = LiveComponents.none
  /// The options that the commands repeat.
  var given = ""

  /// The command with the inputs and the seed that a header has; exploring again for what exploring has recorded.
  func command(for transcript: String, _ header: TranscriptHeader) -> String {
    let file = plan.file.shellPath
    if header.schedule != nil {
      // Exploring calls all of them unless some are named.
      let names = live == .all ? "" : live.argument(for: plan)
      return "flow explore \(names)\(file)\(given)"
    }
    let command = command(for: transcript)
    // `flow test` keeps them by itself.
    if Path.transcript(of: plan.file) == transcript { return command }
    return command + header.inputOptions + (header.seed == 0 ? "" : " --seed \(header.seed)")
  }

  /// The command without inputs of its own.
  func command(for transcript: String) -> String {
    let file = plan.file.shellPath
    return Path.transcript(of: plan.file) == transcript
      ? "flow test \(live.argument(for: plan))\(file)\(given) --update failed"
      : "flow run \(file) --record=\(transcript.shellWord)\(given)"
  }

  /// The command for the transcript beside the scenario.
  var command: String { command(for: Path.transcript(of: plan.file)) }
}

extension TranscriptHeader {
  /// The options that give the recorded inputs again.
  var inputOptions: String {
    // A hidden value cannot be given again from what was recorded.
    inputs.map { ($0.name, $0.value.inputText) }.filter { !Redactor.hasPlaceholder(.string($0.1)) }
      .map { " --input " + "\($0)=\($1)".shellWord }.joined()
  }
}

extension JSON {
  /// A recorded input as `--input` takes it.
  fileprivate var inputText: String { string ?? text }
}

extension String {
  /// The text as one word of a POSIX shell's command, in quotes only where it needs them.
  var shellWord: String {
    let isPlain = utf8.allSatisfy { $0.isWordCharacter || "@%+=:,./-".utf8.contains($0) }
    return isPlain && !utf8.isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
  }

  /// A path as a word that cannot be mistaken for an option.
  var shellPath: String { (hasPrefix("-") ? "./" + self : self).shellWord }
}
