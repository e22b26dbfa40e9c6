import FlowCore
import FlowTesting
import Foundation
import Subprocess
import Synchronization
import TestKit
import Testing

@testable import ProcessPlugin

/// Started programs that end although no step asks for it.
@Suite struct UnaskedEndTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    /// A command of the shell before the program is up.
    var start = ":"
    /// The end of the program once the file `go` is there.
    var end = "exit 3"
    var options = ""
    /// A step before the one during which the program ends.
    var before = ""
    /// A step after it.
    var after = ""
    /// The line of the failed step and how the program ended, or nil without a failure.
    var failure: (line: Int, end: String)?
    var testDescription: String { name }

    /// The first line of the failure.
    var message: [String] {
      failure.map {
        [
          "run.yaml:\($0.line):3: error: 'p' notes the error 'ended': 'server' \($0.end), and no "
            + "step asked for its end [F2011]"
        ]
      } ?? []
    }
  }

  private static func scenario(_ sample: Sample) -> String {
    let program =
      "\(sample.start); echo up; echo warning >&2; until [ -e go ]; do sleep 0.1; done; \(sample.end)"
    return """
      flow: 1
      components: {p: {plugin: process}}
      steps:
      - id: server
        uses: p.start
        with: {name: server, argv: ["\(program)"], shell: true\(sample.options)}
      - {uses: p.wait_for, with: {name: server, line: up}}
      - \(sample.before.isEmpty ? "wait: 1ms" : sample.before)
      - uses: p.run
        with:
          argv: ['touch go; while kill -0 "$PID" 2> /dev/null; do sleep 0.1; done']
          shell: true
          env: {PID: "${{ string(steps.server.pid) }}"}
      - \(sample.after.isEmpty ? "wait: 1ms" : sample.after)

      """
  }

  private static func run(_ sample: Sample) async throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.makeHeldPipe("held")
    try folder.write(scenario(sample), to: "run.yaml")
    let run = try await ScenarioFile(folder.path("run.yaml")).attempt(Registry([Processes.self]))
    return run.problems.map { $0.text.replacing(folder.path("") + "/", with: "") }
  }

  private static let stop = "{uses: p.stop, with: {name: server}}"
  private static let typing = #"{uses: p.type, with: {name: server, text: "x\n"}}"#

  private static func signal(_ name: String) -> String {
    "{uses: p.signal, with: {name: server, signal: \(name)}}"
  }

  @Test(arguments: [
    Sample(name: "a crash", end: "kill -SEGV $$", failure: (9, "was ended by SIGSEGV")),
    Sample(name: "a status", failure: (9, "ended with status 3")),
    Sample(name: "a kill from outside", end: "kill -9 $$", failure: (9, "was ended by SIGKILL")),
    Sample(
      name: "a status after a signal for something else", start: "trap : HUP",
      before: signal("HUP"), failure: (9, "ended with status 3")),
    Sample(
      name: "a crash after input on a terminal", end: "kill -SEGV $$", options: ", terminal: true",
      before: typing, failure: (9, "was ended by SIGSEGV")),
  ])
  func `an end that no step asks for fails the step during which it came`(
    _ sample: Sample
  ) async throws {
    let problems = try await Self.run(sample)

    #expect(problems.map { String($0.prefix { $0 != "\n" }) } == sample.message)
  }

  @Test(arguments: [
    Sample(name: "status 0", end: "exit 0"),
    Sample(name: "a stop", after: stop),
    Sample(
      name: "a wait for the end", end: "kill -SEGV $$",
      after: "{uses: p.wait_for_end, with: {name: server}, expect: {signal: SIGSEGV}}"),
    Sample(
      name: "a wait in vain",
      after: "{uses: p.wait_for, with: {name: server, line: never}, expect: {error: ended}}"),
    Sample(
      name: "a signal in vain",
      after: "{uses: p.signal, with: {name: server, signal: HUP}, expect: {error: ended}}"),
    Sample(
      name: "another program of the name",
      after: "{uses: p.start, with: {name: server, argv: [cat, held]}}"),
    Sample(name: "a signal for the end", start: "trap 'exit 5' TERM", before: signal("TERM")),
    Sample(name: "the default of a signal", before: signal("USR1")),
    Sample(
      name: "the status of a signal", start: "trap : HUP", end: "exit 129", before: signal("HUP")),
    Sample(
      name: "a status after input on a terminal", options: ", terminal: true", before: typing),
  ])
  func `an end that a step asks for fails nothing`(_ sample: Sample) async throws {
    #expect(try await Self.run(sample) == [])
  }

  @Test func `the failure has the last lines of the program, and no other failure hides it`()
    async throws
  {
    let sample = Sample(name: "last lines", after: #"assert: ["${{ 1 == 2 }}"]"#)

    let problems = try await Self.run(sample)

    #expect(
      problems == [
        """
        run.yaml:14:17: error: 'assert#1': assertion failed [F2004]
           14 | - assert: ["${{ 1 == 2 }}"]
              |                 ^^^^^^
        """,
        """
        run.yaml:9:3: error: 'p' notes the error 'ended': 'server' ended with status 3, and no step \
        asked for its end [F2011]
            9 | - uses: p.run
              |   ^^^^^^^^^^^
          note: 'server' wrote: up
          note: 'server' wrote: warning
        """,
      ])
  }

  @Test func `an end that the watcher has yet to notice came before the end of the run`()
    async throws
  {
    let noted = Mutex<[String]>([])
    let folder = try TemporaryFolder()
    let input = CommandInput(
      argv: ["exit 3"], shell: true, stdin: nil, env: [:], directory: ".", limit: 1, to: nil,
      errorsTo: nil, grace: .zero)
    let bond = Child.Bond { end, _ in
      noted.withLock { $0.append(end) }
      return PendingFailure(ComponentError(.ended, end))
    }
    let child = try Child(try Command(input, in: folder.directory), in: Watcher(), bond: bond)
    let exit = try #require(child.descriptors.first { $0.0 == .exit }?.1)
    var polled = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&polled, 1, -1)

    #expect(child.isEndingBefore())
    child.watch(isShort: false)
    _ = await child.end(stoppedAfter: .zero)
    #expect(noted.withLock(\.self) == ["ended with status 3"])
  }
}
