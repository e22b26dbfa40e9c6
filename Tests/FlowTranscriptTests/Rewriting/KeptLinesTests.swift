import FlowCore
import FlowTranscript
import TestKit
import Testing

/// What a new recording keeps of an old one.
@Suite struct KeptLinesTests {
  /// Two runs of a scenario, and what differs between the old recording and the new one.
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The steps after those that draw a token and send it.
    var steps = ""
    var outputs = ""
    /// The answers of the steps, by their names, in the old run and in the new one.
    var old: [String: String] = [:]
    var new: [String: String] = [:]
    /// The lines that change, as addresses with `>` for a question and `<` for an answer.
    let changed: [String]
  }

  static let samples = [
    Sample(
      testDescription: "nothing but a drawn token", old: ["draw": "t0001"],
      new: ["draw": "t0002"], changed: []),
    Sample(
      testDescription: "another answer beside it", old: ["draw": "t0001", "price": "10"],
      new: ["draw": "t0002", "price": "11"], changed: ["<price#1"]),
    Sample(
      testDescription: "an answer that repeats it, and says something else",
      old: ["draw": "t0001", "send": "got t0001 for 10"],
      new: ["draw": "t0002", "send": "got t0002 for 11"],
      changed: ["<draw#1", ">send#1", "<send#1"]),
    Sample(
      testDescription: "an answer that is read together with it",
      steps: "- {assert: [\"${{ steps.draw.result + steps.price.result != '' }}\"]}",
      old: ["draw": "t0001", "price": "10"], new: ["draw": "t0002", "price": "11"],
      changed: ["<draw#1", ">send#1", "<price#1"]),
    Sample(
      testDescription: "a variable of both",
      steps: "- {set: {both: \"${{ steps.draw.result + steps.price.result }}\"}}",
      old: ["draw": "t0001", "price": "10"], new: ["draw": "t0002", "price": "11"],
      changed: ["<draw#1", ">send#1", "<price#1"]),
    Sample(
      testDescription: "outputs of both", outputs: "${{ steps.draw.result + steps.price.result }}",
      old: ["draw": "t0001", "price": "10"], new: ["draw": "t0002", "price": "11"],
      changed: ["<draw#1", ">send#1", "<price#1", "steps"]),
    Sample(
      testDescription: "an output of it alone", outputs: "${{ steps.draw.result }}",
      old: ["draw": "t0001", "price": "10"], new: ["draw": "t0002", "price": "11"],
      changed: ["<price#1"]),
    Sample(
      testDescription: "an input that it makes longer, and steps that follow from it",
      steps: """
        - for: n
            in: "${{ steps.draw.result == 't0001' ? [1] : [1, 2] }}"
            do: [{id: more, uses: program.act, with: {name: more}}]
        """, old: ["draw": "t0001"], new: ["draw": "t0002"], changed: []),
    Sample(
      testDescription: "steps that follow from it, and another answer",
      steps: """
        - for: n
            in: "${{ steps.draw.result == 't0001' ? [1] : [1, 2] }}"
            do: [{id: more, uses: program.act, with: {name: more}}]
        """, old: ["draw": "t0001", "price": "10"], new: ["draw": "t0002", "price": "11"],
      changed: ["<draw#1", ">send#1", "<price#1", ">for/more#2", "<for/more#2"]),
  ]

  private static func world(_ sample: Sample) -> OutsideWorld {
    OutsideWorld(
      scenario: """
        flow: 1
        components:
          server: {plugin: server, volatile: {exchange: [id]}}
          port: {plugin: port, using: {server: server}}
          program: {plugin: program}
        steps:
          - {id: draw, uses: program.act, with: {name: draw}, volatile: [result]}
          - {id: send, uses: program.act, with: {name: "send ${{ steps.draw.result }}"}}
          - {id: price, uses: program.act, with: {name: price}}
          \(sample.steps)
        outputs: {all: "\(sample.outputs)"}

        """)
  }

  private static func work(_ answers: [String: String]) -> OutsideWorld.Work {
    { _, name in answers[String(name.prefix { $0 != " " })] ?? "" }
  }

  @Test(arguments: samples)
  func `only what has changed is another line, and the recording replays`(
    _ sample: Sample
  ) async throws {
    let world = Self.world(sample)
    let old = try await world.record(Self.work(sample.old))
    let new = try await world.record(Self.work(sample.new))
    let plan = try world.plan({ _, _ in "" }, OutsideWorld.echo)
    let kept = try old.transcript.keeping(in: new.transcript, of: plan)

    #expect(
      Self.changes(from: old.text, to: String(decoding: kept.bytes, as: UTF8.self))
        == sample.changed)
    let report = await Replay(kept, of: plan).run(inputs: [])
    #expect(report.diagnostics.map(\.message) == [])
  }

  @Test func `a scenario with another condition is judged by the answers of today`() async throws {
    let before = Self.world(Sample(testDescription: "", changed: []))
    let after = Self.world(
      Sample(
        testDescription: "", steps: "- {assert: [\"${{ steps.draw.result == 't0002' }}\"]}",
        changed: []))
    let old = try await before.record(Self.work(["draw": "t0001"]))
    let new = try await after.record(Self.work(["draw": "t0002"]))
    let plan = try after.plan({ _, _ in "" }, OutsideWorld.echo)
    let kept = try old.transcript.keeping(in: new.transcript, of: plan)

    #expect(String(decoding: kept.bytes, as: UTF8.self) == new.text)
  }

  @Test func `requests of a program keep their lines, and get other groups with a new one`()
    async throws
  {
    let world = Self.world(Sample(testDescription: "", changed: []))
    func record(_ paths: [String], _ id: String) async throws -> OutsideWorld.RecordedRun {
      try await world.record { program, name in
        if name == "price" { for path in paths { try await program.send(Wire(path: path)) } }
        return ""
      } _: { wire in
        Reply(text: "for \(wire.path)", id: id)
      }
    }
    let old = try await record(["a", "b"], "i0001")
    let same = try await record(["a", "b"], "i0002")
    let more = try await record(["a", "new", "b"], "i0003")
    let plan = try world.plan({ _, _ in "" }, OutsideWorld.echo)

    #expect(try old.transcript.keeping(in: same.transcript, of: plan).bytes == old.run.bytes)
    let kept = try old.transcript.keeping(in: more.transcript, of: plan)
    let requests = String(decoding: kept.bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("/server.exchange") }
    #expect(requests.filter { $0.contains("i0001") }.count == 2)
    #expect(requests.filter { $0.contains("i0003") }.count == 1)
    #expect(requests.filter { $0.contains(#""path":"b""#) && $0.contains(#""turn":3"#) }.count == 1)
  }

  /// The lines of a text that are not in another one, in its order.
  private static func changes(from old: String, to new: String) -> [String] {
    let known = Set(old.unsealed.split(separator: "\n"))
    return new.unsealed.split(separator: "\n").filter { !known.contains($0) }.map { line in
      let address = line.dropFirst(#"{"at":""#.count).prefix { $0 != "\"" }
      if line.contains(#""end":"#) { return "steps" }
      return (line.contains(#""invoke":"#) ? ">" : "<") + address
    }
  }
}
