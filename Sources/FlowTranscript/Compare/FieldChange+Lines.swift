internal import FlowCore

extension FieldChange {
  /// The most lines for one change.
  private static let mostLines = 40

  /// The change for a person: on one line, or as a difference of lines, which are indented.
  package var noteLines: [String] {
    let name = Value.escaped(path)
    if case (.bytes(let old)?, .bytes(let new)?) = (value(recorded), value(now)) {
      return ["\(name): \(BytesText.difference(Array(old.content), Array(new.content)))"]
    }
    guard let recorded, let now, recorded.isLong || now.isLong else { return [text] }
    if case (.string(let old), .string(let new)) = (recorded, now) {
      if !old.contains("\n"), !new.contains("\n") { return ["\(name): \(Self.place(old, new))"] }
      return ["\(name):"] + Self.difference(Self.lines(old), Self.lines(new))
    }
    return ["\(name):"] + Self.difference(recorded.prettyLines, now.prettyLines)
  }

  private func value(_ json: JSON?) -> Value? { json.flatMap { try? Value($0, as: type) } }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func difference(_ old: [String], _ new: [String]) -> [String] {
    LineDifference(from: old, to: new).text(limit: mostLines).map { "  " + $0 }
  }

  /// Where two long texts of one line part, with some of what follows.
  private static func place(_ old: String, _ new: String) -> String {
    // Not by characters: two forms of one accented letter are not the same.
    let (old, new) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
    let offset = zip(old, new).prefix { $0 == $1 }.count
    let from = max(0, offset - 10)
    let part = { (text: [Unicode.Scalar]) in
      var shown = String.UnicodeScalarView()
      shown.append(contentsOf: text.dropFirst(from).prefix(40))
      return (from > 0 ? "…" : "") + Value.string(String(shown)).summary()
    }
    return "recorded \(old.count) characters, now \(new.count), first different at "
      + "character \(offset): recorded \(part(old)), now \(part(new))"
  }
}

extension [FieldChange] {
  /// The most changes that are told of one value.
  private static let mostChanges = 20

  /// The changes for a person, and how many more there are.
  var noteLines: [String] {
    let more = count - Self.mostChanges
    return prefix(Self.mostChanges).flatMap(\.noteLines)
      + (more > 0 ? ["and \(more) more \(more == 1 ? "field" : "fields")"] : [])
  }
}

extension JSON {
  /// The longest value that is told on one line, in bytes.
  private static let longestLine = 80

  /// Whether it does not fit on a line.
  fileprivate var isLong: Bool {
    text.utf8.count > Self.longestLine || string?.contains("\n") == true
  }
}
