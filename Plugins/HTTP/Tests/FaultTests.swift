import FlowCore
import Testing

@testable import HTTPPlugin

/// The typical failures of requests.
@Suite struct FaultTests {
  @Test func `every operation for a response has the same failures`() {
    let names = [
      "refused", "reset-before", "reset-after", "timeout", "slow", "unavailable", "limited",
      "truncated", "refusal", "length",
    ]
    #expect(HTTPAnswer.faults.map(\.name) == names)
    #expect(ExchangeAnswer.faults.map(\.name) == names)
    #expect(Piece.faults.map(\.name) == ["cut", "stalled", "garbled", "refusal", "length"])
  }

  struct Half: Sendable, CustomTestStringConvertible {
    let body: String
    let type: String
    let text: String?
    let missing: Int?
    var testDescription: String { body }
  }

  @Test(arguments: [
    Half(body: #"{"id": 17,  "a":2}"#, type: "application/json", text: #"{"id": 17"#, missing: 9),
    Half(body: "odd", type: "text/plain", text: "o", missing: 2),
    Half(body: "x", type: "text/plain", text: nil, missing: 1),
    Half(body: "", type: "text/plain", text: nil, missing: nil),
  ])
  func `half of a body is half of the bytes of the server`(_ half: Half) {
    var answer = ExchangeAnswer(status: 200, headers: HeaderFields())
    answer.set(body: Array(half.body.utf8), type: MediaType(half.type))
    let cut = answer.truncated

    #expect((cut.text, cut.missing) == (half.text, half.missing))
    #expect(cut.json == nil && cut.layout == nil && cut.bytes == nil)
  }

  @Test func `half of a letter is bytes`() {
    var answer = ExchangeAnswer(status: 200, headers: HeaderFields())
    answer.text = "aé"

    #expect(answer.truncated.text == "a")
    answer.text = "é"
    #expect(answer.truncated.bytes == Bytes([0xC3]))
    #expect(answer.truncated.missing == 1)
  }

  @Test(
    arguments: [
      ("data: 1\n\n", [0x64, 0x61, 0x74, 0x61, 0xFF, 0xFF, 0xFF, 0x0A, 0x0A]),
      ("abc\r\n", [0x61, 0x62, 0xFF, 0x0D, 0x0A]), ("\n", nil), ("\r\n\n", nil),
    ] as [(String, [UInt8]?)])
  func `a garbled piece has the same size and the same ends of lines`(
    _ piece: String, _ expected: [UInt8]?
  ) {
    let garbled = Piece(Array(piece.utf8)).garbled

    #expect(garbled.bytes?.content == expected)
    #expect(garbled.text == (expected == nil ? piece : nil))
    #expect(!garbled.end)
  }

  @Test func `the end of a stream is not garbled`() {
    #expect(Piece(nil).garbled.end)
    #expect(Piece(nil).garbled.bytes == nil)
  }

  @Test func `the first half of a body is left in the form that it has then`() {
    var answer = ExchangeAnswer(status: 200, headers: HeaderFields())
    answer.json = .map(ValueMap([("id", .int(17))]))
    #expect(answer.truncated.json == nil)
    #expect(answer.truncated.text == #"{"id"#)
    #expect(answer.truncated.missing == 5)

    answer.json = nil
    answer.text = "hello!"
    #expect(answer.truncated.text == "hel")

    answer.text = nil
    answer.bytes = Bytes([1, 2, 3, 4])
    #expect(answer.truncated.bytes == Bytes([1, 2]))
    #expect(answer.truncated.text == nil)
  }
}
