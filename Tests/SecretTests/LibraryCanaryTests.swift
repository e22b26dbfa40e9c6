import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

/// The output of the library for Swift tests, which shows no secret.
@Suite struct LibraryCanaryTests {
  private static let head = """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components: {keeper: {plugin: keeper, with: {password: "c4n-ary=three%&;?"}}}
    steps:

    """

  /// Steps that fail with their reason, some in a line with a secret.
  private static let failures = [
    #"{uses: keeper.fail, with: {text: "${{ inputs.token }}"}}"#,
    #"{uses: keeper.crash, with: {text: "${{ base64.encode(bytes(inputs.token)) }}"}}"#,
    #"{uses: keeper.tell, with: {text: "${{ inputs.token }}"}, expect: {text: "no ${{ inputs.token }}"}}"#,
    #"{uses: keeper.sign, with: {key: "c4n-ary=three%&;?"}, expect: {text: "-"}}"#,
    #"{assert: ["${{ inputs.token == '' }}"]}"#,
    #"{wait: "${{ duration(inputs.token) }}"}"#,
    #"{uses: keeper.sign, with: {key: "c4n-ary=three%&;?", oops: 1}}"#,
  ]

  private let canary: Canary
  private let scenario: ScenarioFile

  init() throws {
    canary = try Canary()
    try canary.folder.write("flow: 1\n", to: "flow.yaml")
    try canary.folder.write(Self.head + "  []\n", to: "s.yaml")
    scenario = try ScenarioFile(canary.folder.path("s.yaml"))
  }

  private func write(_ step: String) throws {
    try canary.folder.write(Self.head + "  - \(step)\n", to: "s.yaml")
  }

  private func attempt(
    with components: [TestComponent] = [], hasToken: Bool = true
  ) async throws -> ScenarioRun {
    await scenario.attempt(
      try Registry(Canary.components), with: components,
      inputs: hasToken ? ["token": Canary.secrets["token"] ?? ""] : [:])
  }

  /// Every string of a run that a test or its log can show.
  private func sightings(in run: ScenarioRun) -> [String] {
    let texts = [run.failures] + run.calls.map(\.description) + run.reports.map(\.description)
    return texts.flatMap { Canary.sightings(in: Data($0.utf8)) }
      + Canary.sightings(in: Data(run.transcript), "transcript")
      + Canary.sightings(in: Data("\(run)".utf8), "dump")
  }

  @Test func `what a pattern of the project matches is hidden, and a replay knows it`()
    async throws
  {
    let text = "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n"
    let step = "  - {uses: p.echo, with: {value: id-4711}}\n"
    try canary.folder.write("flow: 1\nredact: ['id-[0-9]+']\n", to: "flow.yaml")
    try canary.folder.write(text + step, to: "s.yaml")
    try await canary.flow("run", "@/s.yaml", "--record")
    let problems = await scenario.problemsOfReplay(try Registry(Canary.components))
    try canary.folder.write(
      text + step.replacing(existing: "}}", with: "}, expect: {value: id-1234}}"), to: "s.yaml")
    let run = try await attempt(hasToken: false)

    #expect(problems == [])
    #expect(run.failures.contains("value: expected \"${redacted:1#2}\", got \"${redacted:1}\""))
    #expect(!run.failures.contains("4711") && !run.failures.contains("1234"))
  }

  @Test(arguments: failures) func `a run that fails shows no secret`(_ step: String) async throws {
    try write(step)
    let run = try await attempt()

    #expect(!run.passed)
    #expect(sightings(in: run) == [])
  }

  @Test func `a run that passes shows no secret`() async throws {
    try write(
      #"{id: told, uses: keeper.tell, with: {text: "${{ inputs.token }}"}}"#
        + "\noutputs: {told: \"${{ steps.told.any }}\"}")
    let run = try await attempt()

    #expect(run.failures == "")
    #expect(run.calls.description.contains("${secret:token}"))
    #expect(sightings(in: run) == [])
  }

  @Test(arguments: failures) func `a replay that departs shows no secret`(
    _ step: String
  ) async throws {
    try write(#"{uses: keeper.tell, with: {text: "${{ inputs.token }}"}}"#)
    try await canary.flow("run", "@/s.yaml", "--record")
    try write(step)
    let problems = await scenario.problemsOfReplay(try Registry(Canary.components))

    #expect(!problems.isEmpty)
    for problem in problems {
      #expect(Canary.sightings(in: Data("\(problem)".utf8)) == [])
    }
  }

  @Test(arguments: ["", ", continue-on-error: true"])
  func `a call that nothing is scripted for shows no secret`(_ option: String) async throws {
    try write(
      #"{uses: keeper.tell, with: {text: "${{ inputs.token }}"}OPTION}"#
        .replacing(existing: "OPTION", with: option))
    let keeper = try StandIn(for: Keeper.self, [:])
    let run = try await attempt(with: [.standIn(keeper)])

    #expect(run.failures.contains("no answer is scripted for 'keeper.tell'"))
    #expect(sightings(in: run) == [])
  }
}
