import FlowCore
import Testing

@testable import HTTPPlugin

/// Answers of models that end early.
@Suite struct EarlyEndTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let answer: String
    /// The answers with a refusal and at the greatest length, or nil for one that is not tried.
    let refusal: String?
    let length: String?
    var testDescription: String { name }
  }

  private static let rows = [
    Row(
      name: "a chat completion",
      answer:
        #"{"choices":[{"message":{"content":"four","tool_calls":[1]},"finish_reason":"stop"}]}"#,
      refusal: #"{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}"#,
      length:
        #"{"choices":[{"message":{"content":"fo","tool_calls":[1]},"finish_reason":"length"}]}"#),
    Row(
      name: "a message",
      answer: #"{"content":[{"type":"text","text":"four"}],"stop_reason":"end_turn"}"#,
      refusal: #"{"content":[],"stop_reason":"refusal"}"#,
      length: #"{"content":[{"type":"text","text":"fo"}],"stop_reason":"max_tokens"}"#),
    Row(
      name: "an answer of Ollama, which has no refusals",
      answer: #"{"message":{"content":"four"},"done_reason":"stop"}"#, refusal: nil,
      length: #"{"message":{"content":"fo"},"done_reason":"length"}"#),
    Row(
      name: "an answer that goes on", answer: #"{"choices":[{"finish_reason":null}]}"#,
      refusal: nil, length: nil),
    Row(name: "another answer", answer: #"{"choices":"none"}"#, refusal: nil, length: nil),
    Row(name: "no object", answer: "[1]", refusal: nil, length: nil),
  ]

  @Test(arguments: rows) func `the reason and the text of an answer change`(_ row: Row) throws {
    let answer = try Value(json: Array(row.answer.utf8))

    #expect(EarlyEnd.applied(.refusal, to: answer)?.json == row.refusal)
    #expect(EarlyEnd.applied(.length, to: answer)?.json == row.length)
  }

  @Test(arguments: [
    (
      "event: message_delta\ndata: {\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n",
      "event: message_delta\ndata: {\"delta\":{\"stop_reason\":\"max_tokens\"}}\n\n"
    ),
    (
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n"
    ),
    ("{\"done_reason\":\"stop\"}\n", "{\"done_reason\":\"length\"}\n"),
    ("data: {\"choices\":[{\"finish_reason\":null}]}\n\n", nil), ("data: [DONE]\n\n", nil),
  ]) func `the piece of a stream with the reason changes`(_ piece: String, _ expected: String?) {
    #expect(EarlyEnd.applied(.length, toPiece: piece) == expected)
  }

  @Test func `the body is changed in each of its forms`() throws {
    let fault = try #require(HTTPAnswer.faults.first { $0.name == "length" })
    let operation = Operation<HTTP>("x", "", answers: Record.none) { _, _ in }
      .failing(HTTPAnswer.record, [fault])
    var answer = HTTPAnswer(status: 200, headers: HeaderFields())
    answer.json = try Value(json: Array(Self.rows[1].answer.utf8))

    var changed: Value?
    if case .changed(let change)? = operation.description.faults.first?.effect {
      changed = change(HTTPAnswer.record.encode(answer), .null)
    }

    let body = try HTTPAnswer.record.decode(#require(changed))

    #expect(body.json.json == Self.rows[1].length)
    #expect(body.text == Self.rows[1].length)
    #expect(body.size == body.text.utf8.count)
  }
}
