public import FlowCore

/// Programs, run to their end or started and stopped.
///
/// `Child` knows one of them, and `Watcher` waits for all of them; this type brings them to scenarios.
public actor Processes: Component {
  /// The name in `plugin:`.
  public static let pluginName = "process"

  /// The plugin `process`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Runs programs, and starts and stops servers.",
    state: { $0 ? .memory : .external }, reaches: [.process, .files],
    settings: Parameter<Bool>(
      "restart", "Whether a resumed run repeats the calls, and so starts again what was started.",
      default: false),
    operations: [
      Operation(
        "run", "Runs a program to its end.", input: CommandInput.record,
        answers: ProcessResult.record, errors: [.invalid, .notFound, .startFailed, .unwritable]
      ) { processes, context, input in try await processes.run(input, context) },
      Operation(
        "start", "Starts a program that goes on; the end of the run stops it.",
        input: StartInput.record,
        answers: Record<Int>("pid", "The number of the process.", volatile: true),
        errors: [.invalid, .notFound, .startFailed, .unwritable, .running]
      ) { processes, context, input in try await processes.start(input, context) },
      Operation(
        "wait_for", "Waits until a started program listens, answers, or has written a line.", name,
        Parameter<Int?>("port", "The TCP port of this machine that accepts a connection."),
        Parameter<String?>("line", "What a line of its output contains."),
        Parameter<String?>(
          "url", "What of this machine answers with a status below 400: http://localhost:8080/."),
        answers: Record<String?>("line", "The whole line, without its end; none for the others."),
        errors: [.invalid, .unknown, .ended], retry: .safe
      ) { processes, context, name, port, line, url in
        let condition = try Condition(port: port, line: line, url: url)
        return try await processes.wait(for: condition, name, context)
      },
      Operation(
        "stop", "Stops a started program and answers what became of it.", name,
        answers: ProcessResult.record, errors: [.unknown, .unwritable]
      ) { processes, context, name in try await processes.stop(name, context) },
    ]
  ) { _, _ in Processes() }

  static let name = Parameter<String>("name", "The name that it was started with.")

  private let watcher = Watcher()
  private var started: [String: Child] = [:]

  private func run(_ input: CommandInput, _ context: Context) async throws -> ProcessResult {
    let command = try Command(input, in: context.directory, without: context.secrets.variables)
    return try await context.outside { [watcher] in
      try Task.checkCancellation()
      let child = try Child(command, in: watcher)
      child.watch(isShort: command.input == nil)
      let result = await child.end(stoppedAfter: command.grace)
      try Task.checkCancellation()
      if let error = child.outputFailure { throw ProcessError.unwritable(error) }
      return result
    }
  }

  private func start(_ input: StartInput, _ context: Context) throws -> Int {
    if let child = started[input.name], child.result == nil {
      throw ProcessError.running(input.name)
    }
    let command = try Command(
      input.command, in: context.directory, without: context.secrets.variables)
    let child = try Child(command, in: watcher, takenPorts: Child.listeningPorts())
    child.watch(isShort: false)
    started[input.name] = child
    return Int(child.pid)
  }

  private func wait(
    for condition: Condition, _ name: String, _ context: Context
  ) async throws -> String? {
    let child = try child(name)
    do {
      return try await context.outside {
        switch condition {
        case .port(let port): try await child.wait(forPort: port, name)
        case .line(let text): try await child.wait(forLine: text, name)
        case .url(let url): try await child.wait(forAnswerFrom: url, name)
        }
      }
    } catch {
      // It mostly says why, also where the step's timeout ends the wait.
      for line in child.lastLines { context.log("'\(name)' wrote: \(line)") }
      throw error
    }
  }

  private func stop(_ name: String, _ context: Context) async throws -> ProcessResult {
    let child = try child(name)
    let result = await context.outside {
      child.stop()
      // Who has no more time for it has none for its good manners.
      return await child.end(stoppedAfter: .zero)
    }
    try Task.checkCancellation()
    if let error = child.outputFailure { throw ProcessError.unwritable(error) }
    return result
  }

  private func child(_ name: String) throws(ProcessError) -> Child {
    guard let child = started[name] else { throw .unknown(name) }
    return child
  }

  /// Stops everything that was started.
  public func close() async {
    let children = started.values
    started = [:]
    for child in children { child.stop() }
    for child in children { _ = await child.end(stoppedAfter: .zero) }
  }
}

/// What `run` and `stop` answer.
struct ProcessResult: Sendable, Hashable {
  var status: Int
  var signal: String?
  var stdout: String
  var stderr: String
  var truncated: Bool
  var elapsed: Duration

  static let record = Record(
    ProcessResult.init(status:signal:stdout:stderr:truncated:elapsed:),
    Field("status", \.status, "The exit code; 128 and the signal's number when a signal ended it."),
    Field("signal", \.signal, "The signal that ended it, such as SIGTERM."),
    Field("stdout", \.stdout, "What it wrote to its standard output."),
    Field("stderr", \.stderr, "What it wrote to its standard error."),
    Field("truncated", \.truncated, "Whether either text was cut off at the limit."),
    Field("elapsed", \.elapsed, "How long it ran.", volatile: true))
}

/// What `wait_for` waits for.
enum Condition: Sendable, Hashable {
  case port(UInt16)
  case line(String)
  case url(LocalURL)

  init(port: Int?, line: String?, url: String?) throws(ProcessError) {
    switch (port, line, url) {
    case (let port?, nil, nil):
      guard let number = UInt16(exactly: port), number > 0 else {
        throw .invalid("\(port) is not a port: 1 to 65535")
      }
      self = .port(number)
    case (nil, let line?, nil): self = .line(line)
    case (nil, nil, let text?):
      guard let url = LocalURL(text) else {
        throw .invalid("'url' must be of this machine, such as http://localhost:8080/")
      }
      self = .url(url)
    default: throw .invalid("give exactly one of 'port', 'line' and 'url'")
    }
  }
}

/// A URL of a server on this machine, without TLS.
struct LocalURL: Sendable, Hashable {
  let text: String
  let port: UInt16
  /// A request for it, which asks the server to close the connection (RFC 9112, section 3).
  let request: String

  /// Nil for a text that is something else.
  init?(_ text: String) {
    let scheme = "http://"
    guard text.lowercased().hasPrefix(scheme), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      return nil
    }
    let rest = text.dropFirst(scheme.count)
    let server = rest.prefix { !"/?#".contains($0) }
    let path = rest[server.endIndex...].prefix { $0 != "#" }
    let names = ["localhost", "127.0.0.1", "[::1]"]
    guard let name = names.first(where: { server.lowercased().hasPrefix($0) }) else { return nil }
    let end = server.dropFirst(name.count)
    guard end.isEmpty || end.first == ":",
      let port = end.isEmpty ? 80 : UInt16(end.dropFirst()), port > 0
    else { return nil }
    self.text = text
    self.port = port
    let target = path.first == "/" ? "\(path)" : "/\(path)"
    request =
      "GET \(target) HTTP/1.1\r\nHost: \(server)\r\nAccept: */*\r\nConnection: close\r\n\r\n"
  }
}
