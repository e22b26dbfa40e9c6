import TestKit
import Testing

/// One request to a new server, and its whole answer.
private struct Exchange: CustomTestStringConvertible {
  let request: String
  var headers: [String] = []
  var body = ""
  let answer: String

  var testDescription: String { request + " " + headers.joined() + body.prefix(40) }
}

@Suite struct RequestTests {
  private static let json = "Content-Type: application/json"

  private static let exchanges = [
    Exchange(request: "GET /balance", answer: #"200 \#(json) {"balance":"100.00"}"#),
    Exchange(
      request: "POST /balance/add", body: #"{"amount":"12.5"}"#,
      answer: #"200 \#(json) {"balance":"112.50"}"#),
    Exchange(
      request: "POST /balance/add", body: #"{"amount":"0.001"}"#,
      answer: #"200 \#(json) {"balance":"100.001"}"#),
    Exchange(
      request: "POST /balance/subtract", body: #"{"amount":"100"}"#,
      answer: #"200 \#(json) {"balance":"0.00"}"#),
    Exchange(
      request: "POST /balance/subtract", body: #"{"amount":"100.01"}"#,
      answer: #"409 \#(json) {"error":"insufficient","message":"100.01 is more than "#
        + #"the balance of 100.00","balance":"100.00"}"#),
    Exchange(
      request: "POST /balance/subtract", body: #"{"amount":"-1"}"#,
      answer: #"422 \#(json) {"error":"illegal","message":"the amount -1 is negative"}"#),
    Exchange(
      request: "POST /balance/add", body: #"{"amount":"1e37"}"#,
      answer: #"422 \#(json) {"error":"illegal","#
        + #""message":"the balance would have more than 38 digits"}"#),
    Exchange(
      request: "POST /balance/add", body: #"{"amount":"ten"}"#,
      answer: #"400 \#(json) {"error":"illegal","#
        + #""message":"'amount' is not an exact decimal number"}"#),
    Exchange(
      request: "POST /balance/add", body: #"{"amount":1}"#,
      answer: #"400 \#(json) {"error":"illegal","message":"'amount': expected string, got 1"}"#),
    Exchange(
      request: "POST /balance/add", body: "{",
      answer: #"400 \#(json) {"error":"illegal","message":"byte 2: the text ends too early"}"#),
    Exchange(
      request: "POST /balance/add",
      answer: #"400 \#(json) {"error":"illegal","message":"byte 1: the text ends too early"}"#),
    Exchange(
      request: "POST /balance/add",
      headers: ["Idempotency-Key: " + String(repeating: "k", count: 513)],
      body: #"{"amount":"1"}"#,
      answer: #"400 \#(json) {"error":"illegal","#
        + #""message":"'Idempotency-Key' does not have 1 to 512 bytes"}"#),
    Exchange(
      request: "PUT /balance",
      answer: #"405 \#(json) Allow: GET {"error":"illegal","message":"'/balance' takes GET only"}"#),
    Exchange(
      request: "GET /faults",
      answer: #"405 \#(json) Allow: POST, DELETE {"error":"illegal","#
        + #""message":"'/faults' takes POST, DELETE only"}"#),
    Exchange(
      request: "GET /balance/",
      answer: #"404 \#(json) {"error":"missing","message":"there is nothing at '/balance/'"}"#),
    Exchange(
      request: "GET /balance%FF",
      answer: #"400 \#(json) {"error":"illegal","message":"the request is not UTF-8"}"#),
    Exchange(
      request: "GET /rows",
      answer: #"200 \#(json) {"items":[\#(rows[0]),\#(rows[1]),\#(rows[2])],"total":3,"end":true}"#),
    Exchange(
      request: "GET /rows?start=1&length=1",
      answer: #"200 \#(json) {"items":[\#(rows[1])],"total":3,"end":false}"#),
    Exchange(
      request: "GET /rows?start=9223372036854775807&length=1000",
      answer: #"200 \#(json) {"items":[],"total":3,"end":true}"#),
    Exchange(
      request: "GET /rows?start=-1",
      answer: #"400 \#(json) {"error":"illegal","#
        + #""message":"'start' is not a whole number of zero or more"}"#),
    Exchange(
      request: "GET /rows?length=many",
      answer: #"400 \#(json) {"error":"illegal","#
        + #""message":"'length' is not a whole number of zero or more"}"#),
    Exchange(
      request: "GET /rows?length=1001",
      answer: #"400 \#(json) {"error":"illegal","message":"'length' is more than 1000"}"#),
    Exchange(
      request: "GET /events", headers: ["Last-Event-ID: one"],
      answer: #"400 \#(json) {"error":"illegal","#
        + #""message":"'Last-Event-ID' is not a whole number of zero or more"}"#),
  ]

  private static let rows = (1...3).map {
    #"{"title":"T\#($0)","city":"C","state":"S","image":"\#($0).png"}"#
  }

  @Test(arguments: exchanges)
  fileprivate func `a request has its answer`(_ exchange: Exchange) throws {
    let folder = try TemporaryFolder()
    try folder.write("[" + Self.rows.joined(separator: ",") + "]", to: "rows.json")
    let server = try RunningServer(["--opening", "100", "--rows", folder.path("rows.json")])

    let answer = try server.ask(exchange.request, exchange.headers, exchange.body)

    #expect(answer.replacing("\n", with: " ") == exchange.answer)
  }

  @Test func `a body has a limit, and the connection goes on after one beyond it`() throws {
    let server = try RunningServer()
    let connection = try Connection(server.port)
    let change = #"{"amount":"1"}"#
    let greatest = change + String(repeating: " ", count: (1 << 20) - change.utf8.count)

    let taken = try connection.ask("POST /balance/add", [], greatest)
    let refused = try connection.ask("POST /balance/add", [], greatest + " ")
    let balance = try connection.ask("GET /balance")

    #expect(taken == "200 \(Self.json)\n" + #"{"balance":"1.00"}"#)
    #expect(
      refused == "413 \(Self.json)\n"
        + #"{"error":"illegal","message":"the body has more than 1048576 bytes"}"#)
    #expect(balance == taken)
  }

  @Test func `a body without a length is read to its end`() throws {
    let server = try RunningServer()
    let connection = try Connection(server.port)

    try connection.send(
      "POST /balance/add HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "4\r\n{\"am\r\na\r\nount\":\"2\"}\r\n0\r\n\r\n")

    #expect(try connection.answer() == "200 \(Self.json)\n" + #"{"balance":"2.00"}"#)
  }
}
