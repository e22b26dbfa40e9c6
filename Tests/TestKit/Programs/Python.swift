private import Foundation

/// A Python with a module that a test needs.
package enum Python {
  /// The path of the first Python with a module, or nil without one.
  ///
  /// The system's come first, since Debian's packages of modules belong to them, then a virtual
  /// environment in `.build`, by default that of the module's name.
  package static func having(_ module: String, in environment: String? = nil) -> String? {
    [
      "/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3",
      ProjectFiles.root + "/.build/\(environment ?? module)/bin/python",
    ].first { path in
      let check = try? ChildProcess(path, ["-c", "import \(module)"]).ending()
      return check.map { $0.signal == 0 && $0.code == 0 } ?? false
    }
  }
}
