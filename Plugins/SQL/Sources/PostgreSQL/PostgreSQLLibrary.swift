internal import CPostgreSQL

/// A loaded libpq.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class PostgreSQLLibrary: @unchecked Sendable {
  let functions: UnsafePointer<flow_pq>

  /// Loads a library by its file name from the system's folders.
  init(loading file: String) throws(PostgreSQLLibraryError) {
    var problem: UnsafePointer<CChar>? = nil
    guard let functions = unsafe flow_pq_load(file, &problem) else {
      let reason = unsafe problem.map { unsafe String(cString: $0) } ?? ""
      throw PostgreSQLLibraryError(file: file, reason: reason)
    }
    unsafe self.functions = functions
  }

  /// Returns the system's libpq, loaded on the first call.
  static func system() throws(PostgreSQLLibraryError) -> PostgreSQLLibrary {
    try loaded.get()
  }

  private static let loaded = Result { () throws(PostgreSQLLibraryError) in
    #if os(macOS)
      try PostgreSQLLibrary(loading: "libpq.5.dylib")
    #else
      try PostgreSQLLibrary(loading: "libpq.so.5")
    #endif
  }
}

/// An error for a libpq that is missing or too old.
struct PostgreSQLLibraryError: Error, CustomStringConvertible {
  let file: String
  let reason: String

  /// The missing file, the reason, and how to install it.
  var description: String {
    "PostgreSQL needs \(file), which cannot be loaded: \(reason); "
      + "Debian and Ubuntu have it in the package 'libpq5', Homebrew in 'libpq'"
  }
}
