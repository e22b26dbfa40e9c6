import FlowCore
private import FlowProcess
internal import Subprocess

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The known state of a process, and the next action for it.
struct ChildState: Sendable {
  typealias Instant = ContinuousClock.Instant

  private enum Phase: Sendable {
    case running
    /// The process has ended, but another one may still hold its pipes.
    case draining(until: Instant)
    /// The process is reaped, but others of its group may be left.
    case clearing
    case ended(ProcessResult)
  }

  // The time for other processes holding a pipe to write after the end of the process.
  private static let drain = Duration.milliseconds(100)
  // The time after which a line without an end counts as one: nothing else tells that no more of it
  // comes. A program writes a line at once, or waits for something longer than this.
  private static let silence = Duration.milliseconds(500)

  let pid: Int32
  private let started = Instant.now
  private let grace: Duration
  private var streams: SubprocessStreams
  private var output: Output
  private var errors: Output
  private var phase = Phase.running
  private var end: SubprocessEnd
  private var judgement = EndJudgement()
  private var elapsed = Duration.zero
  private var searches = LineSearches()
  /// The text on its terminal, or nil without one.
  private var terminal: TerminalText?
  /// The time of its latest output.
  private var written = Instant.now
  private var waiting: [CheckedContinuation<ProcessResult, Never>] = []

  /// Starts a process.
  ///
  /// - Throws: `.notFound` or `.startFailed`.
  init(starting command: Command) throws(ProcessError) {
    (pid, streams) = try SubprocessStreams.start(command)
    end = SubprocessEnd(
      pid,
      by: command.foreground != nil ? .interrupt : command.terminal != nil ? .hangUp : .terminate)
    grace = command.grace
    let isShown = command.show != nil
    output = Output(limit: command.limit, copy: command.file, isShown: isShown)
    errors = Output(limit: command.limit, copy: command.errorFile, isShown: isShown)
    if command.terminal != nil { terminal = TerminalText() }
  }

  /// The result, or nil while a part of the process is left.
  var result: ProcessResult? { if case .ended(let result) = phase { result } else { nil } }

  /// The reason why an output is not completely in its file, or nil.
  var outputFailure: FileError? { output.failure ?? errors.failure }

  /// The last lines kept of the outputs.
  var lastLines: [String] { output.lastLines + errors.lastLines }

  /// The descriptors to watch.
  var descriptors: [SubprocessStreams.Watched] { streams.descriptors }

  /// The time at which `advance` is due without any event, or nil.
  var deadline: Instant? {
    switch phase {
    case .running, .clearing: end.deadline
    case .draining(let time): time
    case .ended: nil
    }
  }

  /// Takes the result, or keeps a continuation for it.
  mutating func resultOrWait(
    _ continuation: CheckedContinuation<ProcessResult, Never>
  ) -> ProcessResult? {
    if result == nil { waiting.append(continuation) }
    return result
  }

  /// Takes the continuations waiting for the result.
  mutating func takeWaiting() -> [CheckedContinuation<ProcessResult, Never>] {
    defer { waiting = [] }
    return waiting
  }

  /// Asks the group to end, and kills it after this or an earlier stop's grace period.
  ///
  /// The one that ends first counts.
  mutating func stop(after grace: Duration) {
    guard result == nil else { return }
    judgement.takeEnd()
    end.ask(grace)
  }

  /// Sends a signal, and returns false if the program has ended.
  mutating func send(_ signal: Int32, toGroup: Bool) -> Bool {
    // A number of a reaped process may be another's.
    guard case .running = phase else { return false }
    // An end before the signal is not its effect.
    if !streams.hasEnded { judgement.noteSignal(signal) }
    return flow_process_signal(toGroup ? -pid : pid, signal)
  }
}

// MARK: - From one run to the next

extension ChildState {
  /// True if the process runs, and nothing has asked it to end.
  var isUntouched: Bool {
    guard case .running = phase else { return false }
    return !streams.hasEnded && !end.isAsked
  }

  /// Forgets what the steps of another run have sent.
  mutating func forgetSteps() { judgement = EndJudgement() }
}

// MARK: - An end that nothing asked for

extension ChildState {
  /// Notes the end of the reaped process once, if it failed and nothing asked for it.
  mutating func noteEnd(_ note: Child.EndNote) {
    guard let exit = end.exit, let words = judgement.takeUnaskedEnd(exit.status, exit.signal)
    else { return }
    judgement.pending = note(words, lastLines)
  }

  /// Takes the end as asked for, whether or not it has come.
  mutating func takeEnd() { judgement.takeEnd() }

  /// Takes an end from now on as asked for, and returns true if the process has ended before and is
  /// not reaped.
  mutating func isEndingBefore() -> Bool {
    switch phase {
    case .clearing, .ended: return false
    case .draining: return true
    case .running:
      if streams.hasEnded { return true }
      judgement.takeEnd()
      return false
    }
  }
}

// MARK: - News

extension ChildState {
  /// Handles an event of a source.
  mutating func take(_ source: SubprocessStreams.Source) {
    switch source {
    case .input: streams.write()
    case .output: read(.output)
    case .errors: read(.errors)
    case .exit:
      streams.close(.exit)
      elapsed = .now - started
      // For a stopped process, no later output is awaited.
      phase = .draining(until: end.isAsked ? .now : .now + Self.drain)
    }
  }

  /// Does the work that is due.
  mutating func advance(_ now: Instant) {
    switch phase {
    case .running: end.advance(now)
    case .draining(let time):
      guard !streams.areOutputsOpen || now >= time else { return }
      end.reap(grace, now)
      if end.exit != nil { phase = .clearing }
    case .clearing: end.advance(now)
    case .ended: return
    }
    if case .clearing = phase, end.isComplete, let exit = end.exit { finish(exit) }
  }

  private mutating func finish(_ exit: (status: Int32, signal: Int32)) {
    read(.output)
    read(.errors)
    streams.closeAll()
    if terminal == nil {
      output.finish(&searches)
    } else {
      terminal?.finish(&searches)
      var none = LineSearches()
      output.finish(&none)
    }
    errors.finish(&searches)
    phase = .ended(
      ProcessResult(
        status: Int(exit.status), signal: exit.signal == 0 ? nil : SignalName.of(exit.signal),
        stdout: output.text, stderr: errors.text, truncated: output.isCut || errors.isCut,
        elapsed: elapsed))
  }
}

// MARK: - Output

extension ChildState {
  /// Reads a part of an output and leaves the rest of a flood, since stopping the process needs the
  /// lock.
  private mutating func read(_ source: SubprocessStreams.Source) {
    for _ in 0..<SubprocessStreams.chunks {
      guard let bytes = streams.read(source) else { return }
      written = .now
      if terminal != nil {
        terminal?.append(bytes[...], &searches)
        var none = LineSearches()
        output.append(bytes[...], &none)
      } else if source == .output {
        output.append(bytes[...], &searches)
      } else {
        errors.append(bytes[...], &searches)
      }
    }
  }

  /// Takes the new lines of both outputs for a person who watches the run.
  mutating func takeShown() -> [String] { output.takeShown() + errors.takeShown() }

  /// Starts a search for a line containing a string, both in earlier output and in later output.
  mutating func search(for text: String) -> Int {
    if let terminal { return searches.add(text, found: terminal.line(containing: text)) }
    let line = output.line(containing: text) ?? errors.line(containing: text)
    return searches.add(text, found: line)
  }

  /// Returns a line without an end that contains a string, if the program has been silent since.
  func unfinishedLine(containing text: String) -> String? {
    guard written.duration(to: .now) >= Self.silence else { return nil }
    if let terminal { return terminal.unfinishedLine(containing: text) }
    return output.unfinishedLine(containing: text) ?? errors.unfinishedLine(containing: text)
  }

  /// Returns the line found by a search, or nil.
  func line(of search: Int) -> String? { searches.line(of: search) }

  /// True if the program has a terminal.
  var hasTerminal: Bool { terminal != nil }

  /// Types on the terminal, and returns false if the program has ended.
  mutating func type(_ text: String) -> Bool {
    // Earlier output is not the answer to this input.
    read(.output)
    guard case .running = phase, terminal != nil, streams.input != nil else { return false }
    if !streams.hasEnded { judgement.noteTyping() }
    terminal?.beginInput(Array(text.utf8), echoedBy: streams.echo)
    streams.send(Array(text.utf8))
    return true
  }

  /// Returns the line on the terminal with a text up to its end, or nil.
  func prompt(_ text: String) -> String? { terminal?.line(upTo: text) }

  /// Ends a search.
  mutating func endSearch(_ search: Int) { searches.remove(search) }
}
