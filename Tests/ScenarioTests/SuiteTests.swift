import FlowCommand
import FlowCore
import Foundation
import TestKit
import Testing

/// `flow test` over the real scenarios, as the project's own `flow.yaml` has it.
@Suite struct SuiteTests {
  @Test(arguments: [[], ["--live"]])
  func `the real scenarios pass, and those that must fail are left out`(_ options: [String])
    async throws
  {
    // A copy, so that nothing is written into the project.
    let folder = try TemporaryFolder()
    let root = URL(fileURLWithPath: ProjectFiles.root)
    let copy = URL(fileURLWithPath: folder.directory.path)
    for name in ["flow.yaml", "Scenarios"] {
      try FileManager.default.copyItem(
        at: root.appending(path: name), to: copy.appending(path: name))
    }
    let run = try await FlowRun(["test", copy.path + "/Scenarios", "--update", "never"] + options)

    let paths = run.output.matches(of: /Scenarios\/(\S+)\.yaml  \(/).map { String($0.1) }
    #expect(paths == ScenarioFolder.names())
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }
}
