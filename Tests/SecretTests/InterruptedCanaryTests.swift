import FlowCommand
import TestKit
import Testing

/// Interrupted and resumed runs, which show no secret.
@Suite struct InterruptedCanaryTests {
  private static let scenario = """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components: {keeper: {plugin: keeper, with: {password: "c4n-ary=three%&;?", asks: asked}}}
    steps:
      - {id: asked, uses: keeper.asked}
      - {id: told, uses: keeper.tell, with: {text: "${{ steps.asked.text }} ${{ inputs.token }}"}}
      - {id: issue, uses: keeper.issue, with: {text: "${{ steps.told.text }}"}}
      - HOLD
      - {uses: keeper.tell, with: {text: "${{ steps.issue.token }}"}}
    finally:
      - {uses: keeper.tell, with: {text: "${{ inputs.token }}"}}
    outputs: {told: "${{ steps.told.text }}"}

    """

  private let canary: Canary

  init() throws {
    canary = try Canary()
    try canary.folder.write("flow: 1\n", to: "flow.yaml")
  }

  private func write(hold: String) throws {
    try canary.folder.write(Self.scenario.replacing(existing: "HOLD", with: hold), to: "s.yaml")
  }

  @Test func `a journal that is cut in any place shows no secret on resume`() async throws {
    try write(hold: "{wait: 0s}")
    try await canary.flow("run", "@/s.yaml", "--journal", "@/s.journal")
    let lines = try canary.folder.text("s.journal").split(separator: "\n").map { "\($0)\n" }
    var codes: Set<ExitCode> = []
    for count in 1..<lines.count {
      let torn = lines[count].prefix(lines[count].count / 2)
      for options in [[], ["--retry-unknown"]] {
        try canary.folder.write(lines.prefix(count).joined() + torn, to: "s.journal")
        let without = try await canary.flow(["resume", "@/s.journal"] + options, secrets: false)
        codes.insert(try await canary.flow(["resume", "@/s.journal"] + options))

        #expect(without == .badInput)
        #expect(try canary.sightings() == [])
      }
    }

    #expect(codes == [.passed, .failed])
    #expect(canary.text.contains("[F1402]"))
    #expect(canary.text.contains("[F3202]"))
    #expect(canary.text.contains("[F3205]"))
  }

  /// Calls that are stopped while they hold a secret.
  private static let holds = [
    #"{uses: keeper.hold, with: {text: "${{ inputs.token }}"}}"#,
    #"{uses: keeper.hold, with: {text: "${{ steps.issue.token }}"}, timeout: 50s}"#,
    #"{uses: keeper.hold, with: {text: "${{ base64.encode(bytes(inputs.token)) }}"}, retry: {attempts: 2}}"#,
    #"{parallel: {a: [{uses: keeper.hold, with: {text: "${{ inputs.token }}"}}], b: [{wait: 5ms}]}}"#,
  ]

  @Test(arguments: holds, [false, true])
  func `a call that is stopped shows no secret`(_ hold: String, isTerminal: Bool) async throws {
    try write(hold: hold)
    let canary = canary
    let commands = [
      ["run", "@/s.yaml", "--record", "--journal", "@/s.journal"], ["resume", "@/s.journal"],
      ["test", "--live", "@/s.yaml"], ["test", "@/s.yaml", "--format", "json"],
    ]
    for command in commands {
      // In a separate task, which is cancelled.
      _ = try await Task {
        try await canary.flow(command, isTerminal: isTerminal, canBeInterrupted: true)
      }.value
    }

    #expect(canary.text.contains("stopping at"))
    // A call with a timeout, or in a branch, has a separate task.
    let isWhole = !hold.contains("timeout") && !hold.contains("parallel")
    #expect(canary.text.contains("interrupted") == isWhole)
    #expect(try canary.sightings() == [])
  }
}
