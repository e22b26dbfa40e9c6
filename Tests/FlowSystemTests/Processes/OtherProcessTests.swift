import FlowSystem
import TestKit
import Testing

@Suite struct OtherProcessTests {
  @Test(.timeLimit(.minutes(30))) func `the end of a process is awaited, also of one that is gone`()
    throws
  {
    let process = try ChildProcess("/bin/sh", ["-c", "exit 3"])

    #expect(OtherProcess.waitForEnd(of: process.processID))
    #expect(process.ending().code == 3)
    #expect(OtherProcess.waitForEnd(of: process.processID))
  }

  @Test func `a number that no process has cannot be watched`() {
    #expect(!OtherProcess.waitForEnd(of: -1))
  }
}
