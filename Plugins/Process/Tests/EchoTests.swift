import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import ProcessPlugin

/// Waits for text on a terminal that also echoes what is typed.
@Suite struct EchoTests {
  /// Typed texts, each followed by output, and what a search finds then.
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var writer = ExpectedEcho.Writer.terminal
    let parts: [(typed: String, output: String)]
    let prompt: String
    /// The found line, or nil.
    let found: String?
  }

  private static let samples: [Sample] = [
    Sample(
      testDescription: "the echo alone", parts: [("done\n", "done\n")], prompt: "done", found: nil),
    Sample(
      testDescription: "a part of the echo",
      parts: [("make && echo done\n", "make && echo done\n")],
      prompt: "done", found: nil),
    Sample(
      testDescription: "the echo with its line break", parts: [("done\n", "done\n")],
      prompt: "done\n", found: nil),
    Sample(
      testDescription: "the echo and the answer", parts: [("done\n", "done\ndone\n")],
      prompt: "done", found: "done"),
    Sample(
      testDescription: "a longer text than the echo", parts: [("q", "quit? ")], prompt: "quit?",
      found: "quit?"),
    Sample(
      testDescription: "output with the same text", parts: [("y\n", "y\nReady\n")], prompt: "y",
      found: "Ready"),
    Sample(
      testDescription: "an echo in two parts", parts: [("ab", ""), ("cd\n", "abcd\n")],
      prompt: "bc",
      found: nil),
    Sample(
      testDescription: "the echo of a text typed before",
      parts: [("ab\n", ""), ("c\n", "ab\nc\n")],
      prompt: "ab", found: nil),
    Sample(
      testDescription: "Ctrl-C", parts: [("\u{3}", "^C")], prompt: "^C", found: nil),
    Sample(
      testDescription: "keys that are not echoed", parts: [("\u{4}\u{4}exit\n", "exit\n")],
      prompt: "exit", found: nil),
    Sample(
      testDescription: "a password", writer: .none, parts: [("geheim\n", "\ngeheim\n")],
      prompt: "geheim", found: "geheim"),
    Sample(
      testDescription: "a program that echoes", writer: .program,
      parts: [("ls\n", "\u{1B}[1mls\u{1B}[0m\u{1B}[?2004l\r\nfile\n")], prompt: "ls", found: nil),
    Sample(
      testDescription: "a program that does not echo the first keys", writer: .program,
      parts: [("y", "Sure? "), ("n", "yes or no? ")], prompt: "y", found: "y"),
  ]

  @Test(arguments: samples)
  func `the echo of typed text is no answer`(_ sample: Sample) {
    var (text, searches) = (TerminalText(), LineSearches())
    for part in sample.parts {
      text.beginInput(Array(part.typed.utf8), echoedBy: sample.writer)
      for byte in part.output.utf8 { text.append([byte], &searches) }
    }

    #expect(text.line(upTo: sample.prompt) == sample.found)
  }

  @Test func `a line that is only an echo is not found, and one that has more is`() {
    var (text, searches) = (TerminalText(), LineSearches())
    let search = searches.add("done", found: nil)
    text.beginInput(Array("make && echo done\n".utf8), echoedBy: .terminal)
    text.append(Array("$ make && echo done\nmaking\n".utf8)[...], &searches)
    #expect(searches.line(of: search) == nil)
    #expect(text.line(containing: "done") == nil)

    text.append(Array("all done\n".utf8)[...], &searches)

    #expect(searches.line(of: search) == "all done")
    #expect(text.line(containing: "done") == "all done")
  }

  @Test func `an echo is known after the start of a long text is forgotten`() {
    var (text, searches) = (TerminalText(), LineSearches())
    text.append([UInt8](repeating: UInt8(ascii: "-"), count: 100_000)[...], &searches)
    text.beginInput(Array("word\n".utf8), echoedBy: .terminal)
    text.append(Array("word\n".utf8)[...], &searches)
    text.append([UInt8](repeating: UInt8(ascii: "-"), count: 60_000)[...], &searches)

    #expect(text.line(upTo: "word") == nil)
  }

  @Test(arguments: ["prompt", "line"])
  func `a dead program does not pass by what was typed`(_ condition: String) async throws {
    let folder = try TemporaryFolder()
    try folder.makePipe("go")
    let programs = try await OpenComponent(Processes.self, in: folder.directory.path)
    let script = "echo ready; cat go"
    _ = try await programs.call(
      "start", ["name": "server", "argv": [script], "shell": true, "terminal": true])
    _ = await programs.wait(["prompt": "ready"])
    _ = await programs.text("type", ["name": "server", "text": "NEVER PRODUCED\n"])
    let wait = Task { await programs.wait([condition: "NEVER PRODUCED"]) }
    _ = await programs.run(["argv": [": >go"], "shell": true])

    #expect(
      await wait.value == "ended: 'server' ended with status 0 before it wrote 'NEVER PRODUCED'")
    await programs.close()
  }

  @Test func `a shell that edits its line itself answers with its own text`() async throws {
    let folder = try TemporaryFolder()
    let programs = try await OpenComponent(Processes.self, in: folder.directory.path)
    let input: [String: any FieldValue] = [
      "name": "server", "argv": ["bash", "--norc", "--noprofile", "-i"], "terminal": true,
      "env": ["PS1": "ready> "],
    ]
    _ = try await programs.call("start", input)
    _ = await programs.wait(["prompt": "ready>"])

    _ = await programs.text("type", ["name": "server", "text": "A=one; echo the $A word\n"])
    #expect(await programs.wait(["prompt": "word"]) == #"{line: "the one word"}"#)
    _ = await programs.wait(["prompt": "ready>"])
    _ = await programs.text("type", ["name": "server", "text": "echo another line\n"])
    #expect(await programs.wait(["line": "another"]) == #"{line: "another line"}"#)
    await programs.close()
  }

  @Test func `without a terminal a line is found before it has an end`() async throws {
    let folder = try TemporaryFolder()
    try folder.makeHeldPipe("held")
    let programs = try await OpenComponent(Processes.self, in: folder.directory.path)
    let script = "printf 'listening on '; printf '8080' >&2; exec cat held"
    _ = try await programs.call("start", ["name": "server", "argv": [script], "shell": true])

    #expect(await programs.wait(["line": "listening"]) == #"{line: "listening on "}"#)
    #expect(await programs.wait(["line": "8080"]) == #"{line: "8080"}"#)
    await programs.close()
  }
}
