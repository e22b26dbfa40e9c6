import FlowCommand
import FlowCore
import TestKit
import Testing

/// Quantities that a component declares, in `--report usage`.
@Suite struct UsageReportTests {
  private static let scenario = """
    flow: 1
    components: {scale: {plugin: scale}}
    steps:
      - id: twice
        foreach: [2.0, 3.5]
        do: [{id: inner, uses: scale.weigh, with: {by: "${{ item }}"}}]
      - {id: once, uses: scale.weigh, with: {by: 1}}
      - {uses: scale.weigh, with: {by: 0}, expect: {error: empty}}
      - {uses: scale.look}

    """

  @Test func `amounts are summed by step, and a failed call has none`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")

    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--report", "usage=-"], in: folder, components: [Scale.self])

    #expect(
      run.output == """
        step         answers  calls  weight     parts.fee  parts.count

        @/s.yaml
        twice/inner  live         2  5.5 kg  0.11 credits   2 readings
        once         live         1    1 kg  0.02 credits   1 readings
        all steps    live         3  6.5 kg  0.13 credits   3 readings

        """)
    #expect(run.code == .passed, "\(run.errors)")
  }

  @Test func `a scenario without quantities has none to report`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{uses: p.count}]\n", to: "s.yaml")

    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--report", "usage=-"], in: folder)

    #expect(run.output == "no call has a quantity\n")
  }
}

/// A component that declares what its calls take.
private struct Scale: Component {
  struct Reading: Sendable {
    let weight: Decimal
    let parts: Parts?
    let name: String

    static let record = Record(
      Reading.init(weight:parts:name:),
      Field("weight", \.weight, "The weight.", quantity: "kg"),
      Field("parts", \.parts, "What the reading takes."), Field("name", \.name, "The name."))
  }

  struct Parts: RecordRepresentable {
    let fee: Decimal
    let count: UInt
    let rest: Int?

    static let record = Record(
      Parts.init(fee:count:rest:), Field("fee", \.fee, "The fee.", quantity: "credits"),
      Field("count", \.count, "The readings.", quantity: "readings"),
      Field("rest", \.rest, "Nothing here.", quantity: "kg"))
  }

  static let plugin = Plugin(
    "scale", version: "1.0", "Weighs.", state: .none,
    operations: [
      Operation(
        "weigh", "Weighs.", Parameter<Decimal>("by", "How much."), answers: Reading.record,
        errors: [.empty]
      ) { _, _, weight in
        if weight == .zero { throw ComponentError(.empty, "nothing is there") }
        return Reading(
          weight: weight,
          parts: Parts(fee: try weight * Decimal(significand: 2, scale: 2), count: 1, rest: nil),
          name: "a")
      },
      Operation("look", "Looks.", answers: .none) { _, _ in },
    ]
  ) { _ in Scale() }
}

extension ErrorCode {
  fileprivate static let empty = ErrorCode("empty", "Nothing is there.")
}
