internal import FlowCore
internal import FlowSystem

/// A value as people read it: in lines, of bounded length, with its pictures.
struct ValueHTML {
  /// What is stored beside the report, because it would make it long.
  private(set) var attachments: [Attachment] = []
  /// The element.
  private(set) var html: HTML = ""

  private static let mostPictures = 8

  /// A value of which at most `limit` bytes of text are shown.
  init(_ value: Value, limit: Int) {
    var text = ValueText(limit: limit)
    text.write(value)
    var pictures: [Picture] = []
    Picture.collect(value, into: &pictures, most: Self.mostPictures)
    for picture in pictures { add(picture) }
    html += "<pre>\(text: text.text)</pre>"
    if text.omitted { html += "<p class=\"o\">The rest is left out.</p>" }
  }

  private mutating func add(_ picture: Picture) {
    let count = picture.bytes.count
    if count < Attachment.smallest {
      let source = "data:\(picture.type);base64,\(Base64.encode(picture.bytes))"
      html += "<img alt=\"the picture in this value\" loading=\"lazy\" src=\"\(text: source)\">"
    } else if let ending = picture.ending {
      let attachment = Attachment(picture.bytes, ending: ending)
      attachments.append(attachment)
      html += "<p><a href=\"\(text: attachment.path)\">picture, \(count) bytes</a></p>"
    } else {
      html += "<p class=\"o\">A drawing of \(count) bytes is left out.</p>"
    }
  }
}

/// A value over several lines where one would be too long.
private struct ValueText {
  private static let widest = 90

  private(set) var text = ""
  /// Whether something is missing at the end.
  private(set) var omitted = false
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func write(_ value: Value, _ depth: Int = 0) {
    if text.utf8.count >= limit {
      omitted = true
      return
    }
    if case .string(let string) = value { return write(string, depth) }
    if let text = Self.line(value) { return append(text) }
    switch value {
    case .list(let values): write(open: "[", close: "]", values.map { (nil, $0) }, depth: depth)
    case .map(let map):
      write(open: "{", close: "}", map.entries.map { (Self.key($0.key), $0.value) }, depth: depth)
    case .record(let record):
      write(
        open: "{", close: "}", zip(record.type.fields.map(\.name), record.values).map { ($0, $1) },
        depth: depth)
    case .optional(let inner?): write(inner, depth)
    default: append(value.description)
    }
  }

  private static func key(_ key: Value) -> String {
    if case .string(let name) = key { return Value.keyText(name) }
    return key.description
  }

  private mutating func write(
    open: String, close: String, _ members: [(String?, Value)], depth: Int
  ) {
    text += open + "\n"
    for (name, value) in members {
      if omitted { return }
      text += Self.indent(depth + 1) + (name.map { "\($0): " } ?? "")
      write(value, depth + 1)
      text += "\n"
    }
    text += Self.indent(depth) + close
  }

  /// A text of several lines is shown as such.
  private mutating func write(_ string: String, _ depth: Int) {
    guard string.utf8.count > Self.widest / 2, string.utf8.dropLast().contains(0x0A) else {
      return append(Value.string(string).description)
    }
    text += "|"
    for line in string.split(separator: "\n", omittingEmptySubsequences: false) {
      if omitted { return }
      text += "\n" + Self.indent(depth + 1)
      append(String(line))
    }
  }

  private mutating func append(_ more: String) {
    let room = max(0, limit - text.utf8.count)
    if more.utf8.count <= room {
      text += more
    } else {
      omitted = true
      // A scalar that is cut in two is replaced.
      text += String(decoding: more.utf8.prefix(room), as: UTF8.self)
    }
  }

  private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  /// The value on one line, where it is short enough.
  private static func line(_ value: Value) -> String? {
    var room = widest
    guard value.fits(in: &room) else { return nil }
    let text = value.description
    return text.utf8.count <= widest ? text : nil
  }
}

extension Value {
  /// Whether its description may be short; asked first, since that of a large value is long in the making.
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

/// A picture in a value, which a page shows without running anything that is in it.
private struct Picture {
  let bytes: [UInt8]
  /// The media type.
  let type: String
  /// How the name of its file ends; nil for a drawing, which would run its scripts as a document of its own.
  let ending: String?

  private init?(_ bytes: [UInt8]) {
    guard let kind = Self.kind(of: bytes) else { return nil }
    (self.bytes, type, ending) = (bytes, kind.type, kind.ending)
  }

  private static func kind(of bytes: [UInt8]) -> (type: String, ending: String?)? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]) { return ("image/png", "png") }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return ("image/jpeg", "jpg") }
    if bytes.starts(with: "GIF8".utf8) { return ("image/gif", "gif") }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      return ("image/webp", "webp")
    }
    let isDrawing =
      bytes.starts(with: "<svg ".utf8)
      || bytes.starts(with: "<?xml".utf8) && bytes.prefix(400).ranges(of: "<svg ".utf8).count > 0
    return isDrawing ? ("image/svg+xml", nil) : nil
  }

  /// The pictures in a value, in their order.
  static func collect(_ value: Value, into pictures: inout [Picture], most: Int) {
    if pictures.count >= most { return }
    switch value {
    case .bytes(let bytes): Picture(bytes.content).map { pictures.append($0) }
    case .string(let text) where text.utf8.first == UInt8(ascii: "<"):
      Picture(Array(text.utf8)).map { pictures.append($0) }
    case .list(let values): for value in values { collect(value, into: &pictures, most: most) }
    case .map(let map):
      for entry in map.entries { collect(entry.value, into: &pictures, most: most) }
    case .record(let record):
      for value in record.values { collect(value, into: &pictures, most: most) }
    case .optional(let value?): collect(value, into: &pictures, most: most)
    default: break
    }
  }
}

/// What lies in a file of its own beside a report, which is named by its content.
struct Attachment: Sendable {
  /// How many bytes are worth a file.
  static let smallest = 1 << 20
  private static let folder = "flow-report-files"

  /// Where it is, from the report's folder.
  let path: String
  let bytes: [UInt8]

  init(_ bytes: [UInt8], ending: String) {
    path = "\(Self.folder)/\(SHA256(bytes).hexadecimal).\(ending)"
    self.bytes = bytes
  }
}
