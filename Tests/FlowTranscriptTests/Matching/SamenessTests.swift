import FlowCore
import FlowSystem
import Testing

@testable import FlowTranscript

/// The rules of sameness in comparing two runs.
@Suite struct SamenessTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let first: Value
    let second: Value
    let isSame: Bool
  }

  static let pairs = [
    Pair(testDescription: "NaN", first: .double(.nan), second: .double(.nan), isSame: true),
    Pair(
      testDescription: "NaN in a list", first: .list([.double(.nan)]),
      second: .list([.double(.nan)]), isSame: true),
    Pair(
      testDescription: "maps in another order",
      first: .map(ValueMap([("a", .int(1)), ("b", .double(.nan))])),
      second: .map(ValueMap([("b", .double(.nan)), ("a", .int(1))])), isSame: true),
    Pair(
      testDescription: "decimals of another scale",
      first: .decimal(Decimal(significand: 1250, scale: 2)),
      second: .decimal(Decimal(significand: 125, scale: 1)), isSame: true),
    Pair(
      testDescription: "bytes of one length", first: .bytes(Bytes([1, 2])),
      second: .bytes(Bytes([1, 3])), isSame: false),
    Pair(
      testDescription: "bytes in a list", first: .list([.bytes(Bytes([1]))]),
      second: .list([.bytes(Bytes([2]))]), isSame: false),
    Pair(
      testDescription: "two forms of a letter", first: .string(composed),
      second: .string(decomposed), isSame: false),
    Pair(
      testDescription: "keys that look alike",
      first: .map(ValueMap([("true", .int(1))])), second: map(.bool(true), .int(1)),
      isSame: false),
    Pair(
      testDescription: "lists of another length", first: .list([.int(1)]),
      second: .list([.int(1), .int(1)]), isSame: false),
  ]

  private static func map(_ key: Value, _ value: Value) -> Value {
    var map = ValueMap()
    map[key] = value
    return .map(map)
  }

  @Test(arguments: pairs) func `values are the same by what they are`(_ pair: Pair) {
    #expect(pair.first.isSame(as: pair.second) == pair.isSame)
    #expect(pair.second.isSame(as: pair.first) == pair.isSame)
  }

  @Test func `two forms of a name are two members`() {
    let object = { (first: Int, second: Int) in
      JSON.object([
        .init(Self.composed, .number("\(first)")), .init(Self.decomposed, .number("\(second)")),
      ])
    }

    #expect(object(1, 2)[Self.decomposed] == .number("2"))
    #expect(
      FieldChange.between(object(1, 2), object(1, 3)).map(\.recorded) == [.number("2")])
  }

  @Test func `a large object is compared in the order of its members`() {
    let object = { (count: Int, value: Int) in
      JSON.object((0..<count).map { .init("n\($0)", .number($0 == 50 ? "\(value)" : "0")) })
    }
    let changes = FieldChange.between(object(100, 1), object(101, 2))

    #expect(changes.map(\.path) == ["n50", "n100"])
  }

  @Test(arguments: [
    ("b'abc'", "b'xyz'"), ("'caf\u{E9}'", "'cafe\u{301}'"), ("{true: 1}", "{'true': 1}"),
  ]) func `a replay notices another value of the same look`(
    _ recorded: String, _ now: String
  ) async throws {
    let scenario = { (value: String) in
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps: [{id: e, uses: p.echo, with: {value: "${{ \(value) }}"}}]

      """
    }
    let run = try await Recorded(scenario(recorded))

    #expect(try await run.replay(run.text, scenario(recorded)) == "")
    #expect(try await run.replay(run.text, scenario(now)).contains("[F3003]"))
  }

  @Test func `another way to write an output is no change`() async throws {
    let scenario = { (value: String) in
      "flow: 1\nsteps: []\noutputs: {o: \"${{ decimal('\(value)') }}\"}\n"
    }
    let run = try await Recorded(scenario("12.50"))

    #expect(try await run.replay(run.text, scenario("12.5")) == "")
    #expect(try await run.replay(run.text, scenario("12.51")).contains("[F3008]"))
  }

  @Test func `of many changes the first are told`() async throws {
    let scenario = { (value: Int) in
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps: [{uses: p.echo, with: {value: "${{ lists.range(30).map(i, i * \(value)) }}"}}]

      """
    }
    let run = try await Recorded(scenario(1))
    let text = try await run.replay(run.text, scenario(2))

    #expect(text.contains("  note: value[20]: recorded 20, now 40\n  note: and 9 more fields\n"))
  }
}
