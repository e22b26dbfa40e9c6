internal import FlowCore
internal import FlowEditor
internal import FlowEngine
internal import FlowPlan
internal import FlowReport
internal import FlowSystem
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The debugger of a person in front of a terminal, or of a script on standard input.
final class TerminalDebugger {
  private static let prompt = "(flow) "

  private let session: DebugSession
  private let flow: CommandContext
  private let input: DebuggerInput
  private let text: DebuggerText
  private var news: AsyncStream<DebugNews>.AsyncIterator
  private var signals: TakenSignals?
  /// True if live steps may be run again.
  private let allowsAgain: Bool

  init(
    _ session: DebugSession, _ flow: CommandContext, _ input: DebuggerInput,
    allowsAgain: Bool = true
  ) {
    (self.session, self.flow, self.input) = (session, flow, input)
    self.allowsAgain = allowsAgain
    text = DebuggerText(session, flow)
    news = session.liveNews.makeAsyncIterator()
  }

  /// Debugs until `quit` or the end of the input.
  ///
  /// Returns the exit code, for a live run that of its end.
  func run() async -> ExitCode {
    takeInterruptions()
    defer { signals?.release() }
    if session.target.recording != nil {
      await session.replay()
      say(text.stop(session.place == .end ? .end : .entry))
    } else {
      session.start(stopsOnEntry: true)
      await awaitStop(as: .entry)
    }
    await serve { true }
    let end = session.end
    await session.close()
    guard session.isLive else { return .passed }
    return end.map { $0.passed ? ExitCode.passed : .failed } ?? .interrupted
  }

  /// Runs the scenario, and reads commands where a step fails.
  ///
  /// Returns true if the run was cancelled.
  func runToEnd() async -> Bool {
    takeInterruptions()
    defer { signals?.release() }
    session.start(stopsOnEntry: false)
    await awaitStop()
    await serve { self.session.end == nil }
    let wasInterrupted = session.end == nil
    await session.close()
    return wasInterrupted
  }

  /// Performs commands while they are wanted, up to `quit` or the end of the input.
  private func serve(while isWanted: () -> Bool) async {
    // A request to stop leaves nothing to perform, whatever a script has sent.
    while isWanted(), let line = await input.line(after: Self.prompt), !Task.isCancelled {
      do throws(DebuggerCommand.Unknown) {
        let read = try DebuggerCommand.read(line)
        if read.command == .quit { return }
        await perform(read)
      } catch {
        let near =
          error.near.isEmpty ? "; 'help' lists the commands" : Suggestion.ending(error.near)
        say("no command '\(error.word.onOneLine)'\(near)")
      }
    }
  }

  private func perform(_ line: DebuggerCommand.Line) async {
    switch line.command {
    case .next: await move(.next)
    case .step: await move(.step)
    case .out: await move(.out)
    case .end: await move(.end)
    case .back: await move(.back)
    case .goOn: await move(.run)
    case .reverse: await move(.reverse)
    case .breakpoint: say(text.addBreakpoint(line.argument))
    case .delete: say(text.removeBreakpoint(line.argument))
    case .list: say(text.lines)
    case .print: say(text.value(of: line.argument))
    case .values: say(text.values)
    case .origin: say(await text.origin(of: line.argument))
    case .try: say(await text.attempt(line.argument))
    case .reload: await reload()
    case .where: say(text.frames)
    case .live: await goOnLive()
    case .again: await again()
    case .help: flow.process.output(DebuggerCommand.listing)
    case .quit: return
    }
  }

  private func say(_ text: String) {
    flow.process.output(text.hasSuffix("\n") ? text : text + "\n")
  }

  // MARK: - Movements

  private func move(_ move: DebugSession.Move) async {
    if session.isLive, [.back, .reverse].contains(move) {
      return say("a live run cannot go back; 'flow debug' on its recording can")
    }
    if session.place == .end, ![.back, .reverse].contains(move) {
      return say("the run has ended" + (session.isLive ? "" : "; 'back' goes back"))
    }
    if let reason = session.move(move) { say(text.stop(reason)) } else { await awaitStop() }
  }

  /// Waits until the live run stops or ends.
  private func awaitStop(as entry: StopReason? = nil) async {
    guard let news = await news.next(isolation: nil) else { return }
    let reason = session.take(news)
    say(text.stop(reason == .step ? entry ?? reason : reason))
  }

  private func goOnLive() async {
    if session.isLive { return say("the run is live already") }
    guard let moment = session.moment, session.place != .end,
      let step = session.frames(at: moment).first
    else { return say("the run has ended; go back to the step from which it is to go on live") }
    say(
      "the answers before '\(step.address)' are served; '\(step.address)' and all later steps call "
        + text.components)
    guard await input.line(after: "go on live? (yes/no) ") == "yes" else {
      return say("nothing was run; 'yes' runs it")
    }
    guard session.goOnLive() else { return }
    await awaitStop()
  }

  private func again() async {
    guard session.isLive else { return say("a step can be run again in a live run only") }
    guard allowsAgain else {
      return say("a step that ran again would not fit the recording that is written")
    }
    guard session.again() else {
      return say("no step has just ended; 'end' goes to the end of a step")
    }
    await awaitStop()
  }

  private func reload() async {
    if session.isLive { return say("the file of a live run cannot be read again") }
    do {
      try await session.reload()
      say(text.stop(session.place == .end ? .end : .entry))
    } catch {
      say(text.problems(error.diagnostics))
    }
  }

  /// Takes Ctrl-C: it stops a live run that goes on, ends the input at the prompt, and then the
  /// process.
  ///
  /// Other requests to stop cancel the task of the debugger.
  private func takeInterruptions() {
    guard flow.process.takesSignals else { return }
    let interruptions = PromptInterruptions()
    signals = TakenSignals([SIGINT]) {
      [control = session.control, process = flow.process, end = input.ending] in
      switch control.interrupt() {
      case .stops:
        process.output("stopping before the next step; press Ctrl-C again to cancel the run\n")
      case .cancels: break
      case .none:
        guard interruptions.isFirst() else { exit(ExitCode.interrupted.rawValue) }
        end()
      }
    }
  }
}

/// The number of interruptions at the prompt.
private final class PromptInterruptions: Sendable {
  private let count = Mutex(0)

  /// True for the first one.
  func isFirst() -> Bool {
    count.withLock { count in
      count += 1
      return count == 1
    }
  }
}
