import Foundation
import TestKit
import Testing

/// The start and the end of the server.
@Suite struct StartTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String]) throws -> Ending {
    try Program(arguments, in: folder).ending()
  }

  @Test(arguments: [
    (["--prot", "1"], 64, "unknown option '--prot'; see 'shop-server --help'"),
    (["now"], 64, "unexpected argument 'now'; see 'shop-server --help'"),
    (["--port"], 64, "'--port' needs a value"),
    (["--data", ""], 64, "'--data' needs a value"),
    (["--port", "65536"], 64, "'--port': expected 0 to 65535, got '65536'"),
    (["--opening", "-1"], 64, "'--opening': expected an amount of zero or more, got '-1'"),
    (["--token-requests", "0"], 64, "'--token-requests': expected 1 or more, got '0'"),
    (["--opening", "1e38"], 64, "'--opening': the amount has too many digits"),
    (["--rows", "no.json"], 66, "cannot read 'no.json': no such file"),
    (["--rows", "."], 66, "cannot read '.': not a file"),
    (["--rows", "text"], 65, "'text': byte 1: expected a value"),
    (["--rows", "map"], 65, "'map': expected list(record), got {}"),
    (["--images", "none"], 66, "cannot read 'none': no such folder"),
    (["--images", "text"], 66, "cannot read 'text': no such folder"),
    (
      ["--data", "none/file"], 73,
      "cannot use 'none/file': the database failed: unable to open database file"
    ),
    (["--data", "text"], 73, "cannot use 'text': the database failed: file is not a database"),
  ])
  func `what cannot be used is reported`(
    _ arguments: [String], _ code: Int32, _ message: String
  ) throws {
    try folder.write("text that is no database, and too long to be the head of one", to: "text")
    try folder.write("{}", to: "map")

    let ending = try run(arguments)

    #expect(ending == Ending(code: code, output: "", errors: "shop-server: \(message)\n"))
  }

  @Test func `help lists the options`() throws {
    let ending = try run(["--port", "x", "--help"])

    #expect(ending.code == 0 && ending.errors == "")
    #expect(ending.output.hasPrefix("usage: shop-server [--port N] [--data FILE]"))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends it, after the one line that it prints`(_ signal: Int32) throws {
    let server = try RunningServer()
    #expect(try server.balance().hasSuffix(#"{"balance":"0.00"}"#))

    #expect(server.end(by: signal) == Ending(code: 0, output: "", errors: ""))
  }

  @Test func `a port is taken once`() throws {
    let server = try RunningServer()

    let ending = try run(["--port", "\(server.port)"])

    #expect(
      ending
        == Ending(
          code: 69, output: "",
          errors: "shop-server: cannot listen on port \(server.port): address already in use\n"))
  }

  @Test func `a file that is there keeps its balance`() throws {
    let file = folder.path("shop.sqlite")
    let first = try RunningServer(["--data", file, "--opening", "10"])
    #expect(first.end(by: SIGTERM).code == 0)

    let second = try RunningServer(["--data", file, "--opening", "20"])

    #expect(try second.balance().hasSuffix(#"{"balance":"10.00"}"#))
  }
}
