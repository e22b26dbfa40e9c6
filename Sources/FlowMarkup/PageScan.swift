/// The most attributes of an element of a page, counted before a parser reads it.
///
/// Parsers compare each attribute with all others of its element, and nothing interrupts them. They
/// also differ in the places of a page at which a tag can start. So a tag is followed from every
/// `<` with a letter behind it, and several can be open at once. Only the content of a script or
/// style is skipped, where no other tag can be open.
struct PageScan {
  /// The most attributes of one element.
  static let mostAttributes = 1_000

  /// A place in the grammar of a tag.
  private enum State {
    case tagName, gap, name, afterName, equals, unquoted, doubleQuoted, singleQuoted
    /// Characters that some parsers take for a name, and others skip up to a space.
    case odd
    /// An end tag, a declaration or an instruction, which ends at the next `>`.
    case other
  }

  private struct Tag {
    var state: State
    var attributes = 0
    /// The place of its name, or nil if it stands for several tags in the same state.
    var start: Int?
  }

  private let bytes: [UInt8]
  private var open: [Tag] = []
  /// The place behind the start of the comment around, or nil.
  private var comment: Int?

  init(_ page: String) { bytes = Array(page.utf8) }

  /// True if an element has more attributes than the limit.
  mutating func hasTooManyAttributes() -> Bool {
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: ">") {
        place = skipRawText(endOfTag: place)
        continue
      }
      if !open.isEmpty, isTooMany(after: byte) { return true }
      if byte == UInt8(ascii: "<") { openTag(at: place + 1) }
      place += 1
    }
    return false
  }

  /// True if the page ends in a quoted value of an attribute.
  var endsInValue: Bool { open.contains { $0.state == .doubleQuoted || $0.state == .singleQuoted } }

  /// The line of the tag that is open at the end, or the last line.
  var lineOfOpenTag: Int {
    let start = open.compactMap(\.start).min() ?? bytes.count
    return 1 + bytes[..<start].count { $0 == UInt8(ascii: "\n") }
  }

  private mutating func openTag(at place: Int) {
    guard place < bytes.count else { return }
    if comment == nil, bytes[place...].starts(with: "!--".utf8) { comment = place + 3 }
    if bytes[place].isLetter {
      add(Tag(state: .tagName, start: place))
    } else if "!?/".utf8.contains(bytes[place]) {
      add(Tag(state: .other))
    }
  }

  /// Adds a tag, or the larger number of attributes to one in the same state.
  private mutating func add(_ tag: Tag) {
    guard let index = open.firstIndex(where: { $0.state == tag.state }) else {
      return open.append(tag)
    }
    open[index].attributes = max(open[index].attributes, tag.attributes)
    open[index].start = nil
  }

  // MARK: - Ends of tags

  /// Closes the tags that end here, and returns the place behind the text of a script or style.
  private mutating func skipRawText(endOfTag place: Int) -> Int {
    let name = open.count == 1 && comment == nil ? rawTextName(open[0], endingAt: place) : nil
    open.removeAll { $0.state != .doubleQuoted && $0.state != .singleQuoted }
    if let start = comment, bytes[start..<place].suffix(2).elementsEqual("--".utf8) {
      comment = nil
    }
    guard let name else { return place + 1 }
    return endOfRawText(name, from: place + 1)
  }

  private func rawTextName(_ tag: Tag, endingAt place: Int) -> String? {
    guard let start = tag.start, tag.state != .doubleQuoted, tag.state != .singleQuoted,
      bytes[place - 1] != UInt8(ascii: "/")
    else { return nil }
    return ["script", "style"].first { name in
      let end = start + name.utf8.count
      return isName(name, at: start) && !bytes[end].isNameCharacter
    }
  }

  private func endOfRawText(_ name: String, from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      if bytes[place...].starts(with: "</".utf8), isName(name, at: place + 2) { return place }
      place += 1
    }
    return place
  }

  private func isName(_ name: String, at place: Int) -> Bool {
    let end = place + name.utf8.count
    return end < bytes.count
      && zip(bytes[place..<end], name.utf8).allSatisfy { $0 | 0x20 == $1 }
  }

  // MARK: - Attributes

  /// Goes on in all open tags, and returns true if one has too many attributes.
  private mutating func isTooMany(after byte: UInt8) -> Bool {
    let before = open
    open.removeAll(keepingCapacity: true)
    for var tag in before {
      let state = next(tag.state, byte)
      let isNew = state == .name || (state == .odd && tag.state != .odd)
      if isNew, tag.state != state { tag.attributes += 1 }
      if tag.state == .odd, state == .equals { add(tag) }
      tag.state = state
      if tag.attributes > Self.mostAttributes { return true }
      add(tag)
    }
    return false
  }

  private func next(_ state: State, _ byte: UInt8) -> State {
    switch state {
    case .other: return .other
    case .doubleQuoted: return byte == UInt8(ascii: "\"") ? .gap : state
    case .singleQuoted: return byte == UInt8(ascii: "'") ? .gap : state
    case .unquoted: return byte.isSpace ? .gap : state
    case .tagName: return byte.isSpace || byte == UInt8(ascii: "/") ? .gap : state
    case .equals: return value(byte)
    case .gap: return byte.isSpace || byte == UInt8(ascii: "/") ? .gap : name(byte)
    case .name, .afterName, .odd:
      if byte == UInt8(ascii: "=") { return .equals }
      if byte == UInt8(ascii: "/") { return .gap }
      if byte.isSpace { return state == .odd ? .gap : .afterName }
      if state == .afterName { return name(byte) }
      return state == .name && byte.isNameCharacter ? .name : .odd
    }
  }

  private func name(_ byte: UInt8) -> State {
    byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") ? .name : .odd
  }

  private func value(_ byte: UInt8) -> State {
    switch byte {
    case UInt8(ascii: "\""): .doubleQuoted
    case UInt8(ascii: "'"): .singleQuoted
    default: byte.isSpace ? .equals : .unquoted
    }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 32 || (9...13).contains(self) }

  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  fileprivate var isNameCharacter: Bool {
    isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || "_:.-".utf8.contains(self)
  }
}
