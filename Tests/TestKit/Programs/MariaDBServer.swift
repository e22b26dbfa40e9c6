private import Dispatch
private import Foundation

/// A server of MariaDB that the tests start, with its socket in a separate folder.
///
/// All tests share it, each with its own connections and its own names of tables.
package final class MariaDBServer: Sendable {
  /// The folder of the socket.
  package let folder: String
  // The server ends with this process, for whatever reason.
  private let process: ChildProcess

  /// True if the programs of a server and its client library are installed.
  package static let isHere = server != nil && hasLibrary

  /// The message of a skipped test.
  package static let absence =
    "MariaDB was not tested: there is no mariadbd with mariadb-install-db, or no libmariadb"

  private static let server: String? = ["/usr/sbin/mariadbd", "/opt/homebrew/bin/mariadbd"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private static let hasLibrary: Bool = {
    let files = ["libmariadb.so.3", "libmariadb.3.dylib"]
    return files.contains { unsafe dlopen($0, RTLD_LAZY | RTLD_LOCAL) != nil }
  }()

  /// The server of this process, started by the first test that asks for it.
  package static func shared() async throws -> MariaDBServer { try await started.value }

  private static let started = Task {
    try await withCheckedThrowingContinuation { continuation in
      // A thread waits for the start, which takes a few seconds.
      DispatchQueue(label: "mariadb").async {
        continuation.resume(with: Result { try MariaDBServer() })
      }
    }
  }

  private init() throws {
    process = try ChildProcess(
      "/bin/sh", ["-c", Self.script, "sh", Self.server ?? ""], hasInput: true)
    let text = process.outputUntilClosed()
    guard let folder = text.split(separator: "\n").last, folder.hasPrefix("/") else {
      throw ServerFailure(output: text)
    }
    self.folder = String(folder)
  }

  /// Prints the folder when the server is ready, and stops the server at the end of its input.
  private static let script = """
    server=$1
    folder=$(mktemp -d /tmp/flow-my-XXXXXX) || exit 1
    user=$(id -un)
    if [ "$(id -u)" = 0 ]; then user=mysql && chown mysql "$folder"; fi
    cd "$folder"
    # The caller's may be closed to the user of the server.
    export TMPDIR="$folder"
    trap '' INT TERM
    client() { mariadb --no-defaults -S "$folder/socket" -u root "$@"; }
    mkfifo "$folder/log"
    {
      {
        mariadb-install-db --no-defaults --user="$user" --datadir="$folder/data" --skip-test-db \
          --auth-root-authentication-method=normal &&
        "$server" --no-defaults --user="$user" --datadir="$folder/data" --socket="$folder/socket" \
          --skip-networking --pid-file="$folder/pid" --innodb-flush-log-at-trx-commit=0 \
          --max-connections=200 --character-set-server=utf8mb4
      } 2>"$folder/log" &
      exec 4<"$folder/log"
      while IFS= read -r line <&4; do
        echo "$line"
        case $line in *"ready for connections"*) break ;; esac
      done
      # The server needs a reader of all that it writes.
      cat <&4 &
      client -e "CREATE DATABASE flow; CREATE USER flow@localhost IDENTIFIED BY 'se@cret'; \
        GRANT ALL ON \\`flow%\\`.* TO flow@localhost"
      for name in first second; do
        client -e "CREATE USER $name@localhost IDENTIFIED BY '$name'; \
          GRANT ALL ON \\`flow%\\`.* TO $name@localhost"
      done
    } >"$folder/start" 2>&1 || { cat "$folder/start"; rm -rf "$folder"; exit 1; }
    echo "$folder"
    exec >&- 2>&-
    read -r line
    kill -KILL "$(cat "$folder/pid")"
    rm -rf "$folder"
    """

  /// The URL of a database, with further parameters such as `&tls=required`.
  ///
  /// The users `first` and `second` have their names as passwords.
  package func url(
    user: String = "flow", password: String = "se%40cret", _ parameters: String = ""
  ) -> String {
    let socket = (folder + "/socket").replacingOccurrences(of: "/", with: "%2F")
    return "mysql://\(user):\(password)@localhost/flow?socket=\(socket)\(parameters)"
  }

  private struct ServerFailure: Error, CustomStringConvertible {
    let output: String
    var description: String { "the server did not start: \(output)" }
  }
}
