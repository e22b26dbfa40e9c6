import TestKit
import Testing

@testable import FlowTranscript

/// The alterations of recorded answers.
@Suite struct AlterationsTests {
  private func recorded(_ steps: String) async throws -> (Transcript, Recorded) {
    let recorded = try await Recorded(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n\(steps)\n")
    return (try TranscriptReader.read(Array(recorded.text.utf8), file: "s.jsonl"), recorded)
  }

  private func alterations(_ steps: String) async throws -> [String] {
    let (transcript, recorded) = try await recorded(steps)
    return Alterations(of: transcript, recorded.plan, .init(limit: .max)).first.map {
      "\($0.place) \($0.path), \($0.kind): \($0.text)"
    }
  }

  @Test func `the answer of another call is the next different one, or the first`() async throws {
    let found = try await alterations(
      """
        - {id: a, uses: p.echo, with: {value: x}}
        - {id: b, uses: p.echo, with: {value: x}}
        - {id: c, uses: p.echo, with: {value: long}}
        - {id: d, uses: p.echo, with: {value: y}}
      """)

    #expect(
      found == [
        #"a#1 ok.value, another text: "x" -> "x~""#,
        #"a#1 ok, another answer: {value: "x"} -> the answer on line 9"#,
        #"b#1 ok.value, another text: "x" -> "x~""#,
        #"b#1 ok, another answer: {value: "x"} -> the answer on line 9"#,
        #"c#1 ok.value, another text: "long" -> "long~""#,
        #"c#1 ok, another answer: {value: "long"} -> the answer on line 11"#,
        #"d#1 ok.value, another text: "y" -> "y~""#,
        #"d#1 ok, another answer: {value: "y"} -> the answer on line 5"#,
      ])
  }

  @Test func `equal answers have no other one, and an altered value that makes one is enough`()
    async throws
  {
    let found = try await alterations(
      """
        - {id: a, uses: p.count}
        - {id: b, uses: p.count}
        - {id: c, uses: p.echo, with: {value: x}}
        - {id: d, uses: p.echo, with: {value: x}}
      """)

    #expect(
      found == [
        "a#1 ok.value, next number: 1 -> 2", "a#1 ok.value, negated: 1 -> -1",
        "b#1 ok.value, next number: 2 -> 3", "b#1 ok.value, negated: 2 -> -2",
        "b#1 ok, another answer: {value: 2} -> the answer on line 6",
        #"c#1 ok.value, another text: "x" -> "x~""#, #"d#1 ok.value, another text: "x" -> "x~""#,
      ])
  }

  @Test func `no two alterations are the same, or make the same answer`() async throws {
    let (transcript, recorded) = try await recorded(
      """
        - {id: a, uses: p.types}
        - {id: b, uses: p.count}
        - {id: c, uses: p.count}
        - {id: d, uses: p.fail, with: {code: refused}, continue-on-error: true}
      """)
    let alterations = Alterations(of: transcript, recorded.plan, .init(limit: .max))

    #expect(alterations.count == alterations.first.count)
    let names = alterations.first.map { "\($0.call) \($0.path) \($0.kind)" }
    #expect(Set(names).count == names.count)
    let answers = alterations.first.map { alteration in
      let altered = transcript.applying(alteration)
      return altered.calls.enumerated().map { "\($1.answer.map { "\($0)" } ?? "")" }
    }
    let own = transcript.calls.map { "\($0.answer.map { "\($0)" } ?? "")" }
    #expect(Set(answers + [own]).count == answers.count + 1)
  }

  @Test func `the limit leaves out the last ones, and the number is that of all`() async throws {
    let (transcript, recorded) = try await recorded("  - {id: a, uses: p.types}")
    let all = Alterations(of: transcript, recorded.plan, .init(limit: .max))
    let some = Alterations(of: transcript, recorded.plan, .init(limit: 5))

    #expect(some.count == all.count)
    #expect(some.first.map(\.text) == all.first.prefix(5).map(\.text))
  }
}
