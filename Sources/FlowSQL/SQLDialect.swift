/// The lexical rules of a database, as far as they differ.
public struct SQLDialect: Sendable {
  /// The place of a value, such as `?` or `$1`.
  public enum Parameter: Sendable {
    /// A `?`.
    case question
    /// A `?`, also with a number.
    case numberedQuestion
    /// A `$` with a number.
    case numberedDollar
  }

  /// The texts in which a backslash escapes the next byte.
  enum Backslashes: Sendable {
    case none
    /// Those of `E'…'`.
    case afterE
    case all
  }

  /// The form of the parameters.
  public let parameter: Parameter
  /// The quotes of texts, which end as they begin.
  let texts: [UInt8]
  /// The quotes of names by the byte that begins one, with the byte that ends it.
  let names: [UInt8: UInt8]
  let backslashes: Backslashes
  /// The letters before a quote that belong to the text, in lower case.
  let prefixes: [UInt8]
  /// The bytes of operators with several signs.
  let operators: Set<UInt8>
  /// True if a comment may have others inside of it.
  var nestsComments = false
  /// True if the comments `/*! … */` and `/*M! … */` are a part of the statement.
  var runsComments = false
  /// True if a `#` begins a comment.
  var hasHashComments = false
  /// True if a comment of `--` needs a blank behind it.
  var hasSpacedDashes = false
  /// True for texts between `$tag$`.
  var hasDollarTexts = false
  /// True if a name may begin with a digit.
  var hasNamesWithDigits = false
  /// True if an `@` begins the name of a variable.
  var hasVariables = false

  /// The rules of SQLite.
  ///
  /// https://www.sqlite.org/lang_expr.html
  public static let sqlite = SQLDialect(
    parameter: .numberedQuestion, texts: bytes("'"),
    names: [
      UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "`"): UInt8(ascii: "`"),
      UInt8(ascii: "["): UInt8(ascii: "]"),
    ],
    backslashes: .none, prefixes: bytes("x"), operators: Set("+-*/<>=~!%&|".utf8))

  /// The rules of PostgreSQL with `standard_conforming_strings`.
  ///
  /// https://www.postgresql.org/docs/current/sql-syntax-lexical.html
  public static let postgreSQL = SQLDialect(
    parameter: .numberedDollar, texts: bytes("'"),
    names: [UInt8(ascii: "\""): UInt8(ascii: "\"")], backslashes: .afterE,
    prefixes: bytes("ebxn"), operators: Set("+-*/<>=~!@#%^&|`?".utf8),
    nestsComments: true, hasDollarTexts: true)

  /// The rules of MySQL and MariaDB without `ANSI_QUOTES` and `NO_BACKSLASH_ESCAPES`.
  ///
  /// https://mariadb.com/kb/en/string-literals/
  public static let mariaDB = SQLDialect(
    parameter: .question, texts: bytes("'\""), names: [UInt8(ascii: "`"): UInt8(ascii: "`")],
    backslashes: .all, prefixes: bytes("bxn"), operators: Set("+-*/<>=~!%^&|:".utf8),
    runsComments: true, hasHashComments: true, hasSpacedDashes: true, hasNamesWithDigits: true,
    hasVariables: true)

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
