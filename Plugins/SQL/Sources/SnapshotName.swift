internal import FlowCore

/// The name of a snapshot, which is a part of the name of a database or a file.
struct SnapshotName: Hashable {
  /// The most letters of a name.
  static let greatestLength = 30

  let text: String

  /// - Throws: `.snapshotName` for other signs than letters, digits and underscores of ASCII.
  init(_ text: String) throws(SQLError) {
    let isName = text.utf8.allSatisfy { Self.signs.contains($0) }
    guard isName, 1...Self.greatestLength ~= text.utf8.count else { throw .snapshotName(text) }
    self.text = text
  }

  private static let signs = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_".utf8)
}

extension Statement {
  /// Creates a statement without placeholders.
  init(sql: String) { self.init(sql: sql, parameters: []) }
}

extension ResultRows {
  /// The texts of a column, an empty one for every value that is no text.
  func texts(_ column: String) -> [String] {
    rows.map { row in
      guard case .string(let text)? = row.values[column] else { return "" }
      return text
    }
  }

  /// Returns the text of a column in the first row.
  ///
  /// - Throws: `.database` without a row, as of a server that knows nothing of its own tables.
  func text(_ column: String) throws(SQLError) -> String {
    guard let text = texts(column).first else {
      throw .database(.unavailable, "the server does not name its \(column)")
    }
    return text
  }
}
