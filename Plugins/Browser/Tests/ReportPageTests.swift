import BrowserPlugin
import FlowCommand
import FlowCore
import FlowTesting
import Foundation
import HTTPPlugin
import ProcessPlugin
import TestKit
import Testing

/// The HTML report of `flow test`, in a real browser.
@Suite struct ReportPageTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "suite/flow.yaml")
    try write(
      "bad", named: "Counts wrong", tags: "count",
      """
        - for: n
          in: "${{ [1, 2, 3] }}"
          do:
            - {id: small, assert: ["${{ n < 3 }}"]}
      """)
    try write(
      "good", named: "Counts right", tags: "count, smoke",
      """
        - {id: first, assert: ["${{ 1 < 3 }}"]}
        - {id: second, assert: ["${{ 2 < 3 }}"]}
      """)
    try write("waits", named: "Waits", tags: "", "  - {wait: 1ms}")
  }

  private func write(_ file: String, named name: String, tags: String, _ steps: String) throws {
    try folder.write(
      "flow: 1\nname: \(name)\ntags: [\(tags)]\nsteps:\n\(steps)\n", to: "suite/\(file).yaml")
  }

  @Test(.enabled(if: Chromium.isHere, Chromium.absence))
  func `a report is searched, walked and heard in a real browser`() async throws {
    let run = try await FlowCommandRun(
      ["test", "@/suite", "--update", "never", "--report", "html=@/report.html"], in: folder,
      components: [])
    #expect(run.code == .failed)
    let scenario = try String(contentsOf: Self.scenario, encoding: .utf8)
    try folder.write(scenario, to: "report.yaml")

    try await ScenarioFile(folder.path("report.yaml")).run(
      try Registry([Browser.self, HTTP.self, Processes.self]),
      inputs: [
        "port": try freePort(),
        "data": Bytes(try folder.directory.read("report.html")).base64,
      ])
  }

  private static let scenario = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "report.yaml")
}
