internal import FlowCore
internal import FlowEngine
internal import FlowReport
internal import FlowScenario
internal import FlowTranscript

extension CommandRun {
  /// Returns the same run again, which writes nothing but a recording in memory.
  func again(in session: Session.Options, _ plan: Plan) -> CommandRun {
    var copy = CommandRun()
    copy.session = session
    copy.detail = .failures
    copy.isFromInput = isFromInput
    copy.inputs = inputs
    copy.given = given
    copy.first = MemoryRecording(of: plan)
    return copy
  }
}

extension CommandContext {
  /// Runs a recorded scenario again, and prints the parts of calls to declare under `varies`.
  func propose(
    from first: InMemoryTranscript, _ run: CommandRun, _ plan: Plan, _ inputs: [Value]
  ) async -> ExitCode {
    let (report, wasInterrupted) = await runLive(plan, inputs, run)
    print(report.diagnostics)
    if wasInterrupted { return .interrupted }
    guard report.passed, let second = run.first else {
      process.say("the second run failed, so nothing is proposed", as: .note)
      return .failed
    }
    do throws(TranscriptError) {
      let proposed = ProposedVarying(
        try first.read(plan.file), try second.run.read(plan.file), of: plan)
      process.output(proposed.text)
      return .passed
    } catch {
      print(error)
      return .failed
    }
  }
}

extension ProposedVarying {
  /// The declarations as YAML, or an empty string if nothing differed.
  fileprivate var text: String {
    if components.isEmpty { return "" }
    let lines = components.flatMap { component in
      ["  \(component):", "    varies:"]
        + calls(of: component).flatMap { ["      \($0.name):"] + $0.parts.lines }
    }
    return (["# These parts of calls differed between the two runs:", "components:"] + lines)
      .map { $0.onOneLine + "\n" }.joined()
  }
}

extension ProposedVarying.Parts {
  fileprivate var lines: [String] {
    [("same", same), ("any", any), ("answer", answer)].filter { !$0.1.isEmpty }.map { kind, paths in
      "        \(kind): [" + paths.map(Self.quoted).joined(separator: ", ") + "]"
    }
  }

  /// A path as a string of YAML.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || [0x2D, 0x2E, 0x5F].contains($0)
    }
    // A number would not be text.
    let isText = path.utf8.first.map { $0 > UInt8(ascii: "9") } ?? false
    return isPlain && isText ? path : "'\(path.replacing("'", with: "''"))'"
  }
}
