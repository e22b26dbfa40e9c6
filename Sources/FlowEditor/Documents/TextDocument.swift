internal import FlowSystem

/// A text that is open in the editor.
struct TextDocument: Sendable {
  let uri: String
  /// The path as diagnostics show it: from the working directory on, if it lies there.
  let path: String
  /// The language that the editor takes the text for.
  let language: String
  private(set) var version: Int
  private(set) var bytes: [UInt8]
  private(set) var lines: LineTable
  /// True for a text over the limit, of which nothing is kept until it is sent whole again.
  private(set) var isTooLarge = false

  /// The largest text, in bytes.
  static let largest = 16 << 20

  init(uri: String, path: String, language: String, version: Int, text: String) {
    (self.uri, self.path, self.language, self.version) = (uri, path, language, version)
    (bytes, lines) = ([], LineTable([]))
    take(text)
    lines = LineTable(bytes)
  }

  private mutating func take(_ text: String) {
    isTooLarge = text.utf8.count > Self.largest
    bytes = isTooLarge ? [] : Array(text.utf8)
  }

  /// Applies changes in their order: each replaces a range, or the whole text.
  mutating func apply(_ changes: [JSON], version: Int?, _ encoding: PositionEncoding) {
    for change in changes {
      guard let text = change["text"]?.string else { continue }
      if let range = change["range"].flatMap(EditorRange.init) {
        replace(range, by: text, encoding)
      } else {
        take(text)
      }
      lines = LineTable(bytes)
    }
    self.version = version ?? self.version + 1
  }

  private mutating func replace(
    _ range: EditorRange, by text: String, _ encoding: PositionEncoding
  ) {
    let start = lines.offset(of: range.start, encoding)
    let end = max(start, lines.offset(of: range.end, encoding))
    guard !isTooLarge, bytes.count - (end - start) + text.utf8.count <= Self.largest else {
      (bytes, isTooLarge) = ([], true)
      return
    }
    bytes.replaceSubrange(start..<end, with: text.utf8)
  }
}

/// A half-open range as the protocol counts.
struct EditorRange: Hashable {
  let start: EditorPosition
  let end: EditorPosition

  init(_ start: EditorPosition, _ end: EditorPosition) { (self.start, self.end) = (start, end) }

  init?(_ json: JSON) {
    guard let start = json["start"].flatMap(EditorPosition.init),
      let end = json["end"].flatMap(EditorPosition.init)
    else { return nil }
    self.init(start, end)
  }

  var json: JSON { .fields(["start": start.json, "end": end.json]) }

  func overlaps(_ other: EditorRange) -> Bool { start <= other.end && other.start <= end }
}

extension EditorPosition {
  init?(_ json: JSON) {
    guard let line = json["line"]?.int, let character = json["character"]?.int else { return nil }
    self.init(line: line, character: character)
  }

  var json: JSON { .fields(["line": .int(line), "character": .int(character)]) }
}
