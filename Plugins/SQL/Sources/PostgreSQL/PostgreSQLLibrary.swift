internal import CPostgreSQL
internal import FlowCore

/// A loaded libpq.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe final class PostgreSQLLibrary: @unchecked Sendable {
  let functions: UnsafePointer<flow_pq>

  private init() throws(LibraryError) {
    unsafe functions = try SystemLibrary("PostgreSQL needs", debian: "libpq5", homebrew: "libpq")
      .load { unsafe flow_pq_load(&$0) }
  }

  /// Returns the system's libpq, loaded on the first call.
  static func system() throws(LibraryError) -> PostgreSQLLibrary { try loaded.get() }

  private static let loaded = Result(catching: PostgreSQLLibrary.init)
}
