internal import FlowDatabase
internal import FlowRedaction
internal import FlowReport
internal import FlowSystem
private import Synchronization

/// What a command needs of the process around it; tests give their own.
public struct ProcessEnvironment: Sendable {
  /// Writes to standard output.
  public var output: @Sendable (String) -> Void
  /// Writes to standard error.
  public var errorOutput: @Sendable (String) -> Void
  /// Whether standard output is a terminal.
  public var isTerminal: Bool
  /// Whether standard error is a terminal.
  public var isErrorTerminal = false
  /// Whether the process's signals may be taken, so that Ctrl-C cancels a run.
  public var takesSignals = false
  /// Whether something that was written to standard output is lost, though it has a reader.
  public var lostOutput: @Sendable () -> Bool = { false }
  /// How many threads the machine runs at once, 1 or more.
  public var coreCount = 1
  /// After how long a scenario of a suite is reported as slow; nil for never.
  public var slowAfter: Duration?
  /// The environment variables that flow knows by name.
  public var environment: [String: String]
  /// Any other environment variable; a secret's name is known only when it is asked for.
  public var otherVariable: @Sendable (String) -> String? = { _ in nil }
  /// What shows on the terminal above which the texts are printed; nil where nothing does.
  var region: LiveRegion?
  /// The keys that are pressed while the region shows something; nil where it does not.
  var keys: TerminalKeys?
  /// Writes a document of JSON to standard output.
  var documentOutput: @Sendable (String) -> Void
  /// Writes a report to standard output, whose secrets are hidden already.
  var reportOutput: @Sendable (String) -> Void
  /// Writes a command for the machine around us to standard output.
  var commandOutput: @Sendable (String) -> Void
  /// Writes a command for the machine around us to standard error.
  var commandErrorOutput: @Sendable (String) -> Void

  /// An environment made by hand.
  public init(
    output: @escaping @Sendable (String) -> Void,
    errorOutput: @escaping @Sendable (String) -> Void, isTerminal: Bool = false,
    environment: [String: String] = [:]
  ) {
    self.output = output
    documentOutput = output
    reportOutput = output
    commandOutput = output
    self.errorOutput = errorOutput
    commandErrorOutput = errorOutput
    self.isTerminal = isTerminal
    self.environment = environment
  }

  /// The process's own streams, and those environment variables that flow knows.
  ///
  /// Call it before the process opens a file: a standard stream that is closed is opened first.
  public static func current() -> ProcessEnvironment {
    FileSystem.openClosedStreams()
    let variables = ["CI", "FLOW_UPDATE", "FORCE_COLOR", "NO_COLOR", "TERM"].compactMap { name in
      FileSystem.environmentVariable(name).map { (name, $0) }
    }
    FileSystem.ignoreBrokenPipes()
    let hasLost = Mutex(false)
    let environment = Dictionary(uniqueKeysWithValues: variables)
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
    // It asks where the runs are; one that comes too early or too late must not end the process.
    FileSystem.ignoreUserSignal()
    current.takesSignals = true
    current.otherVariable = { FileSystem.environmentVariable($0) }
    current.coreCount = FileSystem.coreCount
    current.slowAfter = .seconds(60)
    current.lostOutput = { hasLost.withLock { $0 } }
    return current
  }

  /// Leaves the terminal as it was before anything was shown on it.
  func leaveTerminal() {
    region?.end()
    keys?.release()
  }

  func variable(_ name: String) -> String? { environment[name] ?? otherVariable(name) }
  /// Whether a machine runs us unwatched: `CI` is set and not empty.
  var isCI: Bool { !(environment["CI"] ?? "").isEmpty }
  /// Whether texts for people on standard output have colours.
  var usesColors: Bool { usesColors(onTerminal: isTerminal) }
  /// Whether texts for people on standard error have colours.
  var usesErrorColors: Bool { usesColors(onTerminal: isErrorTerminal) }
  /// Whether signs and redrawn lines are shown as such.
  var showsSigns: Bool { isTerminal && environment["TERM"] != "dumb" }

  /// Whether a stream has colours: the variables count where they are present and not empty.
  ///
  /// https://no-color.org and https://force-color.org, of which the first wins.
  private func usesColors(onTerminal isTerminal: Bool) -> Bool {
    let isSet = { (name: String) in !(environment[name] ?? "").isEmpty }
    let isShown = isTerminal && environment["TERM"] != "dumb"
    return !isSet("NO_COLOR") && (isShown || isSet("FORCE_COLOR"))
  }

  /// What stands before a text of flow's own.
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

  /// Prints a text to standard error: `flow: …`, or `a.har:12: note: …` with a place.
  func say(_ text: String, as label: Label = .flow, at place: String? = nil) {
    let starts = (place.map { [($0, Paint.bold)] } ?? []) + [(label.rawValue, label.paint)]
    let painted = starts.map { "\($0):".painted($1, if: usesErrorColors) + " " }.joined()
    errorOutput("\(painted)\(text)\n")
  }

  /// The same environment, whose messages have no passwords of addresses among the arguments.
  func hidingPasswords(in arguments: [String]) -> ProcessEnvironment {
    var copy = self
    let passwords = AddressPasswords(in: arguments)
    let (errorOutput, commandErrorOutput) = (errorOutput, commandErrorOutput)
    copy.errorOutput = { errorOutput(passwords.removed(from: $0)) }
    copy.commandErrorOutput = { commandErrorOutput(passwords.removed(from: $0)) }
    return copy
  }

  /// The same environment, in which every text for people is redacted as the last thing before it leaves.
  func redacted(by redactor: Redactor) -> ProcessEnvironment {
    var copy = self
    let (output, errorOutput) = (output, errorOutput)
    copy.output = { output(redactor.redacted($0)) }
    copy.errorOutput = { errorOutput(redactor.redacted($0)) }
    return copy.isGitHubJob ? copy.withoutCommandsOfOthers : copy
  }

  /// Whether GitHub Actions look for commands in what we print.
  private var isGitHubJob: Bool { GitHubJob(variable) != nil }

  /// The same environment, in which nothing that is printed is a command but what is meant to be one.
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
