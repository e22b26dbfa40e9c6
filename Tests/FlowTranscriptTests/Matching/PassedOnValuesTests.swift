import FlowCore
import FlowSystem
import Testing

@testable import FlowTranscript

/// Answers that have a recorded value where the run passed on another one.
@Suite struct PassedOnValuesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The inputs of the call in both runs.
    let asked: (recorded: String, now: String)
    /// The answer, which is the same in both.
    let answer: String
    /// The lines about the differences.
    let due: [String]

    init(
      _ testDescription: String, asked: (recorded: String, now: String), answer: String,
      due: [String]
    ) {
      (self.testDescription, self.asked, self.answer, self.due) =
        (testDescription, asked, answer, due)
    }
  }

  private static func json(_ text: String) throws -> JSON {
    try JSONParser.parse(Array(text.utf8)[...])
  }

  private static func said(_ path: String, _ now: String, _ recorded: String) -> String {
    "\(path): this run passed on \(now), and the answer has the recorded \(recorded)"
  }

  @Test(arguments: [
    Case(
      "a whole value", asked: (#"{"path":"o/ord-1111"}"#, #"{"path":"o/ord-2222"}"#),
      answer: #"{"id":"ord-1111","sum":5}"#, due: [said("ok.id", #""ord-2222""#, #""ord-1111""#)]),
    Case(
      "a short word of this call", asked: (#"{"path":"u/anna"}"#, #"{"path":"u/robert"}"#),
      answer: #"{"name":"anna"}"#, due: [said("ok.name", #""robert""#, #""anna""#)]),
    Case(
      "a number under its name", asked: (#"{"id":7}"#, #"{"id":8}"#),
      answer: #"{"id":7,"count":7}"#,
      due: [said("ok.id", "8", "7")]),
    Case(
      "part of a longer text", asked: (#"{"id":"aaaa-1111"}"#, #"{"id":"bbbb-2222"}"#),
      answer: #"{"self":"/o/aaaa-1111/x"}"#,
      due: [said("ok.self", #""/o/bbbb-2222/x""#, #""/o/aaaa-1111/x""#)]),
    Case(
      "in a list", asked: (#"{"id":"aaaa-1111"}"#, #"{"id":"bbbb-2222"}"#),
      answer: #"{"ids":["x",{"id":"aaaa-1111"}]}"#,
      due: [said("ok.ids[1].id", #""bbbb-2222""#, #""aaaa-1111""#)]),
    Case(
      "the text after a name", asked: (#"{"path":"orders/7"}"#, #"{"path":"orders/8"}"#),
      answer: #"{"self":"/orders/7"}"#, due: [said("ok.self", #""/orders/8""#, #""/orders/7""#)]),
    Case(
      "a short number under another name",
      asked: (#"{"path":"orders/7"}"#, #"{"path":"orders/8"}"#),
      answer: #"{"count":7}"#, due: []),
    Case(
      "a value that this call was given as well",
      asked: (#"{"from":"ord-1111","to":"ord-1111"}"#, #"{"from":"ord-2222","to":"ord-1111"}"#),
      answer: #"{"id":"ord-1111"}"#, due: []),
    Case(
      "a value with two counterparts",
      asked: (#"{"from":"ord-1111","to":"ord-1111"}"#, #"{"from":"ord-2222","to":"ord-3333"}"#),
      answer: #"{"id":"ord-1111"}"#, due: []),
    Case("nothing passed on", asked: ("{}", "{}"), answer: #"{"id":"ord-1111"}"#, due: []),
  ])
  func `an answer that did not change has the values of the run`(_ row: Case) throws {
    var varied = VariedValues()
    varied.ask(try Self.json(row.asked.recorded), try Self.json(row.asked.now))
    let answer = try Self.json(row.answer)

    let due = varied.due(.plain(answer), answer, as: .dynamic, at: "ok")

    #expect(due.flatMap(\.noteLines) == row.due)
  }

  @Test func `a value of an earlier call counts if it is long, and a volatile part never`() throws {
    var varied = VariedValues()
    varied.ask(
      try Self.json(#"{"a":"ord-1111","b":"anna"}"#), try Self.json(#"{"a":"ord-2222","b":"eve"}"#))
    varied.ask(try Self.json("{}"), try Self.json("{}"))
    let answer = try Self.json(#"{"x":"ord-1111","y":"anna","v":"ord-1111"}"#)
    var reader = RecordedValue.Reader()
    let recorded = try reader.value(
      try Self.json(#"{"x":"ord-1111","y":"anna","v":{"$any":"string","example":"ord-1111"}}"#))

    let due = varied.due(recorded, answer, as: .dynamic, at: "ok")

    #expect(due.map(\.path) == ["ok.x"])
  }

  @Test func `equal hidden texts are equal in both runs, also where the answer looks the same`()
    throws
  {
    struct Row { let recorded, now: String, paths: [String] }
    let (one, two) = ("${redacted:1}", "${redacted:1#2}")
    for row in [
      Row(recorded: #"["\#(one)","\#(two)"]"#, now: #"["\#(one)","\#(two)"]"#, paths: []),
      Row(recorded: #"["\#(one)","\#(two)"]"#, now: #"["\#(two)","\#(one)"]"#, paths: []),
      Row(recorded: #"["\#(one)","\#(two)"]"#, now: #"["\#(one)","\#(one)"]"#, paths: ["ok[1]"]),
      Row(recorded: #"["\#(one)","\#(one)"]"#, now: #"["\#(one)","\#(two)"]"#, paths: ["ok[1]"]),
      Row(
        recorded: #"["\#(one) a","\#(two) a"]"#, now: #"["\#(two) a","\#(two) a"]"#,
        paths: ["ok[0]"]),
    ] {
      var calls = CallComparison(nil)
      let changes = calls.changes(try Self.json(row.recorded), try Self.json(row.now), at: "ok")
      let left = changes.filter { !calls.varied.explains($0, isGiven: false) }
      #expect(left.map(\.path) == row.paths, "\(row.recorded) \(row.now)")
    }
  }
}
