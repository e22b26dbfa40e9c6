internal import FlowCore
internal import FlowEditor
internal import FlowSystem

extension CommandContext {
  /// Serves an editor over the Debug Adapter Protocol on standard input and output.
  func serveDebugAdapter(_ options: DebugOptions) async -> ExitCode {
    let parts = ClientInput.parts(by: MessageStream(), endingWith: OtherProcess.starter)
    let (_, wasInterrupted) = await interruptibly { [self] in
      let adapter = debugAdapter(options) { [output = process.messageOutput] message in
        output(MessageStream.frame(message))
      }
      await adapter.serve(parts)
    }
    return wasInterrupted ? .interrupted : .passed
  }

  /// Returns an adapter that finds the scenario of a launch, and sends its messages by `send`.
  func debugAdapter(
    _ options: DebugOptions, send: @escaping @Sendable (JSON) -> Void
  ) -> DebugAdapter {
    let flow = self
    return DebugAdapter(redactor) { launch, log in
      var options = options
      options.isLive = options.isLive || launch.isLive
      for input in launch.inputs { options.inputs.set(input.name, to: input.text) }
      if launch.recording != nil { options.scenario = launch.program }
      do {
        let path = launch.recording ?? launch.program
        let target = try flow.debugTarget(path, options) { log("\($0): \($1)") }
        if target.recording != nil, !launch.inputs.isEmpty {
          throw DebugError("the recording has its own inputs; 'inputs' needs 'live'")
        }
        return target
      } catch let error as UsageError {
        throw DebugError(error.message)
      }
    } send: {
      send($0)
    }
  }
}
