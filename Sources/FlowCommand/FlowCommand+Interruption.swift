extension FlowCommand {
  /// Does work that Ctrl-C cancels, where the process's signals may be taken; the work is awaited in
  /// any case.
  func interruptibly<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, wasInterrupted: Bool) {
    guard world.takesSignals else { return (await work(), false) }
    return await Interruption.cancelling(
      Task { await work() },
      notice: { [world] in world.errorOutput("flow: stopping; once more to stop at once\n") },
      abandon: {})
  }
}
