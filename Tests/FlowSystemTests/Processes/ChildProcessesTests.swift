import FlowSystem
import TestKit
import Testing

/// The processes that others have started.
@Suite struct ChildProcessesTests {
  @Test func `processes below a process are found, and end when they are killed`() throws {
    let shell = try ChildProcess(
      "/bin/sh", ["-c", "exec 3<&0; cat <&3 & echo $!; wait"], hasInput: true)
    let line = shell.firstLine()
    let waiting = try #require(Int32(line))

    let found = ChildProcesses.below([shell.processID])
    let living = ChildProcesses.living(of: found)
    let isOwn = ChildProcesses.all.isSuperset(of: [shell.processID, waiting])
    ChildProcesses.kill(found)
    shell.send(9)
    _ = shell.ending()

    #expect(found == [waiting])
    #expect(living == [waiting])
    #expect(isOwn)
    #expect(ChildProcesses.living(of: [shell.processID]).isEmpty)
    #expect(ChildProcesses.below([shell.processID]).isEmpty)
  }
}
