import FlowCommand
import TestKit
import Testing

/// `flow journal`, and addresses of journals, without a database.
@Suite struct JournalTests {
  static let database =
    "write a database as postgres://HOST/DATABASE, without '#' and a journal's name"
  static let journal = "write a journal in a database as postgres://HOST/DATABASE#NAME: "
  static let name = "the journal's name after '#' must have 1 to 200 characters, percent-encoded"
  static let server =
    "in all parts of the address, '/', '?', '#', '@' and '%' must be percent-encoded"

  @Test(arguments: [
    (["journal", "foo"], "unknown command 'journal foo'; there are list, export, prune"),
    (["journal", "list"], "DATABASE is missing"), (["journal", "list", "order.journal"], database),
    (["journal", "prune", "postgres://u:geheim@h/db#x"], database),
    (["journal", "export", "postgres://h/db#x"], "FILE is missing"),
    (["journal", "export", "postgres://u:geheim@h/db", "f"], journal + name),
    (["journal", "export", "order.journal", "f"], journal + "this is a file"),
    (
      ["journal", "list", "postgres://h/db", "--check"],
      "'--check': expected prune, got 'list'"
    ),
    (
      ["journal", "prune", "postgres://h/db", "--older-than", "old"],
      "'--older-than': expected a duration such as 720h, got 'old'"
    ),
    (["resume", "postgres://u:geheim@h/db"], journal + name),
    (["run", "s.yaml", "--journal", "postgres://u:geheim@h/db#%"], journal + name),
    (["resume", "postgres://u:geheim/x@h/db#a"], journal + server),
    (["run", "s.yaml", "--journal", "postgres://u:geheim#x@h/db#a"], journal + server),
    (
      ["journal", "postgres://u:geheim@h/db"],
      "unknown command 'journal postgres://u@h/db'; there are list, export, prune"
    ),
    (
      ["journal", "list", "postgres://h/db", "postgres://u:gehe?im@h/db"],
      "unexpected argument 'postgres://u@h/db'"
    ),
  ])
  func `a wrong command line is one clear error without the password`(
    _ arguments: [String], _ message: String
  ) async throws {
    let run = try await FlowCommandRun(arguments)

    #expect(run.errors == "flow: \(message)\nsee 'flow help \(arguments[0])'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test(arguments: [["transcript", "show"], ["replay"], ["check"], ["run"]])
  func `a command that takes no address quotes none with its password`(
    _ command: [String]
  ) async throws {
    let run = try await FlowCommandRun(command + ["Postgres://u:gehe#im@h/db#a"])

    #expect(run.errors.contains("/u@h/db#a"), "\(run.errors)")
    #expect(!(run.errors + run.output).contains("gehe"), "\(run.errors)\(run.output)")
    #expect(run.code == .badInput)
  }

  @Test func `a server that is not there is told without the password`() async throws {
    let run = try await FlowCommandRun(["journal", "list", "postgres://u:geheim@127.0.0.1:1/db"])

    #expect(run.errors.hasPrefix("flow: cannot read 'postgres://u@127.0.0.1:1/db': "))
    #expect(!run.errors.contains("geheim"))
    #expect(run.code == .busy)
  }
}
