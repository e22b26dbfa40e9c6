import FlowCommand
import TestKit
import Testing

/// Parallel steps with secrets, recorded, replayed and resumed.
@Suite struct SecretOrderTests {
  /// The hidden value, and the reason.
  enum Hidden: String, CaseIterable {
    case nothing = "flow: 1\n"
    case secret = "flow: 1\n# none but the input\n"
    case nothingThatIsThere = "flow: 1\nredact: ['^never$']\n"
    case pattern = "flow: 1\nredact: ['s3cret']\n"
  }

  private static let levels = ["", "compare: causal, ", "compare: set, "]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, environment: ["FLOW_SECRET_TOKEN": "s3cret+token"],
      components: [Probe.self])
  }

  /// Branches and iterations with interleaved calls, each in its own order.
  private func write(_ hidden: Hidden, _ level: String) throws {
    try folder.write(hidden.rawValue, to: "flow.yaml")
    let text = hidden == .secret ? "${{ inputs.token }}" : "s3cret+token"
    let call = { (mark: String) in #"{uses: p.echo, with: {value: "\#(mark) \#(text)"}}"# }
    let part = """
      flow: 1
      inputs: {token: {type: string, \(hidden == .secret ? "secret: true" : "default: none")}}
      components: {p: {plugin: probe, with: {title: "${{ inputs.token }}"}}}
      steps:
        - {\(level)parallel: {
            left: [{wait: 2ms}, \(call("a")), {wait: 4ms}, \(call("b"))],
            right: [\(call("c")), {wait: 4ms}, \(call("d")), {wait: 1ms}, \(call("e"))]}}
        - {\(level)for: i, in: "${{ [3, 1, 2] }}", parallel: 3, do: [
            {wait: "${{ duration(string(i) + 'ms') }}"}, \(call("f")), {wait: 3ms}, \(call("g"))]}

      """
    try folder.write(part, to: "part.yaml")
    try folder.write(
      part + "  - {scenario: part.yaml, with: {token: \"${{ inputs.token }}\"}}\n", to: "s.yaml")
  }

  @Test(arguments: Hidden.allCases, levels)
  func `interleaving steps that know a secret are recorded and replayed`(
    _ hidden: Hidden, _ level: String
  ) async throws {
    try write(hidden, level)
    let record = try await flow("run", "@/s.yaml", "--record", "--virtual-time")
    let replay = try await flow("replay", "@/s.transcript.jsonl")

    #expect([record, replay].map(\.errors) == ["", ""])
    #expect([record, replay].map(\.code) == [.passed, .passed])
    let isHidden = hidden == .secret || hidden == .pattern
    #expect(try folder.text("s.transcript.jsonl").contains("s3cret") != isHidden)
  }

  @Test(arguments: Hidden.allCases, levels)
  func `interleaving steps that know a secret are compared with a live run`(
    _ hidden: Hidden, _ level: String
  ) async throws {
    try write(hidden, level)
    _ = try await flow("run", "@/s.yaml", "--record", "--virtual-time")
    let live = try await flow("test", "--live", "@/s.yaml")

    #expect(live.errors == "")
    #expect(live.code == .passed)
  }

  @Test(arguments: Hidden.allCases, levels)
  func `interleaving steps that know a secret are resumed after every fifth line`(
    _ hidden: Hidden, _ level: String
  ) async throws {
    try write(hidden, level)
    _ = try await flow("run", "@/s.yaml", "--journal", "@/whole", "--virtual-time")
    let lines = try folder.text("whole").split(separator: "\n").map { "\($0)\n" }

    for count in stride(from: 1, to: lines.count, by: 5) {
      try folder.write(lines.prefix(count).joined(), to: "j")
      let resume = try await flow("resume", "@/j", "--virtual-time")
      let replay = try await flow("replay", "@/j")

      #expect([resume, replay].map(\.errors) == ["", ""], "after \(count) lines")
      #expect([resume, replay].map(\.code) == [.passed, .passed], "after \(count) lines")
    }
  }
}
