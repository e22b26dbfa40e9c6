internal import FlowCore

/// The placeholders of a statement, found in its text, to explain parameters that do not match.
///
/// The database decides what a placeholder is. A text that is read differently here has another
/// explanation, or none.
struct Placeholders {
  /// The quotes and the placeholders of a database.
  enum Dialect {
    case sqlite, postgreSQL, mariaDB
  }

  private struct Placeholder {
    let text: String
    /// The number of its parameter, from 1.
    let number: Int
    /// The offset of its first byte.
    let start: Int
  }

  private let bytes: [UInt8]
  private let dialect: Dialect
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
  /// The latest word or character that is no blank.
  private var latest = ""
  /// The latest placeholder, if nothing but the start of a member is before it and nothing behind.
  private var member: Placeholder?

  init(_ sql: String, _ dialect: Dialect) {
    bytes = Array(sql.utf8)
    self.dialect = dialect
    var rest = bytes[...]
    while let byte = rest.first { rest = after(byte, rest) }
  }

  // MARK: - Problems

  /// Checks that a statement has as many parameters as a database expects, and no list in the place
  /// of one value.
  static func check(
    _ statement: Statement, _ dialect: Dialect, expected: Int
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
    switch dialect {
    case .sqlite: "write 'IN (SELECT value FROM json_each(\(text)))'"
    case .postgreSQL: "write '= any(\(text))', or '<> all(\(text))' in place of NOT IN"
    case .mariaDB: "write a placeholder for each value"
    }
  }

  // MARK: - Reading

  /// Reads what starts with a byte, and returns the rest.
  private mutating func after(_ byte: UInt8, _ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if rest.starts(with: "/*".utf8) {
      return Statement.afterComment(rest, isNested: dialect == .postgreSQL)
    }
    if rest.starts(with: "--".utf8) || dialect == .mariaDB && byte == UInt8(ascii: "#") {
      return rest.drop { $0 != UInt8(ascii: "\n") }
    }
    if let end = closingQuote(byte) { return afterQuote(rest, end) }
    if let tag = dollarTag(rest) { return afterDollarQuote(rest, tag) }
    if let text = placeholder(rest) {
      add(text, rest.startIndex)
      return rest.dropFirst(text.utf8.count)
    }
    if byte.isOfWord {
      let word = rest.prefix { $0.isOfWord || $0 == UInt8(ascii: "$") }
      note(String(decoding: word, as: UTF8.self).uppercased())
      return rest.dropFirst(word.count)
    }
    if byte > UInt8(ascii: " ") { note(String(UnicodeScalar(byte))) }
    return rest.dropFirst()
  }

  /// Notes a word or a character.
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

  /// Returns the placeholder at the start of a text, or nil.
  private func placeholder(_ rest: ArraySlice<UInt8>) -> String? {
    let sign = UInt8(ascii: dialect == .postgreSQL ? "$" : "?")
    guard rest.first == sign else { return nil }
    let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let isNumbered = dialect != .mariaDB && 1...5 ~= digits.count
    if dialect == .postgreSQL && !isNumbered { return nil }
    return String(decoding: [sign] + (isNumbered ? digits : []), as: UTF8.self)
  }

  /// Returns the end of a quoted text or name that starts with a byte, or nil.
  private func closingQuote(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): byte
    case UInt8(ascii: "`"): dialect == .postgreSQL ? nil : byte
    case UInt8(ascii: "["): dialect == .sqlite ? UInt8(ascii: "]") : nil
    default: nil
    }
  }

  /// Returns the text behind a quote, and notes the placeholders in it.
  private mutating func afterQuote(
    _ text: ArraySlice<UInt8>, _ end: UInt8
  ) -> ArraySlice<UInt8> {
    let hasEscapes = dialect == .mariaDB || dialect == .postgreSQL && latest == "E"
    var rest = text.dropFirst()
    while let byte = rest.first {
      if hasEscapes, byte == UInt8(ascii: "\\") {
        rest = rest.dropFirst(2)
      } else if byte == end {
        rest = rest.dropFirst()
        // A doubled quote is one in the text.
        if rest.first != end { break }
        rest = rest.dropFirst()
      } else {
        rest = afterQuoted(rest)
      }
    }
    note("'")
    return rest
  }

  private mutating func afterQuoted(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let text = placeholder(rest) else { return rest.dropFirst() }
    let number = Int(text.dropFirst()) ?? count + 1
    quoted.append(Placeholder(text: text, number: number, start: rest.startIndex))
    return rest.dropFirst(text.utf8.count)
  }

  /// Returns the mark of a dollar-quoted text, such as `$a$`, or nil.
  private func dollarTag(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard dialect == .postgreSQL, rest.first == UInt8(ascii: "$") else { return nil }
    let name = rest.dropFirst().prefix { $0.isOfWord }
    let isNumber = name.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    let end = name.endIndex
    guard !isNumber, end < rest.endIndex, rest[end] == UInt8(ascii: "$") else { return nil }
    return rest[rest.startIndex...end]
  }

  private mutating func afterDollarQuote(
    _ text: ArraySlice<UInt8>, _ tag: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    var rest = text.dropFirst(tag.count)
    while !rest.isEmpty, !rest.starts(with: tag) { rest = afterQuoted(rest) }
    note("'")
    return rest.dropFirst(tag.count)
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

extension UInt8 {
  fileprivate var isOfWord: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "_")
      || self >= 0x80
  }
}
