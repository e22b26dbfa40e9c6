import FlowCore
import FlowPostgreSQL
import FlowTesting
import Testing

@testable import SQLPlugin

/// Addresses of servers, which need libpq and no server.
@Suite(
  .enabled(if: PostgreSQLLibrary.isHere, "PostgreSQL was not tested: there is no libpq"))
struct PostgreSQLAddressTests {
  private static let malformed =
    "settings: 'url' must be like postgres://user:password@host:5432/database"

  @Test(arguments: [
    ("http://localhost/d", malformed), ("host=localhost", malformed), ("", malformed),
    ("postgres://u:top-secret@h/d?none=1", "settings: 'url' has 'none', which is not accepted"),
    ("postgres://h:0/d", "settings: 'url' must have a port from 1 to 65535"),
    (
      "postgres://u:p@ssw0rd@h/d",
      "settings: 'url' has an '@' in its password; write it as '%40'"
    ),
    ("postgres://h/d?hostaddr=127.0.0.1", "settings: 'url' has 'hostaddr', which is not accepted"),
    ("postgres://h/d?service=s", "settings: 'url' has 'service', which is not accepted"),
    ("postgres://h/d?user=u&schema=s", "settings: 'url' has 'schema', which is not accepted"),
    (
      "postgres://h/d?connectionLimit",
      "settings: 'url' has 'connectionLimit', which is not accepted"
    ),
    ("postgres://u:a/b?x=1@h/d", "settings: \(PostgreSQLAddress.expectation)"),
    ("postgres://h/d?p%C3=1", "settings: \(PostgreSQLAddress.expectation)"),
    (
      "postgres://h/d?replication=database",
      "settings: 'url' has 'replication', which is not accepted"
    ),
    (
      "postgres://h/d?sslcert=c&sslkey=../../tmp/library%3A1",
      "settings: 'url' has an 'sslkey' with a ':', which is not accepted"
    ),
    ("postgres://h/d?sslkey=client.key&passfile=p&options=-c%20geqo%3Doff", nil),
    ("postgres://other/d", "forbidden: 'url': 'other:5432' is not among the allowed hosts"),
    ("postgres://h:1234/d", "forbidden: 'url': 'h:1234' is not among the allowed hosts"),
    ("postgres://h,other:9/d", "forbidden: 'url': 'other:9' is not among the allowed hosts"),
    ("postgres://h/d?host=other", "forbidden: 'url': 'other:5432' is not among the allowed hosts"),
    ("postgres:///d", "forbidden: 'url': 'localhost:5432' is not among the allowed hosts"),
    ("postgres://[::2]/d", "forbidden: 'url': '[::2]:5432' is not among the allowed hosts"),
    ("postgres://%2Ftmp/d", "forbidden: 'url': 'localhost:5432' is not among the allowed hosts"),
    ("postgres://u:p@h/d", nil), ("postgresql://[::1]:5432,h/d?sslmode=require", nil),
  ])
  func `the hosts of a URL have to be allowed`(_ url: String, _ error: String?) async throws {
    let options = LiveOptions(network: try Network(allowing: ["h:5432", "[::1]"]))
    do {
      let database = try await OpenComponent(SQL.self, with: ["url": url], options: options)
      await database.close()
      #expect(error == nil)
    } catch let failure {
      #expect("\(failure)" == error)
    }
  }

  @Test func `a server that is not there is an error of the call`() async throws {
    let answer = try await SQL.with(["url": "postgres://u@127.0.0.1:1/d"]) {
      await $0.rows("SELECT 1")
    }

    #expect(answer == "unavailable: cannot connect: Connection refused")
  }

  @Test func `a socket that is not there is named`() async throws {
    let expected = [
      "postgres://u@%2Fnone%2Fhere/d":
        "unavailable: cannot connect: the socket '/none/here/.s.PGSQL.5432': No such file or directory",
      "mysql://u@localhost/d?socket=%2Fnone%2Fhere":
        "unavailable: cannot connect: Can't connect to local server through socket '/none/here' (2)",
    ]
    for (url, error) in expected {
      #expect(try await SQL.with(["url": url]) { await $0.rows("SELECT 1") } == error)
    }
  }
}

extension PostgreSQLLibrary {
  /// True if the system has the library.
  fileprivate static var isHere: Bool { (try? system()) != nil }
}
