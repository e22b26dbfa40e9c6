import TestKit
import Testing

/// Defects that a replay of a program with its upstreams must not have.
@Suite(.serialized) struct UpstreamDefectTests {
  /// A program as it was recorded and as it is now, and the report about it.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let recorded: String
    let now: String
    /// Texts of the report, or none if the test passes.
    var report: [String] = []
    var testDescription: String { name }

    init(_ name: String, _ recorded: String, _ now: String? = nil, _ report: String...) {
      (self.name, self.recorded, self.now, self.report) = (name, recorded, now ?? recorded, report)
    }
  }

  private static let pay =
    #"print(ask("POST", "/pay", '{"amount": 5, "date": "2026-01-01"}', x_shop="a"))"#
  private static let page = #"print(ask("GET", "/items/1?page=2"))"#
  private static let elsewhere = #"print(ask("GET", "/items/1?page=2", upstream="SECOND"))"#
  private static let stream = """
    import http.client, os
    connection = http.client.HTTPConnection(os.environ["FIRST"].split("//")[1], timeout=15)
    connection.request("GET", "/stream")
    answer = connection.getresponse()
    for number in range(3):
        print(answer.readline(), answer.readline())
        ask("POST", f"/acknowledge/{number}")
    print(answer.read())
    """
  private static let call = "components/first#1/serve#1/server.exchange"

  private static func swallowed(_ request: String) -> String {
    "try:\n    \(request)\nexcept Exception:\n    pass"
  }

  private static let sameProgram = [
    Row(
      "each answer is served once, in order",
      #"print([ask("GET", "/count") for _ in range(3)])"#),
    Row("equal requests to two upstreams have their own answers", page + "\n" + elsewhere),
    Row("a stream arrives piece by piece, between the requests about its pieces", stream),
  ]

  private static let changedProgram = [
    Row(
      "the value of a header is compared", pay, swallowed(pay.replacing(#""a""#, with: #""b""#)),
      "'\(call).POST-pay#1' is not in the transcript [F3001]",
      #"headers.x-shop: recorded "a", now "b""#),
    Row(
      "the value of a query is compared", page, swallowed(page.replacing("=2", with: "=3")),
      "'\(call).GET-items-1#1' is not in the transcript [F3001]",
      #"query.page: recorded "2", now "3""#),
    Row(
      "an answer to a body of the same shape is not served", pay,
      swallowed(pay.replacing("5", with: "6")),
      "'\(call).POST-pay#1' is not in the transcript [F3001]", "json.amount: recorded 5, now 6"),
    Row(
      "a date that does not vary is compared", pay,
      swallowed(pay.replacing("2026-01-01", with: "2026-01-02")),
      "'\(call).POST-pay#1' is not in the transcript [F3001]",
      #"json.date: recorded "2026-01-01", now "2026-01-02""#),
    Row(
      "the answer to a GET is not served to a POST", page,
      swallowed(page.replacing("GET", with: "POST")),
      "'\(call).POST-items-1#1' is not in the transcript [F3001]"),
    Row(
      "one more request than recorded is not answered again", page, page + "\n" + swallowed(page),
      "'\(call).GET-items-1#2' is not in the transcript [F3001]"),
    Row(
      "a miss is compared with a request to the same upstream",
      page + "\n" + elsewhere, page + "\n" + swallowed(elsewhere.replacing("=2", with: "=3")),
      "'components/second#1/serve#1/server.exchange.GET-items-1#1' is not in the transcript",
      "'components/second#1/serve#1/server.exchange.GET-items-1#1'\n  note: query.page: "
        + #"recorded "2", now "3""#),
    Row(
      "a recorded request that never comes fails, though the program makes nothing of it",
      page + "\n" + swallowed(pay).replacing("print", with: ""), page,
      "1 recorded call was never made [F3006]", "'\(call).POST-pay#1'"),
    Row(
      "a program that never goes through its upstreams fails", page,
      #"print("GET /items/1?page=2")"#, "1 recorded call was never made [F3006]",
      "'\(call).GET-items-1#1'"),
  ]

  @Test(arguments: sameProgram + changedProgram)
  func `a replay serves what was recorded and nothing else, without a connection`(_ row: Row)
    async throws
  {
    let upstream = try ShopUpstream()
    let recorded = try await upstream.record(row.recorded)
    try #require(recorded.code == 0, "\(recorded.errors)")
    let connections = upstream.connections
    #expect(connections > 0)

    let run = try await upstream.test(row.now)

    #expect(run.code == (row.report.isEmpty ? 0 : 1), "\(run.errors)")
    for text in row.report { #expect(run.errors.contains(text), "\(run.errors)") }
    #expect(upstream.connections == connections)
    upstream.stop()
  }

  @Test func `a recording that fails removes nothing from a transcript`() async throws {
    let upstream = try ShopUpstream()
    #expect(try await upstream.record(Self.pay + "\n" + Self.page).code == 0)
    let before = try upstream.transcript

    let failed = try await upstream.record(Self.pay + "\nraise SystemExit(3)")
    upstream.stop()
    let outage = try await upstream.record(Self.pay + "\n" + Self.page)

    #expect([failed.code, outage.code] == [1, 1])
    #expect(try upstream.transcript == before)
  }

  @Test func `recording again keeps the lines of everything else`() async throws {
    let upstream = try ShopUpstream()
    #expect(try await upstream.record(Self.page).code == 0)
    let before = try upstream.transcript
    try upstream.folder.write(ShopUpstream.scenario, to: "other.yaml")
    try upstream.folder.write(before, to: "other.transcript.jsonl")

    #expect(try await upstream.record(Self.page).code == 0)
    let again = try upstream.transcript
    #expect(try await upstream.record(Self.page + "\n" + Self.pay).code == 0)
    let more = try upstream.transcript.requests

    #expect(again == before)
    #expect(Array(more.prefix(2)) == before.requests)
    #expect(more.count == 4)
    #expect(try upstream.folder.text("other.transcript.jsonl") == before)
    upstream.stop()
  }

  @Test func `a date that varies fits any day`() async throws {
    let upstream = try ShopUpstream()
    try upstream.folder.write(
      ShopUpstream.scenario.replacing(
        existing: "first: {plugin: upstream,",
        with: "first: {plugin: upstream, varies: {server.exchange: {any: [json.date]}},"),
      to: "scenario.yaml")
    let recorded = try await upstream.record(Self.pay)
    #expect(recorded.code == 0, "\(recorded.errors)")

    let run = try await upstream.test(Self.pay.replacing("2026-01-01", with: "2027-12-31"))

    #expect(run.code == 0, "\(run.errors)")
    upstream.stop()
  }

  @Test func `the pieces of a stream keep their order though none of them is compared`()
    async throws
  {
    let upstream = try ShopUpstream()
    try upstream.folder.write(
      ShopUpstream.scenario.replacing(
        existing: "api: {plugin: http,", with: "api: {plugin: http, volatile: {piece: [text, end]},"
      ),
      to: "scenario.yaml")
    let recorded = try await upstream.record(Self.stream)
    #expect(recorded.code == 0, "\(recorded.errors)")

    let run = try await upstream.test(Self.stream)

    // The scenario compares what the program prints.
    #expect(run.code == 0, "\(run.errors)")
    upstream.stop()
  }

  @Test func `64 clients at once lose no request`() async throws {
    let upstream = try ShopUpstream()
    // On a busy machine some are answered before the last ones begin.
    try upstream.folder.write(
      ShopUpstream.scenario.replacing(
        "using: {server: api}}",
        with: "using: {server: api}, varies: {server.exchange: {order: any}}}"),
      to: "scenario.yaml")
    let program = """
      import threading
      right = []
      def work(first):
          for number in range(\(Stress.count(5, full: 200))):
              path = f"/items/{first}/{number}"
              right.append(ask("GET", path) == "GET " + path)
      threads = [threading.Thread(target=work, args=(first,)) for first in range(64)]
      for thread in threads: thread.start()
      for thread in threads: thread.join()
      print(len(right), all(right))
      """
    let recorded = try await upstream.record(program)
    #expect(recorded.code == 0, "\(recorded.errors)")

    let run = try await upstream.test(program)

    #expect(run.code == 0, "\(run.errors)")
    upstream.stop()
  }

  @Test(arguments: [
    ("with: {ports: 1},", "'first' has no field 'ports'; did you mean 'port'? [F1204]"),
    (
      "varies: {server.get: {any: [json.a]}},",
      "'first' does not call 'server.get'; did you mean 'server.piece'? [F1219]"
    ),
    (
      "varies: {server.exchange: {any: [jsn.a]}},",
      "the input of 'server.exchange' has no field 'jsn'; did you mean 'json'? [F1204]"
    ),
  ]) func `an option without an effect is an error`(_ option: String, _ expected: String)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      ShopUpstream.scenario.replacing(
        existing: "first: {plugin: upstream,", with: "first: {plugin: upstream, \(option)"),
      to: "scenario.yaml")

    let run = try await BuiltProgram.run("flow", ["check", "scenario.yaml"], in: folder)

    #expect(run.code != 0)
    #expect(run.errors.contains("error: \(expected)\n"), "\(run.errors)")
  }
}

extension String {
  /// The lines of requests and their answers.
  fileprivate var requests: [String] {
    split(separator: "\n").map(String.init).filter { $0.contains("/server.exchange") }
  }
}
