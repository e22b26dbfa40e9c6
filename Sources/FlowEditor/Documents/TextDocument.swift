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
  /// The reason for which nothing is kept of the text until it is sent whole again, or nil.
  private(set) var loss: Loss?

  /// A reason for which a text is not known.
  enum Loss {
    /// It is over the limit.
    case tooLarge
    /// A change that may be one of it could not be read.
    case unreadChange
  }

  /// The largest text, in bytes.
  static let largest = 16 << 20

  init(uri: String, path: String, language: String, version: Int, text: String) {
    (self.uri, self.path, self.language, self.version) = (uri, path, language, version)
    (bytes, lines) = ([], LineTable([]))
    take(text)
    lines = LineTable(bytes)
  }

  private mutating func take(_ text: String) {
    loss = text.utf8.count > Self.largest ? .tooLarge : nil
    bytes = loss == nil ? Array(text.utf8) : []
  }

  /// Forgets the text, which may have changed in an unknown way.
  mutating func lose(_ reason: Loss = .unreadChange) {
    (bytes, lines, loss) = ([], LineTable([]), reason)
  }

  /// Applies changes in their order: each replaces a range, or the whole text.
  ///
  /// After one that cannot be read, the text is unknown.
  mutating func apply(_ changes: [JSON], version: Int?, _ encoding: PositionEncoding) {
    for change in changes {
      guard let text = change["text"]?.string else {
        lose()
        continue
      }
      if let range = change["range"] {
        replace(EditorRange(range), by: text, encoding)
      } else {
        take(text)
      }
      lines = LineTable(bytes)
    }
    self.version = version ?? self.version + 1
  }

  private mutating func replace(
    _ range: EditorRange?, by text: String, _ encoding: PositionEncoding
  ) {
    guard loss == nil else { return }
    guard let range, range.start <= range.end, !lines.splitsCharacter(range.start, encoding),
      !lines.splitsCharacter(range.end, encoding)
    else { return lose() }
    let start = lines.offset(of: range.start, encoding)
    let end = lines.offset(of: range.end, encoding)
    guard bytes.count - (end - start) + text.utf8.count <= Self.largest else {
      return lose(.tooLarge)
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
    guard let line = json["line"]?.int, let character = json["character"]?.int, line >= 0,
      character >= 0
    else { return nil }
    self.init(line: line, character: character)
  }

  var json: JSON { .fields(["line": .int(line), "character": .int(character)]) }
}
