import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import ProcessPlugin

/// Programs on terminals, signals, and waits for an end.
@Suite struct TerminalTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeHeldPipe("held")
  }

  private func open() async throws -> OpenComponent {
    try await OpenComponent(Processes.self, in: folder.directory.path)
  }

  private func start(
    _ programs: OpenComponent, _ argv: [String], _ more: [String: any FieldValue] = [:]
  ) async throws {
    let input: [String: any FieldValue] = ["name": "server", "argv": argv]
    _ = try await programs.call("start", input.merging(more) { $1 })
  }

  // MARK: - Terminals

  @Test func `a program on a terminal has three terminals of the given size`() async throws {
    let programs = try await open()

    let answer = await programs.run([
      "argv": ["test -t 0 && test -t 1 && test -t 2 && stty size </dev/tty; echo $TERM >&2"],
      "shell": true, "terminal": true, "columns": 132, "rows": 50,
    ])

    #expect(
      answer == #"{status: 0, signal: null, stdout: "50 132\nxterm-256color\n", "#
        + #"stderr: "", truncated: false}"#)
  }

  @Test func `the variables of the new terminal give way to those of the scenario`() async throws {
    let programs = try await open()

    let answer = await programs.run([
      "argv": ["echo $TERM ${COLUMNS-none} ${LINES-none}"], "shell": true, "terminal": true,
      "env": ["TERM": "dumb", "LINES": "7"],
    ])

    #expect(answer.contains(#"stdout: "dumb none 7\n""#))
  }

  @Test(arguments: [
    (#"{"argv": ["a"], "columns": 80}"#, "'columns' and 'rows' need 'terminal: true'"),
    (
      #"{"argv": ["a"], "rows": 80, "terminal": false}"#,
      "'columns' and 'rows' need 'terminal: true'"
    ),
    (
      #"{"argv": ["a"], "terminal": true, "columns": 0}"#,
      "'columns' and 'rows' must be from 1 to 1000"
    ),
    (
      #"{"argv": ["a"], "terminal": true, "rows": 1001}"#,
      "'columns' and 'rows' must be from 1 to 1000"
    ),
    (
      #"{"argv": ["a"], "terminal": true, "stdin": "x"}"#,
      "a program with a terminal has no 'stdin'; use 'start' and 'type'"
    ),
    (
      #"{"argv": ["a"], "terminal": true, "stderr_to": "x"}"#,
      "a program with a terminal writes errors to its output; give 'to' alone"
    ),
  ])
  func `a terminal without a meaning is invalid`(_ input: String, message: String) async throws {
    let programs = try await open()
    let input = try [String: Value](decoding: try Value(json: Array(input.utf8)))

    #expect(await programs.run(input) == "invalid: \(message)")
  }

  @Test func `a prompt is what the program writes after the latest input`() async throws {
    let programs = try await open()
    let script = #"""
      read -p "$(printf '\033[1mna\033[0mme\033]0;title\007: ')" name; read -p "again: " other
      echo "$name and $other"
      """#
    try await start(programs, ["bash", "-c", script], ["terminal": true])

    #expect(await programs.wait(["prompt": "name: "]) == #"{line: "name: "}"#)
    #expect(await programs.text("type", ["name": "server", "text": "one\n"]) == "{}")
    #expect(await programs.wait(["prompt": "again:"]) == #"{line: "again:"}"#)
    #expect(await programs.text("type", ["name": "server", "text": "two\n"]) == "{}")
    #expect(await programs.wait(["prompt": "and two"]) == #"{line: "one and two"}"#)
    #expect(
      await programs.wait(["prompt": "name"])
        == "ended: 'server' ended with status 0 before it wrote 'name'")
    #expect(
      await programs.text("type", ["name": "server", "text": "x"]) == "ended: 'server' has ended")
  }

  @Test func `a program that does not read gets a long text when it does`() async throws {
    let programs = try await open()
    let script = "stty raw -echo; echo ready; head -c 300000 | wc -c"
    try await start(programs, ["sh", "-c", script], ["terminal": true])
    _ = await programs.wait(["line": "ready"])
    let text = String(repeating: "line\n", count: 60_000)

    #expect(await programs.text("type", ["name": "server", "text": text]) == "{}")
    #expect(await programs.wait(["line": "300000"]) == #"{line: "300000"}"#)
  }

  @Test func `a shell on a terminal ends when it is stopped, since the terminal is closed`()
    async throws
  {
    let programs = try await open()
    let input: [String: any FieldValue] = ["terminal": true, "env": ["PS1": "ready> "]]
    try await start(programs, ["bash", "--norc", "--noprofile", "-i"], input)
    _ = await programs.wait(["prompt": "ready>"])

    #expect(await programs.text("stop", ["name": "server"]).contains(#"signal: "SIGHUP""#))
  }

  @Test func `a program without a terminal has no prompt and takes no text`() async throws {
    let programs = try await open()
    try await start(programs, ["cat", "held"])
    let message = "invalid: 'server' has no terminal; start it with 'terminal: true'"

    #expect(await programs.wait(["prompt": "x"]) == message)
    #expect(await programs.wait(["prompt": ""]) == "invalid: 'prompt' is empty")
    #expect(await programs.text("type", ["name": "server", "text": "x"]) == message)
    await programs.close()
  }

  struct Written: Sendable, CustomTestStringConvertible {
    let output: [String]
    let line: String?
    var testDescription: String { "\(output)" }
  }

  @Test(arguments: [
    Written(output: ["a\u{1B}[", "31;1mb\u{1B}", "[0mX"], line: "abX"),
    Written(output: ["10 %\r20 %\rX"], line: "X"),
    Written(output: ["one\ntwo X three"], line: "two X"),
    Written(output: ["\u{1B}]0;a title with X\u{1B}\\"], line: nil),
    Written(output: ["\u{1B}P1X\u{1B}X\u{1B}\\bX"], line: "bX"),
    Written(output: ["\u{1B}(B\u{1B}=é\u{8}X"], line: "éX"),
  ])
  func `control sequences are no part of a prompt`(_ sample: Written) {
    var (text, searches) = (TerminalText(), LineSearches())
    for part in sample.output { text.append(Array(part.utf8)[...], &searches) }

    #expect(text.line(upTo: "X") == sample.line)
  }

  @Test func `the latest text on a terminal is kept`() {
    var (text, searches) = (TerminalText(), LineSearches())
    text.append(Array("first".utf8)[...], &searches)
    text.append([UInt8](repeating: UInt8(ascii: "-"), count: 200_000)[...], &searches)
    text.append(Array("last".utf8)[...], &searches)

    #expect(text.line(upTo: "first") == nil)
    #expect(text.line(upTo: "last")?.suffix(6) == "--last")
  }

  // MARK: - Signals

  @Test func `a signal reaches the program alone, or its group`() async throws {
    let programs = try await open()
    let inner = "trap 'echo inner' USR1; echo up; while :; do cat held & wait; done"
    let script = "trap 'echo outer' USR1; bash -c \"\(inner)\" & while :; do wait; done"
    try await start(programs, ["bash", "-c", script])
    _ = await programs.wait(["line": "up"])

    _ = await programs.text("signal", ["name": "server", "signal": "USR1"])
    #expect(await programs.wait(["line": "outer"]) == #"{line: "outer"}"#)
    _ = await programs.text("signal", ["name": "server", "signal": "SIGUSR1", "group": true])
    #expect(await programs.wait(["line": "inner"]) == #"{line: "inner"}"#)
    await programs.close()
  }

  @Test func `a signal without a name or a program is an error`() async throws {
    let programs = try await open()
    try await start(programs, ["true"])
    _ = await programs.text("wait_for_end", ["name": "server"])

    #expect(
      await programs.text("signal", ["name": "server", "signal": "hup"])
        == "invalid: 'hup' is not a signal; give one such as HUP, INT, TERM or USR1")
    #expect(
      await programs.text("signal", ["name": "server", "signal": "HUP"])
        == "ended: 'server' has ended")
    #expect(
      await programs.text("signal", ["name": "none", "signal": "HUP"])
        == "unknown: no program named 'none' was started")
  }

  // MARK: - The end

  @Test func `the end of a program is awaited, with its result`() async throws {
    let programs = try await open()
    try await start(programs, ["sh", "-c", "echo out; sleep 0.05; exit 3"])

    let answer = try await programs.call("wait_for_end", ["name": "server"]).withoutElapsed
    let stopped = try await programs.call("stop", ["name": "server"]).withoutElapsed

    let expected = #"{status: 3, signal: null, stdout: "out\n", stderr: "", truncated: false}"#
    #expect([answer, stopped] == [expected, expected])
    #expect(
      await programs.text("wait_for_end", ["name": "none"])
        == "unknown: no program named 'none' was started")
  }

  @Test func `a wait for the end that is cancelled leaves the program running`() async throws {
    let programs = try await open()
    try await start(programs, ["cat", "held"])

    let wait = Task { await programs.text("wait_for_end", ["name": "server"]) }
    wait.cancel()

    #expect(await wait.value == "CancellationError()")
    #expect(await programs.text("stop", ["name": "server"]).contains("SIGTERM"))
  }
}
