internal import FlowSQL

/// The normalised text of a statement: one blank between words, no comments, and `?` for literals.
///
/// Parameters such as `$1` stay.
struct StatementText: Hashable, Sendable {
  /// The most bytes of a statement that are kept.
  static let greatestLength = 16 << 10

  let text: String
  /// The first word in capitals, such as `SELECT`.
  ///
  /// Empty without one.
  let kind: String

  /// True if the text itself bounds the number of rows.
  let isLimited: Bool

  /// Normalises one statement.
  init(_ sql: [UInt8], _ dialect: SQLDialect) {
    var lexer = SQLLexer(sql[...], dialect)
    var words: [String] = []
    while let token = lexer.next() { words.append(Self.word(token)) }
    self.init(words)
  }

  private static func word(_ token: SQLToken) -> String {
    switch token.kind {
    case .text, .number: "?"
    case .word, .name, .parameter, .sign: token.string
    }
  }

  private init(_ words: [String]) {
    var text = ""
    for (index, word) in words.enumerated() {
      let isTight =
        index == 0 || Self.closing.contains(word) || Self.opening.contains(words[index - 1])
      text += (isTight ? "" : " ") + word
    }
    self.text = text
    isLimited = RowLimit(words).isThere
    kind = words.first { $0 != "(" }?.uppercased() ?? ""
  }

  private static let closing: Set = [")", ",", ";", ".", "]", "::"]
  private static let opening: Set = ["(", ".", "[", "::"]

  /// Normalises the statements of a script, which a semicolon outside of quotes separates.
  ///
  /// Statements without a word are left out, as the server does.
  static func all(in script: [UInt8], _ dialect: SQLDialect) -> [StatementText] {
    var lexer = SQLLexer(script[...], dialect)
    var (statements, words): ([StatementText], [String]) = ([], [])
    while let token = lexer.next() {
      let word = Self.word(token)
      if word != ";" {
        words.append(word)
      } else if !words.isEmpty {
        statements.append(StatementText(words))
        words = []
      }
    }
    return words.isEmpty ? statements : statements + [StatementText(words)]
  }
}
