internal import FlowCore
internal import FlowSQL

/// The placeholders of a statement, found in its text, to explain parameters that do not match.
///
/// The database decides what a placeholder is. A text that is read differently here has another
/// explanation, or none.
struct Placeholders {
  private struct Placeholder {
    let text: String
    /// The number of its parameter, from 1.
    let number: Int
    /// The offset of its first byte.
    let start: Int
  }

  private let bytes: [UInt8]
  private let parameter: SQLDialect.Parameter
  /// The numbers of the placeholders outside of quotes.
  private var used: Set<Int> = []
  /// The placeholders that are a whole member of `IN (…)`, by number.
  private var listed: [Int: Placeholder] = [:]
  /// The placeholders inside of quotes, which are text.
  private var quoted: [Placeholder] = []

  /// The number of the latest `?`.
  private var count = 0
  /// For each open parenthesis, true after `IN`.
  private var open: [Bool] = []
  /// The latest word or sign.
  private var latest = ""
  /// The latest placeholder, if nothing but the start of a member is before it and nothing behind.
  private var member: Placeholder?

  init(_ sql: String, _ dialect: SQLDialect) {
    bytes = Array(sql.utf8)
    parameter = dialect.parameter
    var lexer = SQLLexer(bytes[...], dialect)
    while let token = lexer.next() { read(token) }
  }

  // MARK: - Problems

  /// Checks that a statement has as many parameters as a database expects, and no list in the place
  /// of one value.
  static func check(
    _ statement: Statement, _ dialect: SQLDialect, expected: Int
  ) throws(SQLError) {
    let parameters = statement.parameters
    guard parameters.count != expected || parameters.contains(where: \.isList) else { return }
    let placeholders = Placeholders(statement.sql, dialect)
    try placeholders.checkQuoted { _ in expected < parameters.count }
    guard parameters.count == expected else {
      throw .parameterCount(expected: expected, given: parameters.count)
    }
    for (index, value) in parameters.enumerated() {
      try placeholders.checkListed(index + 1, value)
    }
  }

  /// Checks that there is a placeholder for each parameter and the other way round, where they are
  /// numbered.
  func check(given: Int) throws(SQLError) {
    try checkQuoted { $0 <= given && !used.contains($0) }
    let expected = used.max() ?? 0
    guard expected == given else { throw .parameterCount(expected: expected, given: given) }
    for number in 0..<given where !used.contains(number + 1) {
      throw .parameter(number + 1, "is not used")
    }
  }

  /// Throws if one of the suspected numbers is inside of quotes.
  private func checkQuoted(_ isSuspected: (Int) -> Bool) throws(SQLError) {
    guard let found = quoted.first(where: { isSuspected($0.number) }) else { return }
    throw .at(SQLPlace(byte: found.start, in: bytes), .quotedPlaceholder(found.text))
  }

  /// Checks that a parameter in `IN (…)` is no list, which would be compared as one value.
  func checkListed(_ number: Int, _ value: Value) throws(SQLError) {
    guard value.isList, let found = listed[number] else { return }
    throw .at(
      SQLPlace(byte: found.start, in: bytes), .listInParentheses(found.text, hint(found.text)))
  }

  func isUsed(_ number: Int) -> Bool { used.contains(number) }

  /// The way to compare a value with those of a list.
  private func hint(_ text: String) -> String {
    switch parameter {
    case .numberedQuestion: "write 'IN (SELECT value FROM json_each(\(text)))'"
    case .numberedDollar: "write '= any(\(text))', or '<> all(\(text))' in place of NOT IN"
    case .question: "write a placeholder for each value"
    }
  }

  // MARK: - Reading

  private mutating func read(_ token: SQLToken) {
    switch token.kind {
    case .parameter: add(token.string, token.bytes.startIndex)
    case .text, .name:
      search(token.bytes)
      note("'")
    case .word, .number, .sign: note(token.string.uppercased())
    }
  }

  /// Notes a word or a sign.
  private mutating func note(_ token: String) {
    if token == "(" { open.append(latest == "IN") }
    if token == ")" || token == ",", open.last == true, let member {
      listed[member.number] = member
    }
    if token == ")" { _ = open.popLast() }
    member = nil
    latest = token
  }

  private mutating func add(_ text: String, _ start: Int) {
    let isFirst = ["(", ","].contains(latest)
    let number = Int(text.dropFirst()) ?? count + 1
    count = max(count, number)
    used.insert(number)
    note(text)
    if isFirst { member = Placeholder(text: text, number: number, start: start) }
  }

  /// Notes the placeholders inside of quotes.
  private mutating func search(_ text: ArraySlice<UInt8>) {
    var rest = text
    while !rest.isEmpty {
      guard let text = placeholder(rest) else {
        rest = rest.dropFirst()
        continue
      }
      let number = Int(text.dropFirst()) ?? count + 1
      quoted.append(Placeholder(text: text, number: number, start: rest.startIndex))
      rest = rest.dropFirst(text.utf8.count)
    }
  }

  /// Returns the placeholder at the start of a text, or nil.
  private func placeholder(_ rest: ArraySlice<UInt8>) -> String? {
    let sign = UInt8(ascii: parameter == .numberedDollar ? "$" : "?")
    guard rest.first == sign else { return nil }
    let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let isNumbered = parameter != .question && 1...5 ~= digits.count
    if parameter == .numberedDollar && !isNumbered { return nil }
    return String(decoding: [sign] + (isNumbered ? digits : []), as: UTF8.self)
  }
}

extension Value {
  /// True for a list, also one that may be absent.
  var isList: Bool {
    switch self {
    case .list: true
    case .optional(let content?): content.isList
    default: false
    }
  }
}
