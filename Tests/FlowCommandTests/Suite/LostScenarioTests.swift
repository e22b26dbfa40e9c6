import FlowCommand
import Foundation
import TestKit
import Testing

/// Scenarios with errors so early that they no longer look like scenarios, which are reported.
@Suite struct LostScenarioTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.write("a.yaml")
    try suite.write("s.yaml")
  }

  /// Records the scenario.
  private func record() async throws {
    _ = try await suite.flow("run", "@/s.yaml", "--record")
  }

  private func write(_ text: String, encoding: String.Encoding = .utf8) throws {
    try suite.folder.write(Array(try #require(text.data(using: encoding))), to: "s.yaml")
  }

  /// The scenario with an open bracket, so that it is invalid YAML.
  private func torn() throws -> String {
    try suite.folder.text("s.yaml").replacing("steps: [", with: "steps: [[")
  }

  /// Expects that the scenario fails and that the other one passes.
  private func expectFailure(_ error: String) async throws {
    let run = try await suite.test()

    #expect(run.output.contains("failed   @/s.yaml  (T)\n"))
    #expect(run.output.hasSuffix("failed in T: scenarios 1 passed, 1 failed\nlive: p\n"))
    #expect(run.errors.contains(error))
    #expect(run.code == .badInput)
  }

  @Test(arguments: [
    "flow: 1\nstesp: []\n", "fow: 1\nsteps: []\n", "- flow\n", "", "{\"fl", "a: [\n",
  ])
  func `a file with a transcript beside it is a scenario, whatever is in it`(
    _ text: String
  ) async throws {
    try await record()
    try write(text)

    try await expectFailure("@/s.yaml:")
  }

  @Test(arguments: [
    "flow: 1\nstesp: []\n", "flow: 1\n", "{\"flow\": 1, \"steps\": [", "{\n  flow: 1,\n  steps: [",
    "'flow' : 1\nsteps: [\n", "{\"name\": \"x\", \"flow\": 1, \"steps\": [{",
  ])
  func `a file that says which version it has is a scenario, be it broken`(
    _ text: String
  ) async throws {
    try write(text)

    try await expectFailure("@/s.yaml:")
  }

  @Test(arguments: [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian])
  func `a broken scenario is known with other line ends and in other encodings`(
    _ encoding: String.Encoding
  ) async throws {
    let torn = try torn()
    for text in [torn, "\u{FEFF}" + torn, torn.replacing("\n", with: "\r")] {
      try write(text, encoding: encoding)

      try await expectFailure("@/s.yaml:")
    }
  }

  @Test(arguments: ["nowhere", "s.yaml"], [true, false])
  func `a link that leads nowhere or to itself is told`(
    _ target: String, _ hasTranscript: Bool
  ) async throws {
    if hasTranscript { try await record() }
    try suite.folder.remove("s.yaml")
    try suite.folder.link("s.yaml", to: target)

    try await expectFailure("error: cannot read '@/s.yaml': ")
  }

  @Test(arguments: [false, true])
  func `a transcript without its scenario fails`(_ isFolder: Bool) async throws {
    try await record()
    try suite.folder.remove("s.yaml")
    if isFolder { try suite.folder.write("", to: "s.yaml/x") }

    let run = try await suite.test()

    #expect(
      run.output == """
        [1/2] passed   @/a.yaml  (live, no transcript, T)
        [2/2] failed   @/s.transcript.jsonl  (T)
        failed in T: scenarios 1 passed, 1 failed
        live: p

        """)
    #expect(
      run.errors == """
        error: '@/s.transcript.jsonl' has no scenario next to it [F3126]
          note: restore the scenario, or remove the transcript with 'flow transcript prune'

        """)
    #expect(run.code == .badInput)
  }

  @Test(arguments: ["exclude: [s.yaml]", "exclude: [s.transcript.jsonl]"])
  func `a transcript whose scenario is left out, or that is left out, fails nothing`(
    _ setting: String
  ) async throws {
    try await record()
    if setting.contains("transcript") { try suite.folder.remove("s.yaml") }
    try suite.folder.write("flow: 1\n\(setting)\n", to: "flow.yaml")

    #expect(try await suite.test().paths == ["a.yaml"])
  }

  @Test func `a transcript that names a scenario elsewhere fails nothing`() async throws {
    try suite.folder.write("", to: "golden/x")
    _ = try await suite.flow("run", "@/s.yaml", "--record=@/golden/other.transcript.jsonl")

    #expect(try await suite.test().errors == "")
  }

  @Test func `of two files that a transcript may be of, the one that is none is passed by`()
    async throws
  {
    try await record()
    try suite.folder.write("items: [1]\n", to: "s.yml")

    #expect(try await suite.test().errors == "")
  }
}
