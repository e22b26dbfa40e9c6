internal import FlowDatabase
internal import FlowRedaction
internal import FlowReport
internal import FlowSystem
private import Synchronization

/// The process around a command.
///
/// Tests provide their own.
public struct ProcessEnvironment: Sendable {
  /// Writes to standard output.
  public var output: @Sendable (String) -> Void
  /// Writes to standard error.
  public var errorOutput: @Sendable (String) -> Void
  /// True if standard output is a terminal.
  public var isTerminal: Bool
  /// True if standard error is a terminal.
  public var isErrorTerminal = false
  /// True if the process's signals may be taken, so that Ctrl-C cancels a run.
  public var takesSignals = false
  /// True if part of the standard output was lost, although it has a reader.
  public var lostOutput: @Sendable () -> Bool = { false }
  /// The number of threads that the machine runs at once, 1 or more.
  public var coreCount = 1
  /// The duration after which a scenario of a suite is reported as slow, or nil for never.
  public var slowAfter: Duration?
  /// The environment variables known to flow by name.
  public var environment: [String: String]
  /// The value of any other environment variable.
  ///
  /// Names of secrets are known only on request.
  public var otherVariable: @Sendable (String) -> String? = { _ in nil }
  /// The live rows below the printed texts, or nil without live rows.
  var region: LiveRegion?
  /// The keys pressed while the region is shown, or nil without a region.
  var keys: TerminalKeys?
  /// Writes a JSON document to standard output.
  var documentOutput: @Sendable (String) -> Void
  /// Writes a report, with its secrets already hidden, to standard output.
  var reportOutput: @Sendable (String) -> Void
  /// Writes a message of a protocol, which contains its own length, to standard output.
  var messageOutput: @Sendable (String) -> Void
  /// Writes a command for the surrounding CI service to standard output.
  var commandOutput: @Sendable (String) -> Void
  /// Writes a command for the surrounding CI service to standard error.
  var commandErrorOutput: @Sendable (String) -> Void

  /// Creates an environment from its parts.
  public init(
    output: @escaping @Sendable (String) -> Void,
    errorOutput: @escaping @Sendable (String) -> Void, isTerminal: Bool = false,
    environment: [String: String] = [:]
  ) {
    self.output = output
    documentOutput = output
    reportOutput = output
    messageOutput = output
    commandOutput = output
    self.errorOutput = errorOutput
    commandErrorOutput = errorOutput
    self.isTerminal = isTerminal
    self.environment = environment
  }

  /// Returns the environment of this process: its streams, and the environment variables known to
  /// flow.
  ///
  /// Call it before the process opens a file, since it first opens closed standard streams.
  public static func current() -> ProcessEnvironment {
    FileSystem.openClosedStreams()
    var environment: [String: String] = [:]
    for name in ["CI", "FLOW_UPDATE", "FORCE_COLOR", "NO_COLOR", "TERM"] {
      environment[name] = FileSystem.environmentVariable(name)
    }
    FileSystem.ignoreBrokenPipes()
    let hasLost = Mutex(false)
    let region = LiveRegion.process(environment)
    let outputRegion = Terminal.hasOutput ? region : nil
    var current = ProcessEnvironment(
      output: { text in
        if !(outputRegion?.print(text) ?? FileSystem.print(text)) { hasLost.withLock { $0 = true } }
      }, errorOutput: { if region?.print($0) == nil { FileSystem.printError($0) } },
      isTerminal: FileSystem.isOutputTerminal, environment: environment)
    current.isErrorTerminal = Terminal.isOnErrors
    current.region = region
    current.keys = region.map { _ in TerminalKeys() }
    // The signal asks for the places of the runs. It must not end the process if it comes too early
    // or too late.
    FileSystem.ignoreUserSignal()
    current.takesSignals = true
    current.otherVariable = { FileSystem.environmentVariable($0) }
    current.coreCount = FileSystem.coreCount
    current.slowAfter = .seconds(60)
    current.lostOutput = { hasLost.withLock { $0 } }
    return current
  }

  /// Restores the terminal to its state before the live rows.
  func leaveTerminal() {
    region?.end()
    keys?.release()
  }

  func variable(_ name: String) -> String? { environment[name] ?? otherVariable(name) }
  /// True on a machine without a person watching: `CI` is set and not empty.
  var isCI: Bool { !(environment["CI"] ?? "").isEmpty }
  /// True if texts for people on standard output have colours.
  var usesColors: Bool { usesColors(onTerminal: isTerminal) }
  /// True if texts for people on standard error have colours.
  var usesErrorColors: Bool { usesColors(onTerminal: isErrorTerminal) }
  /// True if the terminal shows signs and redrawn lines.
  var showsSigns: Bool { isTerminal && environment["TERM"] != "dumb" }

  /// Returns true if a stream has colours.
  ///
  /// Variables count only if they are set and not empty.
  ///
  /// The rules are https://no-color.org and https://force-color.org. The first takes precedence.
  private func usesColors(onTerminal isTerminal: Bool) -> Bool {
    let isSet = { (name: String) in !(environment[name] ?? "").isEmpty }
    let isShown = isTerminal && environment["TERM"] != "dumb"
    return !isSet("NO_COLOR") && (isShown || isSet("FORCE_COLOR"))
  }

  /// The word before one of flow's own messages.
  enum Label: String {
    case flow, note, warning, error

    fileprivate var paint: Paint {
      switch self {
      case .flow: .bold
      case .note: .boldCyan
      case .warning: .boldYellow
      case .error: .boldRed
      }
    }
  }

  /// Prints a message to standard error: `flow: …`, or `a.har:12: note: …` with a place.
  func say(_ text: String, as label: Label = .flow, at place: String? = nil) {
    let starts = (place.map { [($0, Paint.bold)] } ?? []) + [(label.rawValue, label.paint)]
    let painted = starts.map { "\($0):".painted($1, if: usesErrorColors) + " " }.joined()
    errorOutput("\(painted)\(text)\n")
  }

  /// Returns this environment with messages that hide passwords in addresses among the arguments.
  func hidingPasswords(in arguments: [String]) -> ProcessEnvironment {
    var copy = self
    let passwords = AddressPasswords(in: arguments)
    let (errorOutput, commandErrorOutput) = (errorOutput, commandErrorOutput)
    copy.errorOutput = { errorOutput(passwords.removed(from: $0)) }
    copy.commandErrorOutput = { commandErrorOutput(passwords.removed(from: $0)) }
    return copy
  }

  /// Returns this environment with all texts for people redacted as the last step of output.
  func redacted(by redactor: Redactor) -> ProcessEnvironment {
    var copy = self
    let (output, errorOutput) = (output, errorOutput)
    copy.output = { output(redactor.redacted($0)) }
    copy.errorOutput = { errorOutput(redactor.redacted($0)) }
    return copy.isGitHubJob ? copy.withoutCommandsOfOthers : copy
  }

  /// True if GitHub Actions scan the output for commands.
  private var isGitHubJob: Bool { GitHubJob(variable) != nil }

  /// This environment with printed text escaped, so that GitHub Actions execute only flow's own
  /// commands.
  private var withoutCommandsOfOthers: ProcessEnvironment {
    var copy = self
    let (output, errorOutput) = (output, errorOutput)
    let (documentOutput, reportOutput) = (documentOutput, reportOutput)
    copy.output = { output($0.withoutWorkflowCommands) }
    copy.errorOutput = { errorOutput($0.withoutWorkflowCommands) }
    copy.reportOutput = { reportOutput($0.withoutWorkflowCommands) }
    copy.documentOutput = { documentOutput($0.withoutWorkflowCommandsInJSON) }
    return copy
  }
}
