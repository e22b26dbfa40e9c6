import FlowCore
import FlowTesting
import TestKit
import Testing

/// Values hidden in the tests of a scenario by the patterns of its project.
@Suite struct ProjectPatternTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(
      """
        - uses: it.open
          with: {key: a key}
      """, plugin: "safe, with: {password: swordfish}",
      head: "inputs: {who: {type: string, default: id-4711}}\noutputs: {who: id-4712}\n")
    try workshop.folder.write("flow: 1\nredact: ['id-[0-9]+']\n", to: "flow.yaml")
  }

  private func run() async throws -> ScenarioRun {
    await workshop.scenario.attempt(
      try Registry([Safe.self]), options: LiveOptions(secrets: ["token": "t0ken"]))
  }

  @Test func `they hide what a run records, and it replays`() async throws {
    let run = try await run()
    try workshop.folder.write(run.transcript, to: "it.transcript.jsonl")
    let text = try workshop.folder.text("it.transcript.jsonl")

    #expect(run.failures == "")
    #expect(text.contains(#""inputs":{"who":"${redacted:1}"}"#))
    #expect(!text.contains("471"))
    #expect(
      workshop.text(await workshop.scenario.problemsOfReplay(try Registry([Safe.self]))) == "")
  }

  @Test func `a transcript that was recorded without them is compared in the redacted form`()
    async throws
  {
    try workshop.folder.write(
      "flow: 1\nredact: ['id-[0-9]{9}']\n", to: "flow.yaml")
    try workshop.folder.write(try await run().transcript, to: "it.transcript.jsonl")
    try workshop.folder.write("flow: 1\nredact: ['id-[0-9]+']\n", to: "flow.yaml")

    let text = workshop.text(
      await workshop.scenario.problemsOfReplay(try Registry([Safe.self])))

    #expect(!text.contains("4711"))
  }

  @Test func `a project file that is a link that leads nowhere is a problem of each run`()
    async throws
  {
    try workshop.folder.remove("flow.yaml")
    try workshop.folder.link("flow.yaml", to: "nowhere")

    let run = workshop.text(try await run().problems)

    #expect(run.contains("flow.yaml': no such file, the target of the link does not exist [F1601]"))
  }

  @Test func `a wrong project file is a problem of each run`() async throws {
    try workshop.folder.write("flow: 1\nredact: ['[']\n", to: "flow.yaml")
    let replay = workshop.text(
      await workshop.scenario.problemsOfReplay(try Registry([Safe.self])))
    let run = workshop.text(try await run().problems)

    for text in [replay, run] { #expect(text.hasPrefix("flow.yaml:2:10: error: '[' is not a")) }
  }
}
