import Dispatch
import FlowCore
import FlowTesting
import Foundation
import PluginHarness
import Testing

@testable import SQLPlugin

/// A server of PostgreSQL that the tests start themselves, in a folder of its own and on a socket in it.
///
/// One for all tests: each of them has its own connections, and tables of its own names.
final class TestServer: Sendable {
  /// The folder of the socket.
  let folder: String
  // The server ends when this process does, however that happens.
  private let process: ChildProcess

  /// Whether there are programs to start a server with.
  static let isHere = programs != nil

  /// What a skipped test says.
  static let absence: Comment =
    "PostgreSQL was not tested: there is no server in /usr/lib/postgresql or of Homebrew"

  /// The folder of the programs, of the newest version that Debian's packages have installed.
  private static let programs: String? = {
    let debian = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    let folders = versions.sorted { Int($0) ?? 0 > Int($1) ?? 0 }.map { "\(debian)/\($0)/bin" }
    return (folders + ["/opt/homebrew/bin", "/usr/local/bin"]).first {
      FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
    }
  }()

  /// The server of this process; started by the first test that asks.
  static func shared() async throws -> TestServer { try await started.value }

  private static let started = Task {
    try await withCheckedThrowingContinuation { continuation in
      // Starting takes a second or two, during which a thread waits.
      DispatchQueue(label: "server").async {
        continuation.resume(with: Result { try TestServer() })
      }
    }
  }

  private init() throws {
    // Without the descriptors of other tests, such as connections whose ends they wait for.
    process = try ChildProcess(
      "/bin/sh", ["-c", Self.script, "sh", Self.programs ?? ""], hasInput: true)
    let text = process.outputUntilClosed()
    guard let folder = text.split(separator: "\n").last, folder.hasPrefix("/") else {
      throw ServerFailure(output: text)
    }
    self.folder = String(folder)
  }

  /// Prints the folder when the server is ready, and stops it at the end of its input.
  ///
  /// PostgreSQL refuses to run as root, which then becomes the user that the package made.
  private static let script = """
    programs=$1
    folder=$(mktemp -d /tmp/flow-sql-XXXXXX) || exit 1
    as() { "$@"; }
    if [ "$(id -u)" = 0 ]; then
      chown postgres "$folder"
      as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
    fi
    cd "$folder"
    trap '' INT TERM
    {
      as "$programs/initdb" -D "$folder/data" -A trust -U flow -E UTF8 --locale=C --no-sync &&
      as "$programs/pg_ctl" -D "$folder/data" -w -t 300 -l "$folder/log" -o "-k $folder \
    -c listen_addresses= -c fsync=off -c max_connections=200" start
    } >"$folder/start" 2>&1 || { cat "$folder/start"; rm -rf "$folder"; exit 1; }
    echo "$folder"
    exec >&- 2>&-
    read -r line
    as "$programs/pg_ctl" -D "$folder/data" -m immediate stop
    rm -rf "$folder"
    """

  /// The URL of a database, with parameters such as `options=-c%20lock_timeout%3D1`.
  func url(password: String = "none", _ parameters: String = "") -> String {
    let host = folder.replacingOccurrences(of: "/", with: "%2F")
    return "postgres://flow:\(password)@\(host)/postgres"
      + (parameters.isEmpty ? "" : "?" + parameters)
  }

  private struct ServerFailure: Error, CustomStringConvertible {
    let output: String
    var description: String { "the server did not start: \(output)" }
  }
}

extension SQL {
  /// A component that is closed after the work.
  static func with<Success>(
    _ settings: [String: any FieldValue], in folder: String = ".",
    _ work: (OpenComponent) async throws -> Success
  ) async throws -> Success {
    let database = try await OpenComponent(SQL.self, with: settings, in: folder)
    do {
      let result = try await work(database)
      await database.close()
      return result
    } catch {
      await database.close()
      throw error
    }
  }

  /// A component on the tests' server.
  static func onServer<Success>(
    _ parameters: String = "", settings: [String: any FieldValue] = [:], in folder: String = ".",
    _ work: (OpenComponent) async throws -> Success
  ) async throws -> Success {
    let url = try await TestServer.shared().url(parameters)
    return try await with(
      settings.merging(["url": url]) { given, _ in given }, in: folder, work)
  }
}

extension OpenComponent {
  /// The rows of a query, `[{a: 1}]`; or the error.
  func rows(_ sql: String, _ parameters: Value...) async -> String {
    await field("rows", "query", ["sql": sql, "parameters": parameters])
  }

  /// How many rows a statement changed; or the error.
  func changes(_ sql: String, _ parameters: Value...) async -> String {
    await field("changes", "execute", ["sql": sql, "parameters": parameters])
  }

  /// How many rows each statement of a transaction changed; or the error.
  func transaction(_ statements: [String]) async -> String {
    let statements = statements.map { Statement(sql: $0, parameters: []) }
    return await field("changes", "transaction", ["statements": statements])
  }

  /// One field of an answer; or the error.
  func field(
    _ name: String, _ operation: String, _ input: [String: any FieldValue]
  ) async -> String {
    do {
      guard case .record(let answer) = try await call(operation, input) else { return "no record" }
      return answer[name]?.description ?? "no field"
    } catch {
      return "\(error)"
    }
  }
}
