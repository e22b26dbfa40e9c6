internal import FlowCore
internal import FlowEditor
internal import FlowPlan
internal import FlowTranscript

extension Command {
  static let debug = Command(
    syntax: CommandSyntax(
      name: "debug", summary: "Goes through a run step by step, forward and back.",
      operands: .upToOne("SCENARIO|TRANSCRIPT|JOURNAL"),
      options: [
        Option("live", .none, "Runs the scenario live, although it has a recording."),
        Option("dap", .none, "Serves an editor over the Debug Adapter Protocol."),
        .scenario(named: "recording"), RunOptions.seed, .secret,
      ] + GivenInputs.options + Permissions.options,
      details: """
        A recording is the transcript beside the scenario, or the given transcript or journal. It is
        gone through forward and back, and nothing runs. Without a recording, and with '--live', the
        scenario runs live and stops before its first step.

        Commands are read from standard input, one a line. 'help' lists them:

          \(DebuggerCommand.overview)

        With '--dap', the editor names the scenario, and standard input and output carry the
        protocol.

          flow debug shop.transcript.jsonl
          flow debug shop.yaml --live --input amount=30
          printf 'continue\\norigin total\\n' | flow debug shop.yaml
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try DebugOptions(arguments, flow)
    if arguments.has("dap") {
      if let operand = arguments.operands.first { throw .unwantedOperand(operand, near: []) }
      return await flow.serveDebugAdapter(options)
    }
    guard let path = arguments.operands.first else { throw .missingOperand("SCENARIO") }
    let (code, wasInterrupted) = try await flow.interruptibly(withoutCtrlC: true) {
      () async throws(UsageError) in
      try await flow.debug(path, options, DebuggerInput(flow.process))
    }
    return wasInterrupted ? .interrupted : code
  }
}

extension CommandContext {
  /// Debugs a scenario in the terminal, or by the commands on standard input.
  func debug(
    _ path: String, _ options: DebugOptions, _ input: DebuggerInput
  ) async throws(UsageError) -> ExitCode {
    do {
      let target = try debugTarget(path, options) { [process] address, line in
        process.output("\(address): \(line.onOneLine)\n")
      }
      let session = try DebugSession(target, redactor)
      if target.recording == nil, !options.isLive {
        process.say("'\(path.onOneLine)' has no transcript, so the run is live", as: .note)
      }
      return await TerminalDebugger(session, self, input).run()
    } catch let error as UsageError {
      throw error
    } catch let error as ScenarioError {
      print(error.diagnostics)
    } catch let error as TranscriptError {
      print(error)
    } catch {
      process.say("\(error)")
    }
    return .badInput
  }
}
