import FlowCore
import Foundation
import TestKit
import Testing

/// Signals to every command that starts programs.
@Suite struct StoppedCommandTests {
  /// A command whose program runs when the signal comes.
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Lines of the shell before the command, whose messages go to descriptor 3.
    var before = ""
    let arguments: String
    /// True if the stopped run has a `finally`.
    var hasFinally = true
    /// True if the command has another use for Ctrl-C.
    var takesCtrlC = false
  }

  private static let record = #""$0" run s.yaml --record -q >/dev/null; touch slow"#
  private static let slow = "touch slow"

  private static let samples: [Sample] = [
    Sample(testDescription: "run", before: slow, arguments: "run s.yaml"),
    Sample(
      testDescription: "run with a journal", before: slow, arguments: "run s.yaml --journal j"),
    Sample(testDescription: "run twice", before: slow, arguments: "run s.yaml --record --twice"),
    Sample(testDescription: "test", before: record, arguments: "test --live s.yaml"),
    Sample(testDescription: "explore", before: slow, arguments: "explore s.yaml"),
    Sample(
      testDescription: "replay", before: record, arguments: "replay s.transcript.jsonl --live=sh"),
    Sample(
      testDescription: "diff", before: record, arguments: "diff s.transcript.jsonl"),
    Sample(testDescription: "mutate", before: record, arguments: "mutate s.yaml --live=sh"),
    Sample(
      testDescription: "mcp",
      before: slow + "\n"
        + message(#""id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}"#)
        + message(
          #""id":2,"method":"tools/call","params":{"name":"run","arguments":{"scenario":"s.yaml"}}"#
        ),
      arguments: "mcp"),
    Sample(
      testDescription: "debug", before: slow + "\necho continue >&3",
      arguments: "debug s.yaml --live", takesCtrlC: true),
    Sample(
      testDescription: "debug --dap",
      before: slow + "\n"
        + frame(#""command":"launch","arguments":{"program":"s.yaml","stopOnEntry":false}"#)
        + frame(#""command":"configurationDone""#),
      arguments: "debug --dap"),
    Sample(testDescription: "contract", arguments: "contract hung", hasFinally: false),
    Sample(testDescription: "plugin lock", arguments: "plugin lock hung", hasFinally: false),
  ]

  private static func message(_ members: String) -> String {
    #"echo '{"jsonrpc":"2.0",\#(members)}' >&3"# + "\n"
  }

  private static func frame(_ members: String) -> String {
    let text = #"{"seq":1,"type":"request",\#(members)}"#
    return #"printf 'Content-Length: \#(text.utf8.count)\r\n\r\n%s' '\#(text)' >&3"# + "\n"
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeHeldPipe("held")
    try folder.write(
      """
      flow: 1
      components: {sh: {plugin: process}, other: {plugin: process}}
      steps:
        - {uses: other.run, with: {argv: [echo, word]}, expect: {stdout: "word\\n"}}
        - uses: sh.run
          with: {argv: ["[ -e slow ] || exit 0; echo $$ > begun; exec cat held"], shell: true}
      finally:
        - {uses: sh.run, with: {argv: ["[ ! -e slow ] || echo done > ended"], shell: true}}

      """, to: "s.yaml")
    try folder.write(
      """
      flow: 1
      plugins: {hung: {mcp: [sh, -c, "echo $$ > begun; exec cat held"], state: none}}

      """, to: "flow.yaml")
    try folder.write(
      """
      flow-lock: 1
      plugins:
        hung: {revision: "2025-06-18", tools: {act: {inputSchema: {type: object}}}}

      """, to: "flow.lock")
  }

  private func begun() -> Int32? {
    (try? folder.text("begun")).flatMap { $0.hasSuffix("\n") ? Int32($0.dropLast()) : nil }
  }

  /// Runs a command until its program runs, and sends a signal.
  private func stop(_ sample: Sample, by signal: Int32) async throws -> ChildProcess.Ending {
    let script = """
      mkfifo input
      exec 3<>input
      \(sample.before)
      exec "$0" \(sample.arguments) <&3
      """
    let watch = try FolderWatch(folder)
    let process = try ChildProcess(
      "/bin/sh", ["-c", script, BuiltFlow.path], in: folder.directory.path)
    // A thread waits, because the pool's are for tests that do not wait.
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while begun() == nil, process.isRunning { watch.wait(orEndOf: process) }
        process.send(signal)
        continuation.resume(returning: process.ending())
      }
    }
  }

  @Test(arguments: samples, [SIGHUP, SIGINT, SIGTERM])
  func `a stopped command ends its programs, runs finally, and exits with the signal's code`(
    _ sample: Sample, _ signal: Int32
  ) async throws {
    if sample.takesCtrlC, signal == SIGINT { return }

    let ended = try await stop(sample, by: signal)

    #expect(ended.signal == 0)
    #expect(ended.code == 128 + signal, "\(ended.errors)\(ended.output)")
    #expect(ended.errors.contains("flow: stopping; press Ctrl-C again to stop at once\n"))
    let program = try #require(begun())
    #expect(kill(program, 0) == -1)
    #expect(try folder.names.contains("ended") == sample.hasFinally)
  }

  /// A server for an editor or an assistant, and a first message to which it responds.
  static let servers: [(arguments: String, message: String)] = [
    ("mcp", message(#""id":1,"method":"ping""#)),
    ("lsp", "printf 'Content-Length: 1\\r\\n\\r\\n{' >&3\n"),
    ("debug --dap", "printf 'Content-Length: 1\\r\\n\\r\\n{' >&3\n"),
  ]

  @Test(.timeLimit(.minutes(30)), arguments: servers)
  func `a server ends with the process that started it, although its input stays open`(
    _ server: (arguments: String, message: String)
  ) async throws {
    // The shell ends when the server has responded, and a third process keeps the pipe open.
    let script = """
      mkfifo input
      exec 3<>input
      cat held <&3 >/dev/null 2>&1 &
      echo $! > begun
      \(server.message)
      "$0" \(server.arguments) <&3 | { head -c 1 >/dev/null; kill -KILL $$; cat; }
      """

    let process = try ChildProcess(
      "/bin/sh", ["-c", script, BuiltFlow.path], in: folder.directory.path)
    let (output, ended) = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: (process.outputUntilClosed(), process.ending()))
      }
    }

    #expect(ended.signal == SIGKILL)
    #expect(!output.isEmpty)
    let holder = try #require(begun())
    #expect(kill(holder, SIGKILL) == 0)
  }
}
