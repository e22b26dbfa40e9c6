internal import CMariaDB

/// A loaded libmariadb.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class MariaDBLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  /// Loads a library by its file name from the system's folders.
  init(loading file: String) throws(MariaDBLibraryError) {
    var problem: UnsafePointer<CChar>? = nil
    guard let functions = unsafe flow_my_load(file, &problem) else {
      let reason = unsafe problem.map { unsafe String(cString: $0) } ?? ""
      throw MariaDBLibraryError(file: file, reason: reason)
    }
    unsafe self.functions = functions
  }

  /// Returns the system's libmariadb, loaded on the first call.
  static func system() throws(MariaDBLibraryError) -> MariaDBLibrary {
    try loaded.get()
  }

  private static let loaded = Result { () throws(MariaDBLibraryError) in
    #if os(macOS)
      try MariaDBLibrary(loading: "libmariadb.3.dylib")
    #else
      try MariaDBLibrary(loading: "libmariadb.so.3")
    #endif
  }
}

/// An error for a libmariadb that is missing or too old.
struct MariaDBLibraryError: Error, CustomStringConvertible {
  let file: String
  let reason: String

  /// The missing file, the reason, and how to install it.
  var description: String {
    "MySQL and MariaDB need \(file), which cannot be loaded: \(reason); "
      + "Debian and Ubuntu have it in the package 'libmariadb3', Homebrew in 'mariadb-connector-c'"
  }
}
