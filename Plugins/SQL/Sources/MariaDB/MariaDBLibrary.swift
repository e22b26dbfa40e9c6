internal import CMariaDB
internal import FlowCore

/// A loaded libmariadb.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class MariaDBLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  private init() throws(LibraryError) {
    unsafe functions = try SystemLibrary(
      "MySQL and MariaDB need", debian: "libmariadb3", homebrew: "mariadb-connector-c"
    ).load { unsafe flow_my_load(&$0) }
  }

  /// Returns the system's libmariadb, loaded on the first call.
  static func system() throws(LibraryError) -> MariaDBLibrary { try loaded.get() }

  private static let loaded = Result(catching: MariaDBLibrary.init)
}
