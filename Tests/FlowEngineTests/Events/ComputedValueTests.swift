import FlowCore
import FlowPlan
import FlowRedaction
import TestKit
import Testing

@testable import FlowEngine

/// The values that a scenario computes, as events.
@Suite struct ComputedValueTests {
  private static let scenario = """
    flow: 1
    inputs: {rate: {type: int, default: 3}}
    components: {p: {plugin: probe}}
    steps:
      - set: {net: 10, sum: "${{ net * inputs.rate }}"}
      - {id: a, name: "Take ${{ sum }}", if: "${{ sum > 20 }}", uses: p.echo, with: {value: {n: 30}}, expect: {value: {n: "${{ it > sum - 1 }}"}}}
      - {uses: p.echo, with: {value: 30}, expect: {value: "${{ net * 3 }}"}}
      - {if: "${{ sum < 0 }}", wait: 1s}
      - {id: l, repeat: {until: "${{ loop.index == 1 }}", limit: 3}, do: [{wait: 0s}], outputs: {i: "${{ loop.index }}"}}
      - assert: ["${{ steps.l.i.size() == 2 }}"]
    outputs: {total: "${{ sum }}"}
    """

  private static func computed(_ run: ProbeRun) -> [String] {
    run.events.filter { if case .computed = $0 { true } else { false } }.map(\.line)
  }

  @Test func `variables, names, conditions, expectations and outputs are told`() async throws {
    let run = try await ProbeRun(Self.scenario, hearsValues: true)

    #expect(
      Self.computed(run) == [
        "set#1 set net:  is 10",
        "set#1 set sum: ${{ net * inputs.rate }} is 30, net is 10, inputs.rate is 3",
        "a#1 if : ${{ sum > 20 }} is true, sum is 30",
        #"a#1 name : "Take ${{ sum }}" is "Take 30", sum is 30"#,
        "a#1 expect value.n: ${{ it > sum - 1 }} is true, it is 30, sum - 1 is 29",
        "p.echo#1 expect value: ${{ net * 3 }} is 30, net is 10",
        "wait#1 if : ${{ sum < 0 }} is false, sum is 30",
        "l#1 output i: ${{ loop.index }} is 0",
        "l#1 until : ${{ loop.index == 1 }} is false, loop.index is 0",
        "l#2 output i: ${{ loop.index }} is 1",
        "l#1 until : ${{ loop.index == 1 }} is true, loop.index is 1",
        "assert#1 assert : ${{ steps.l.i.size() == 2 }} is true, steps.l.i.size() is 2",
        "outputs/total#1 output total: ${{ sum }} is 30",
      ])
  }

  @Test func `a sink that does not listen gets none, and the same other events`() async throws {
    let (deaf, hearing) = (
      try await ProbeRun(Self.scenario), try await ProbeRun(Self.scenario, hearsValues: true)
    )

    #expect(Self.computed(deaf) == [])
    let others = hearing.events.filter { if case .computed = $0 { false } else { true } }
    #expect(deaf.events.map(\.line) == others.map(\.line))
  }

  @Test func `whatever is made of a secret is hidden, also at second hand`() async throws {
    let plan = try ProbeRun.plan(
      """
      flow: 1
      inputs: {pin: {type: string, secret: true}}
      components: {p: {plugin: probe}}
      steps:
        - set: {back: "${{ inputs.pin.reverse() }}"}
        - set: {more: "${{ back + '!' }}", size: "${{ back.size() }}", free: "${{ 'x' + 'y' }}"}
        - {for: c, in: "${{ [more] }}", do: [{set: {last: "${{ c }}"}}]}
        - assert: ["${{ more != 'no' }}"]
      """)
    let log = EventLog(hearsValues: true)

    _ = await Session(of: plan, sinks: [log], options: .init(in: Directory(".")))
      .run(inputs: [.string("s3cr3t-word")])

    let lines = log.events.filter { if case .computed = $0 { true } else { false } }.map(\.line)
    let hidden = "${secret:pin}"
    #expect(
      lines == [
        #"set#1 set back: ${{ inputs.pin.reverse() }} is "\#(hidden)", inputs.pin is \#(hidden)"#,
        #"set[2]#1 set more: ${{ back + '!' }} is "\#(hidden)", back is \#(hidden)"#,
        #"set[2]#1 set size: ${{ back.size() }} is "\#(hidden)", back is \#(hidden)"#,
        #"set[2]#1 set free:  is "xy""#,
        #"for/set#1 set last: ${{ c }} is "\#(hidden)""#,
        #"assert#1 assert : ${{ more != 'no' }} is true, more is \#(hidden)"#,
      ])
  }
}

/// The end of a long output of a failed step.
@Suite struct OutputEndTests {
  private static func failure(_ out: String, _ error: String) -> [String] {
    let type = RecordType([
      RecordType.Field(name: "status", type: .int, summary: "", defaultValue: nil),
      RecordType.Field(name: "out", type: .string, summary: "", defaultValue: nil, isLog: true),
      RecordType.Field(name: "error", type: .string, summary: "", defaultValue: nil, isLog: true),
      RecordType.Field(name: "other", type: .string, summary: "", defaultValue: nil),
    ])
    let values: [Value] = [.int(2), .string(out), .string(error), .string("a\nb\nc")]
    let answer = Value.record(RecordValue(type, values))
    let ends = answer.ends
    return ["\(answer.shortening(ends))"] + ends.flatMap(\.lines)
  }

  @Test func `an answer with short outputs has no lines of its own`() {
    #expect(
      Self.failure("one\n", "two")
        == [#"{status: 2, out: "one\n", error: "two", other: "a\nb\nc"}"#])
  }

  @Test func `the last lines of each output are shown`() {
    let out = (1...30).map { "line \($0)\r\n" }.joined()
    let last = (11...30).map { "  line \($0)" }

    let shown = Array(Self.failure(out, "wrong\n\nworse\n").dropFirst())

    let error = ["error:", "  wrong", "  ", "  worse"]
    #expect(shown == ["out, the last 20 of 30 lines:"] + last + error)
  }

  @Test func `a long line is cut at its end`() {
    let lines = Self.failure("a\n" + String(repeating: "x", count: 300), "")

    #expect(lines.dropFirst() == ["out:", "  a", "  " + String(repeating: "x", count: 199) + "…"])
  }
}
