import Foundation
import Testing

@Suite struct FaultTests {
  private let server: RunningServer

  init() throws { server = try RunningServer(["--opening", "10"]) }

  private static let json = "Content-Type: application/json\n"

  private func set(_ fault: String) throws -> String {
    try server.ask("POST /faults", [], fault)
  }

  private func add() throws -> String {
    try server.ask("POST /balance/add", [], #"{"amount":"1"}"#)
  }

  private static func text(_ balance: String) -> String {
    "200 " + json + #"{"balance":"\#(balance)"}"#
  }

  private static func count(_ count: Int) -> String { "200 " + json + #"{"faults":\#(count)}"# }

  @Test func `a status takes the place of the next answers, and nothing is changed`() throws {
    let failed =
      "503 " + Self.json + #"{"error":"unavailable","message":"a fault was asked for"}"#

    #expect(try set(#"{"path":"/balance","status":503,"times":2}"#) == Self.count(1))

    #expect(try server.ask("GET /rows").hasPrefix("200 "))
    #expect(try add() == failed)
    #expect(try server.balance() == failed)
    #expect(try add() == Self.text("11.00"))
  }

  @Test func `a dropped request has no answer and changes nothing`() throws {
    #expect(try set(#"{"path":"/balance/add","drop":true,"delay":null}"#) == Self.count(1))

    #expect(throws: Connection.Broken.self) { try add() }

    #expect(try server.balance() == Self.text("10.00"))
  }

  @Test func `a request may be dropped after its change`() throws {
    #expect(try set(#"{"path":"/balance/add","drop":true,"after":true}"#) == Self.count(1))

    #expect(throws: Connection.Broken.self) { try add() }

    #expect(try server.balance() == Self.text("11.00"))
  }

  @Test func `a delayed request is answered later`() throws {
    #expect(try set(#"{"path":"/","delay":"100ms","status":null}"#) == Self.count(1))
    let start = ContinuousClock.now

    #expect(try add() == Self.text("11.00"))

    #expect(ContinuousClock.now - start >= .milliseconds(100))
  }

  @Test func `others are answered during a delay, and the end of the server ends it`() throws {
    #expect(try set(#"{"path":"/rows","delay":"1h"}"#) == Self.count(1))
    let connection = try Connection(server.port)
    try connection.send("GET /rows")

    #expect(try server.balance() == Self.text("10.00"))

    #expect(server.end(by: SIGTERM) == Ending(code: 0, output: "", errors: ""))
  }

  @Test func `faults for one path come one after the other, until they are forgotten`() throws {
    #expect(try set(#"{"path":"/balance","status":500}"#) == Self.count(1))
    #expect(try set(#"{"path":"/balance/add","status":404,"times":3}"#) == Self.count(2))

    let statuses = try [add(), add()].map { $0.prefix(3) }

    #expect(statuses == ["500", "404"])
    #expect(try server.ask("DELETE /faults") == Self.count(0))
    #expect(try add() == Self.text("11.00"))
  }

  @Test func `the faults themselves have none`() throws {
    #expect(try set(#"{"path":"/","status":500,"times":9}"#) == Self.count(1))

    #expect(try set(#"{"path":"/faults","drop":true}"#) == Self.count(2))
    #expect(try server.ask("DELETE /faults") == Self.count(0))
  }

  @Test func `there are 100 faults at most`() throws {
    for count in 1...100 {
      #expect(try set(#"{"path":"/rows","drop":true}"#) == Self.count(count))
    }

    #expect(
      try set(#"{"path":"/rows","drop":true}"#) == "400 " + Self.json
        + #"{"error":"illegal","message":"there are 100 faults already"}"#)
  }

  @Test(arguments: [
    ("{}", "'path': missing, expected string"),
    (#"{"path":"balance","drop":true}"#, "'path' does not begin with '/'"),
    (#"{"path":"/"}"#, "there is no 'delay', 'drop' or 'status'"),
    (#"{"path":"/","drop":true,"status":500}"#, "'drop' cannot be combined with 'status'"),
    (#"{"path":"/","status":500,"after":true}"#, "'after' needs 'drop'"),
    (#"{"path":"/","status":200}"#, "'status' is not 400 to 599"),
    (#"{"path":"/","delay":"soon"}"#, #"'delay': expected duration, got \"soon\""#),
    (#"{"path":"/","delay":"-1s"}"#, "'delay' is not 0s to 1h"),
    (#"{"path":"/","drop":true,"times":0}"#, "'times' is not 1 to 1000000"),
    (#"{"path":"/","dorp":true}"#, "'dorp': unknown field; did you mean 'drop'?"),
  ])
  func `what is not a fault is refused`(_ fault: String, _ message: String) throws {
    #expect(try set(fault) == "400 " + Self.json + #"{"error":"illegal","message":"\#(message)"}"#)
    #expect(try server.ask("DELETE /faults") == Self.count(0))
  }
}
