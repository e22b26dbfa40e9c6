import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import UpstreamPlugin

/// Dates in recorded answers that move with the time.
@Suite struct ShiftedDatesTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
    ("Thu, 29 Feb 2024 23:59:59 GMT", "2024-02-29T23:59:59Z"),
    ("Mon, 31 Dec 2029 00:00:00 GMT", "2029-12-31T00:00:00Z"),
    ("Wed, 31 Dec 1969 23:59:59 GMT", "1969-12-31T23:59:59Z"),
  ]) func `a date of a header is read and written`(_ text: String, _ date: String) throws {
    let read = try #require(HTTPDate(text))

    #expect(read.date.description == date)
    #expect(read.description == text)
  }

  @Test(arguments: [
    "", "1994-11-06T08:49:37Z", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 nov 1994 08:49:37 GMT",
  ]) func `another text is no date of a header`(_ text: String) {
    #expect(HTTPDate(text) == nil)
  }

  /// A program that prints an answer, and sends the date in it back.
  private static let scenario = """
    flow: 1
    components:
      server: {plugin: dated}
      up: {plugin: upstream, using: {server: server}, with: {shift: [expires_at, Expires, exp]}}
      sh: {plugin: shell}
    steps:
      - {id: up, uses: up.address}
      - id: ask
        uses: sh.run
        with:
          line: 'A=$(curl -si $UP/token); echo "$A"; curl -sg "$UP/back?e=$(echo "$A" | grep -o "2001-[^\\"]*")"'
          env: {UP: '${{ steps.up.url }}'}
        volatile: [output]

    """

  @Test func `dates under the names are as far away as they were, and come back as recorded`()
    async throws
  {
    let scenario = try UpstreamScenario(
      Self.scenario.replacing("2001-", with: "20[0-9][0-9]-"))
    let run = await scenario.run()
    #expect(scenario.messages(run) == [])
    // As if it had been recorded ten days earlier.
    let text = String(decoding: run.transcript, as: UTF8.self).unsealed
    let end = try #require(text.firstMatch(of: /"date":"([^"]+)"/)?.1)
    let date = try #require(Timestamp(String(end)))
    let before = try #require(date.advanced(by: .seconds(-864_000)))
    let old = text.replacing(existing: "\"date\":\"\(end)\"", with: "\"date\":\"\(before)\"")

    #expect(try await scenario.replay(old, live: ["up", "sh"]) == [])
  }

  @Test func `what has another name, or is no date, stays as it is`() async throws {
    let answer = ServerAnswer(
      status: 200, headers: ["expires": "never", "date": "Sun, 06 Nov 1994 08:49:37 GMT"],
      json: map([
        "expires_at": .string("soon"), "other": .string("2001-01-01T00:00:00Z"),
        "deep": .list([map(["exp": .int(1_000_000_000), "milli": .int(1)])]),
      ]), text: nil, bytes: nil, stream: nil)
    let dates = ShiftedDates(["expires_at", "expires", "exp"])
    let shown = dates.shown(answer, by: 86_400)

    #expect(shown.headers == answer.headers)
    #expect(
      shown.json
        == map([
          "expires_at": .string("soon"), "other": .string("2001-01-01T00:00:00Z"),
          "deep": .list([map(["exp": .int(1_000_086_400), "milli": .int(1)])]),
        ]))
  }

  @Test(arguments: [
    (Value.string("2001-01-01T00:00:00.25Z"), Value.string("2001-01-02T00:00:00.25Z")),
    (.string("Sun, 06 Nov 1994 08:49:37 GMT"), .string("Mon, 07 Nov 1994 08:49:37 GMT")),
    (.int(1_700_000_000), .int(1_700_086_400)), (.int(1_700_000_000_000), .int(1_700_086_400_000)),
    (.decimal(Decimal("1700000000.8828552")!), .decimal(Decimal("1700086400.8828552")!)),
    (.bool(true), .bool(true)), (.null, .null),
  ]) func `each form of a date moves`(_ recorded: Value, _ now: Value) {
    let answer = ServerAnswer(
      status: 200, headers: [:], json: map(["exp": .list([recorded])]), text: nil, bytes: nil,
      stream: nil)

    #expect(ShiftedDates(["EXP"]).shown(answer, by: 86_400).json == map(["exp": .list([now])]))
  }
}

/// A server whose answer has dates.
struct DatedServer: Component {
  static let plugin = Plugin(
    "dated", version: "1.0", "Answers dates.", state: .none, reaches: [.network],
    operations: [
      Operation(
        "exchange", "Answers a request.", input: PassedRequest.record,
        answers: ServerAnswer.record
      ) { server, context, request in
        let date = context.date.advanced(by: .seconds(60)) ?? context.date
        return ServerAnswer(
          status: 200, headers: ["expires": HTTPDate(date: date).description],
          json: map(["expires_at": .string(date.description)]), text: nil, bytes: nil, stream: nil)
      },
      Operation(
        "piece", "Has none.", Parameter<String>("stream", "The stream."),
        answers: ServerPiece.record
      ) { _, _, _ in throw ComponentError(.unexpected, "there are no streams") },
    ]
  ) { _ in DatedServer() }
}

private func map(_ entries: KeyValuePairs<String, Value>) -> Value {
  .map(ValueMap(entries.map { ($0.key, $0.value) }))
}
