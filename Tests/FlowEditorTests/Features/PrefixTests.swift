import FlowExpression
import FlowSystem
import FlowYAML
import TestKit
import Testing

@testable import FlowEditor

/// Completion at the end of cut scenarios: it offers the word that the whole file has there.
struct PrefixTests {
  /// A word of a scenario that flow knows.
  private struct Word {
    let file: String
    let offset: Int
    let text: String
  }

  /// The keys whose children the author names.
  private static let named: Set<String> = ["inputs", "components", "set", "outputs", "parallel"]

  @Test func `the end of a cut scenario offers what comes next`() throws {
    let words = try ScenarioFolder.names().flatMap { try Self.words(in: $0 + ".yaml") }
    var random = RandomEditTests.Random(state: 44)
    let count = Stress.count(100, full: 500)
    var missed: [String] = []

    for _ in 0..<count {
      let word = words[random.next(below: words.count)]
      if try !Self.isOffered(word) { missed.append("\(word.file) \(word.offset) \(word.text)") }
    }

    #expect(words.count > 1_000)
    #expect(missed.count * 100 <= count * 5, "\(missed.joined(separator: "\n"))")
    if count == 500 { print("offered: \(count - missed.count) of \(count)\n\(missed)") }
  }

  private static func isOffered(_ word: Word) throws -> Bool {
    let path = ScenarioFolder.path + "/" + word.file
    let text = try ScenarioFolder.text(word.file)
    let prefix = String(decoding: text.utf8.prefix(word.offset), as: UTF8.self)
    var desk = try EditorDesk()
    try desk.open(path, prefix)
    let lines = LineTable(Array(prefix.utf8))
    let place = lines.place(of: prefix.utf8.count, .utf8)
    let list = desk.request(
      "textDocument/completion", desk.place(path, place.line, place.character))
    return list["items"]?.elements.contains { $0["label"]?.string == word.text } ?? false
  }

  // MARK: - Words

  private static func words(in file: String) throws -> [Word] {
    let text = try ScenarioFolder.text(file)
    let lines = LineTable(Array(text.utf8))
    let root = try Node(parsing: Array(text.utf8))
    return formatWords(root, [], lines, file) + expressionWords(Array(text.utf8), file)
  }

  /// The keys of closed mappings, and the values that name operations, plugins and error codes.
  private static func formatWords(
    _ node: Node, _ path: [String], _ lines: LineTable, _ file: String
  ) -> [Word] {
    var words: [Word] = []
    for item in node.items { words += formatWords(item, path, lines, file) }
    let isNamed = path.last.map(named.contains) ?? false
    let isOpen = (path.firstIndex { $0 == "with" || $0 == "expect" }).map { $0 < path.count - 1 }
    for entry in node.entries where !(isOpen ?? false) {
      let key = entry.key.text
      if !isNamed || path.count > 1 && path.first == "components" && key == "with" {
        words.append(Word(file: file, offset: lines.offset(of: entry.key.span.start), text: key))
      }
      if ["uses", "plugin", "error"].contains(key), entry.value.kind == .scalar {
        words.append(
          Word(
            file: file, offset: lines.offset(of: entry.value.span.start), text: entry.value.text))
      }
      words += formatWords(entry.value, path + [key], lines, file)
    }
    return words
  }

  /// The names and functions of expressions, except the variables of macros.
  private static func expressionWords(_ bytes: [UInt8], _ file: String) -> [Word] {
    bytes.ranges(of: Array("${{".utf8)).flatMap { opening -> [Word] in
      let rest = bytes[opening.upperBound...]
      guard let end = rest.firstRange(of: Array("}}".utf8))?.lowerBound else { return [] }
      let text = String(decoding: bytes[opening.upperBound..<end], as: UTF8.self)
      return ExpressionToken.all(in: text).compactMap { token -> Word? in
        guard token.kind == .name || token.kind == .function else { return nil }
        let name = String(decoding: Array(text.utf8)[token.bytes], as: UTF8.self)
        let isMacroVariable = name.utf8.count == 1 || text.contains("(\(name),")
        if isMacroVariable { return nil }
        return Word(file: file, offset: opening.upperBound + token.bytes.lowerBound, text: name)
      }
    }
  }
}
