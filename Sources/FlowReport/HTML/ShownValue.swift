internal import FlowCore
internal import FlowSystem

/// A value for people: in lines, with its pictures.
struct ShownValue: Sendable {
  private static let mostPictures = 8

  /// The meaning of the value, such as `input`.
  let name: String
  let pictures: [Picture]
  let text: String
  /// True if the end of the text is missing.
  let isCut: Bool

  /// Creates the content of a value, with at most `limit` bytes of text.
  init(_ value: Value, _ name: String, limit: Int) {
    var text = ValueText(limit: limit)
    text.write(value)
    var pictures: [Picture] = []
    Picture.collect(value, into: &pictures, most: Self.mostPictures)
    self.init(name: name, pictures: pictures, text: text.text.text, isCut: text.omitted)
  }

  init(name: String, pictures: [Picture], text: String, isCut: Bool) {
    (self.name, self.pictures, self.text, self.isCut) = (name, pictures, text, isCut)
  }
}

extension HTML {
  /// Appends a value.
  ///
  /// Adds files for pictures that would make the report too long.
  mutating func append(_ value: ShownValue, storing attachments: inout [Attachment]) {
    self += "<div class=\"v\"><span>"
    append(text: value.name)
    self += "</span>"
    for picture in value.pictures { append(picture, storing: &attachments) }
    self += "<pre>"
    append(text: value.text)
    self += value.isCut ? "</pre><p class=\"o\">The rest is left out.</p></div>" : "</pre></div>"
  }

  private mutating func append(_ picture: Picture, storing attachments: inout [Attachment]) {
    let count = picture.bytes.count
    if count < Attachment.smallest {
      let source = "data:\(picture.type);base64,\(Base64.encode(picture.bytes))"
      self += "<img alt=\"the picture in this value\" loading=\"lazy\" src=\"\(text: source)\">"
    } else if let ending = picture.ending {
      let attachment = Attachment(picture.bytes, ending: ending)
      attachments.append(attachment)
      self += "<p><a href=\"\(text: attachment.path)\">picture, \(count) bytes</a></p>"
    } else {
      self += "<p class=\"o\">A drawing of \(count) bytes is left out.</p>"
    }
  }
}

/// A value over several lines if one would be too long.
private struct ValueText {
  private static let widest = 90

  private(set) var text = TextBuffer()
  /// True if the end is missing.
  private(set) var omitted = false
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func write(_ value: Value, _ depth: Int = 0) {
    if text.count >= limit {
      omitted = true
      return
    }
    if case .string(let string) = value { return write(string, depth) }
    if writeLine(value) { return }
    switch value {
    case .list(let values): write(open: "[", close: "]", values.map { (nil, $0) }, depth: depth)
    case .map(let map):
      write(open: "{", close: "}", map.entries.map { (Self.key($0.key), $0.value) }, depth: depth)
    case .record(let record):
      write(
        open: "{", close: "}", zip(record.type.fields.map(\.name), record.values).map { ($0, $1) },
        depth: depth)
    case .optional(let inner?): write(inner, depth)
    default: append { $0.append(describing: value) }
    }
  }

  private static func key(_ key: Value) -> String {
    if case .string(let name) = key { return Value.keyText(name) }
    return key.description
  }

  private mutating func write(
    open: Unicode.Scalar, close: Unicode.Scalar, _ members: [(String?, Value)], depth: Int
  ) {
    text.append(UInt8(ascii: open))
    text.append(0x0A)
    for (name, value) in members {
      if omitted { return }
      indent(depth + 1)
      if let name { text.append(text: "\(name): ") }
      write(value, depth + 1)
      text.append(0x0A)
    }
    indent(depth)
    text.append(UInt8(ascii: close))
  }

  /// Writes a string, one of several lines in these lines.
  private mutating func write(_ string: String, _ depth: Int) {
    guard string.utf8.count > Self.widest / 2, string.utf8.dropLast().contains(0x0A) else {
      return append { $0.append(describing: .string(string)) }
    }
    text.append(UInt8(ascii: "|"))
    for line in string.split(separator: "\n", omittingEmptySubsequences: false) {
      if omitted { return }
      text.append(0x0A)
      indent(depth + 1)
      append { $0.append(text: String(line)) }
    }
  }

  /// Appends text up to the limit.
  private mutating func append(_ more: (inout TextBuffer) -> Void) {
    let start = text.count
    more(&text)
    keepLimit(start)
  }

  /// Removes the part of the last appended text beyond the limit.
  private mutating func keepLimit(_ start: Int) {
    if text.count <= limit { return }
    omitted = true
    // A scalar cut in two is replaced.
    let kept = String(decoding: text[start...].prefix(max(0, limit - start)), as: UTF8.self)
    text.cut(at: start)
    text.append(text: kept)
  }

  /// Writes the value on one line and returns true, if it is short enough.
  private mutating func writeLine(_ value: Value) -> Bool {
    let start = text.count
    var room = Self.widest
    guard value.fits(in: &room) else { return false }
    text.append(describing: value)
    if text.count - start > Self.widest {
      text.cut(at: start)
      return false
    }
    keepLimit(start)
    return true
  }

  private mutating func indent(_ depth: Int) {
    for _ in 0..<depth { text.append(constant: "  ") }
  }
}

extension Value {
  /// Returns true if its description may be short.
  ///
  /// A cheap check, since describing a large value takes long.
  fileprivate func fits(in room: inout Int) -> Bool {
    room -= 1
    switch self {
    case .string(let text):
      room -= text.utf8.count
      if text.utf8.contains(0x0A) { room -= 45 }
    case .list(let values): for value in values where !value.fits(in: &room) { return false }
    case .map(let map):
      for entry in map.entries
      where !entry.key.fits(in: &room) || !entry.value.fits(in: &room) { return false }
    case .record(let record):
      for value in record.values where !value.fits(in: &room) { return false }
    case .optional(let value?): return value.fits(in: &room)
    default: break
    }
    return room >= 0
  }
}
