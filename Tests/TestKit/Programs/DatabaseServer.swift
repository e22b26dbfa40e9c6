private import Dispatch
private import Foundation

/// A server of PostgreSQL that the tests start, with its socket in a separate folder.
///
/// All tests share it, each with its own connections and its own names of tables.
package final class DatabaseServer: Sendable {
  /// The folder of the socket.
  package let folder: String
  // The server ends with this process, for whatever reason.
  private let process: ChildProcess

  /// True if the programs of a server are installed.
  package static let isHere = programs != nil

  /// The message of a skipped test.
  package static let absence =
    "PostgreSQL was not tested: there is no server in /usr/lib/postgresql or of Homebrew"

  /// The folder of the programs, of the newest version installed by Debian's packages.
  private static let programs: String? = {
    let debian = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    let folders = versions.sorted { Int($0) ?? 0 > Int($1) ?? 0 }.map { "\(debian)/\($0)/bin" }
    return (folders + ["/opt/homebrew/bin", "/usr/local/bin"]).first {
      FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
    }
  }()

  /// The server of this process, started by the first test that asks for it.
  package static func shared() async throws -> DatabaseServer { try await started.value }

  private static let started = Task {
    try await withCheckedThrowingContinuation { continuation in
      // A thread waits for the start, which takes a second or two.
      DispatchQueue(label: "server").async {
        continuation.resume(with: Result { try DatabaseServer() })
      }
    }
  }

  private init() throws {
    // Without the descriptors of other tests, such as connections whose ends they await.
    process = try ChildProcess(
      "/bin/sh", ["-c", Self.script, "sh", Self.programs ?? ""], hasInput: true)
    let text = process.outputUntilClosed()
    guard let folder = text.split(separator: "\n").last, folder.hasPrefix("/") else {
      throw ServerFailure(output: text)
    }
    self.folder = String(folder)
  }

  /// Prints the folder when the server is ready, and stops the server at the end of its input.
  ///
  /// PostgreSQL refuses to run as root, which therefore becomes the user of the package.
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
  package func url(password: String = "none", _ parameters: String = "") -> String {
    let host = folder.replacingOccurrences(of: "/", with: "%2F")
    return "postgres://flow:\(password)@\(host)/postgres"
      + (parameters.isEmpty ? "" : "?" + parameters)
  }

  private struct ServerFailure: Error, CustomStringConvertible {
    let output: String
    var description: String { "the server did not start: \(output)" }
  }
}
