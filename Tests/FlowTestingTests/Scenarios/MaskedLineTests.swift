import FlowCore
import FlowTesting
import TestKit
import Testing

/// Lines of scenarios in the text of problems.
@Suite struct MaskedLineTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(
      "  - {uses: it.refuse, with: {key: hunter22}}",
      plugin: "safe, with: {password: swordfish}")
  }

  private func run() async throws -> ScenarioRun {
    await workshop.scenario.attempt(
      try Registry([Safe.self]), options: LiveOptions(secrets: ["token": "t0ken"]))
  }

  @Test func `a line of a scenario is quoted without its secrets`() async throws {
    let failures = try await run().failures

    #expect(
      failures.contains("| - {uses: it.refuse, with: {key: ********}}")
        || failures.contains("{key: ********}"))
    #expect(!failures.contains("hunter22"))
  }

  @Test func `a replay masks them as well`() async throws {
    try workshop.folder.write(try await run().transcript, to: "it.transcript.jsonl")

    let problems = await workshop.scenario.problemsOfReplay(try Registry([Safe.self]))

    #expect(workshop.text(problems).contains("{key: ********}"))
    #expect(!workshop.text(problems).contains("hunter22"))
  }
}
