import FlowCore
import FlowTesting
import Foundation
import Subprocess
import TestKit
import Testing

@testable import ProcessPlugin

// Programs that write without end, last, or leave others behind; a part of the suite that runs one test at a time.
extension ProcessesTests {
  @Test(arguments: [("to", "", "é\\né\\n…", "err\\n"), ("stderr_to", ">&2", "err\\n", "é\\né\\n…")])
  func `a flood of either output is cut off, and all of it is in its file`(
    _ field: String, redirection: String, stdout: String, stderr: String
  ) async throws {
    let programs = try await open()
    let other = redirection.isEmpty ? ">&2" : ""
    let flood: [String: any FieldValue] = [
      "argv": ["{ yes é | head -c 3000000; } \(redirection); echo err \(other)"], "shell": true,
      "limit": 7, field: "flood",
    ]

    #expect(
      await programs.run(flood)
        == #"{status: 0, signal: null, stdout: "\#(stdout)", stderr: "\#(stderr)", truncated: true}"#
    )
    #expect(try folder.directory.read("flood").count == 3_000_000)
    #expect(try folder.names.sorted() == ["flood", "held"])
  }

  @Test func `both outputs may go to one file, in the order of the writes`() async throws {
    let programs = try await open()
    let both: [String: any FieldValue] = [
      "argv": ["echo out; echo err >&2"], "shell": true, "limit": 0, "to": "log",
      "stderr_to": "./log",
    ]

    #expect(
      await programs.run(both)
        == #"{status: 0, signal: null, stdout: "…", stderr: "", truncated: true}"#)
    #expect(try folder.text("log") == "out\nerr\n")
  }

  @Test func `a flood is read in parts, between which the program can be stopped`() throws {
    let input = CommandInput(
      argv: ["head", "-c", "100000000", "/dev/zero"], env: [:], directory: ".", limit: 0,
      to: "flood", errorsTo: nil, grace: .zero)
    var state = try ChildState(starting: try Command(input, in: folder.directory))

    state.takeNext(.output)
    let count = try folder.directory.read("flood", limit: 100_000_000).count
    state.stop(after: .zero)
    state.takeNext(.exit)
    state.advance(.now)

    #expect(1...1 << 20 ~= count)
    #expect(state.result?.signal == "SIGTERM")
  }

  @Test func `a program that is not over as soon as those before it is watched as ever`()
    async throws
  {
    let programs = try await open()
    try folder.makePipe("gate")
    for _ in 0..<3 { #expect(await programs.run(["argv": ["true"]]) == ran("")) }

    async let slow = programs.run(["argv": ["cat", "gate"]])
    #expect(await programs.run(["argv": ["echo in > gate"], "shell": true]) == ran(""))
    #expect(await slow == ran("in\\n"))

    for _ in 0..<3 { #expect(await programs.run(["argv": ["true"]]) == ran("")) }
    let call = Task { await programs.run(["argv": ["echo in > gate; exec yes"], "shell": true]) }
    #expect(await programs.run(["argv": ["cat", "gate"]]) == ran("in\\n"))
    call.cancel()
    #expect(await call.value == "CancellationError()")
    #expect(try Descriptors.ofProcesses() == [])
  }

  @Test func `an endless flood ends with its call`() async throws {
    let programs = try await open()
    try folder.makePipe("ready")

    let call = Task { await programs.run(["argv": ["echo > ready; exec yes"], "shell": true]) }
    #expect(await programs.run(["argv": ["cat", "ready"]]) == ran("\\n"))
    call.cancel()

    #expect(await call.value == "CancellationError()")
    #expect(try Descriptors.ofProcesses() == [])
  }

  @Test func `a program that closes its input is written no more`() async throws {
    let programs = try await open()
    let input = String(repeating: "x", count: 1 << 20)

    #expect(
      await programs.run(["argv": ["exec <&-; echo done"], "shell": true, "stdin": input])
        == ran("done\\n"))
    #expect(await programs.run(["argv": ["true"], "stdin": input]) == ran(""))
  }

  #if os(Linux)
    @Test func `a program has a session of its own, and so no terminal`() async throws {
      let programs = try await open()
      let line = "read -r pid name state parent group session rest < /proc/self/stat"
      let answer = await programs.run(["argv": ["\(line); echo $((pid - session))"], "shell": true])

      #expect(answer == ran("0\\n"))
    }
  #endif

  @Test func `what a program leaves in its group is stopped before the answer`() async throws {
    let programs = try await open()
    let value = try await programs.call("run", ["argv": ["cat held & echo $! $$"], "shell": true])
    let numbers = try numbers(in: value)

    #expect(numbers.map(Running.isProcess) == [false, false])
    #expect(try Descriptors.ofProcesses() == [])
  }

  @Test func `a process that has left the group is not waited for, though it holds the pipe`()
    async throws
  {
    let programs = try await open()
    try folder.makePipe("here")
    let value = try await programs.call(
      "run",
      [
        "argv": [
          "setsid sh -c 'echo $$; : > here; exec cat held' & cat here"
        ], "shell": true,
      ])
    let number = try #require(try numbers(in: value).first)
    defer { Running.kill(number) }

    #expect(Running.isProcess(number))
    #expect(try Descriptors.ofProcesses() == [])
  }

  @Test func `a cancelled program is asked to end, and may take its time`() async throws {
    let programs = try await open()
    try folder.makePipe("ready")

    let call = Task {
      await programs.run([
        "argv": ["trap 'echo bye > gone; exit' TERM; echo > ready; cat held & wait"],
        "shell": true,
      ])
    }
    #expect(await programs.run(["argv": ["cat", "ready"]]) == ran("\\n"))
    call.cancel()

    #expect(await call.value == "CancellationError()")
    #expect(try folder.text("gone") == "bye\n")
    #expect(try Descriptors.ofProcesses() == [])
  }

  @Test func `a program that does not end when it is asked to is killed, and its group with it`()
    async throws
  {
    let programs = try await open()
    _ = await programs.text(
      "start",
      [
        "name": "deaf", "argv": ["trap '' TERM; cat held & echo $! $$; wait; cat held"],
        "shell": true,
        "grace": Duration.milliseconds(50),
      ])
    #expect(await programs.text("wait_for", ["name": "deaf", "line": " "]).hasPrefix("{line: "))
    let value = try await programs.call("stop", ["name": "deaf"])

    #expect(value.withoutElapsed.contains("status: 137, signal: \"SIGKILL\""))
    #expect(try numbers(in: value).map(Running.isProcess) == [false, false])
    #expect(try Descriptors.ofProcesses() == [])
  }
}
