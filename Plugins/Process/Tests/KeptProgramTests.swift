import FlowCore
import FlowTesting
import Subprocess
import TestKit
import Testing

@testable import ProcessPlugin

/// Programs that go on from one run to the next.
@Suite struct KeptProgramTests {
  private let folder: TemporaryFolder
  private let kept = KeptParts()
  /// A server that says its number and ends when the file `go` is there.
  private static let server: [String: any FieldValue] = [
    "name": "server", "shell": true,
    "argv": ["echo up; until [ -e go ]; do sleep 0.02; done; exit 3"],
  ]

  init() throws { folder = try TemporaryFolder() }

  private func open() async throws -> OpenComponent {
    var options = LiveOptions()
    options.kept = kept
    return try await OpenComponent(Processes.self, in: folder.directory.path, options: options)
  }

  /// Starts the server in a run of its own, and returns its number.
  private func start(
    _ input: [String: any FieldValue] = server,
    then: (OpenComponent) async throws -> Void = { _ in }
  ) async throws -> Int32 {
    let programs = try await open()
    let pid = Int32(try #require(try await programs.call("start", input).integer("pid")))
    #expect(await programs.wait(["line": "up"]) == #"{line: "up"}"#)
    try await then(programs)
    await programs.close()
    return pid
  }

  @Test func `a program goes on with its earlier output, and ends after the last run`()
    async throws
  {
    let pid = try await start()
    let again = try await start()

    #expect(again == pid)
    #expect(Running.isProcess(pid))
    await kept.end()
    #expect(!Running.isProcess(pid))
    #expect(kept.owners == [])
  }

  @Test func `a run that starts nothing leaves the program to the one after it`() async throws {
    let pid = try await start()
    await (try await open()).close()

    #expect(try await start() == pid)
    await kept.end()
  }

  static let others: [[String: any FieldValue & Sendable]] = [
    ["env": ["A": "b"]], ["limit": 100], ["directory": "inner"],
  ]

  @Test(arguments: 0..<3) func `a start with another input ends the program`(
    _ index: Int
  ) async throws {
    try folder.write("", to: "inner/file")
    let pid = try await start()
    let other = try await start(Self.server.merging(Self.others[index]) { $1 })

    #expect(other != pid)
    #expect(!Running.isProcess(pid))
    #expect(Running.isProcess(other))
    await kept.end()
  }

  @Test func `a program that a step stops starts anew`() async throws {
    let pid = try await start { _ = try await $0.call("stop", ["name": "server"]) }

    #expect(kept.owners == [])
    #expect(try await start() != pid)
    await kept.end()
  }

  @Test func `a program that dies between two runs starts anew, and fails neither`() async throws {
    let pid = try await start()
    Running.kill(pid)
    let programs = try await open()
    await untilGone(Int(pid), programs)
    let other = try await programs.call("start", Self.server).integer("pid")

    #expect(other != Int(pid))
    await programs.close()
    #expect(programs.events == [])
    await kept.end()
  }

  @Test func `an end that no step asks for fails the run in which it happens`() async throws {
    let pid = try await start()
    let programs = try await open()
    let again = try await programs.call("start", Self.server).integer("pid")
    try folder.write("", to: "go")
    let result = await programs.text("wait_for_end", ["name": "server"])

    #expect(again == Int(pid))
    #expect(result.hasPrefix(#"{status: 3, signal: null, stdout: "up\n""#), "\(result)")
    await programs.close()
    #expect(kept.owners == [])
  }

  @Test func `a signal of an earlier run does not excuse an end`() async throws {
    let trapping: [String: any FieldValue] = [
      "name": "server", "shell": true,
      "argv": ["trap : TERM; echo up; until [ -e go ]; do sleep 0.02; done; exit 3"],
    ]
    _ = try await start(trapping) {
      _ = try await $0.call("signal", ["name": "server", "signal": "TERM"])
    }
    let programs = try await open()
    let pid = try await programs.call("start", trapping).integer("pid")
    try folder.write("", to: "go")
    await untilGone(try #require(pid), programs)
    await programs.close()

    #expect(
      programs.events == [
        "failed at the end: ended: 'server' ended with status 3, and no step asked for its end"
      ])
  }
  /// Waits until flow has taken note of the end of a program.
  private func untilGone(_ pid: Int, _ programs: OpenComponent) async {
    let line = "while kill -0 \(pid) 2> /dev/null; do sleep 0.02; done"
    #expect(await programs.run(["argv": [line], "shell": true]).hasPrefix("{status: 0"))
  }
}
