internal import CPostgreSQL
public import FlowSystem

/// A loaded libpq.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe public final class PostgreSQLLibrary: @unchecked Sendable {
  /// The functions of libpq.
  let functions: flow_pq

  private init() throws(LibraryError) {
    let table = unsafe try SystemLibrary("PostgreSQL needs", debian: "libpq5", homebrew: "libpq")
      .load { unsafe flow_pq_load(&$0) }
    functions = unsafe table.pointee
  }

  /// Returns the system's libpq, loaded on the first call.
  public static func system() throws(LibraryError) -> PostgreSQLLibrary { try loaded.get() }

  private static let loaded = Result(catching: PostgreSQLLibrary.init)
}
