package import FlowCore
internal import FlowSystem

/// Keeps the content of a blob; called before the line that names it is written.
package typealias BlobStore = @Sendable (Blob, [UInt8]) throws -> Void

/// A body that stands in a file of its own, which transcripts name by its digest.
package struct Blob: Sendable, Hashable {
  /// How long a body may be to stand in the line itself, in bytes.
  static let longestInLine = 4 << 10

  /// The SHA-256 digest of the content, 64 lower-case hexadecimal digits; the file's name.
  package let digest: String
  /// How many bytes the content has.
  package let size: Int
  /// What the content stands for.
  let form: Form

  /// What a content stands for in a value.
  enum Form: String {
    /// A string: its text.
    case text
    /// A string of base 64.
    case base64
    /// A list or an object, as a line would have it; it names no bodies itself.
    case json
  }

  /// The blob of a content.
  init(of content: [UInt8], _ form: Form) {
    digest = SHA256(content).hexadecimal
    size = content.count
    self.form = form
  }

  /// The member that makes an object a blob.
  static let name = "$blob"
  private static let prefix = "sha256:"

  /// Reads `{"$blob":"sha256:…","size":5000}`, with `"encoding":"base64"` for bytes or `"encoding":"json"` for lists and
  /// objects as the last member.
  ///
  /// Nil for everything else, also for a malformed digest: it becomes the name of a file.
  init?(_ json: JSON) {
    guard case .object(let members) = json, let text = json[Self.name]?.string,
      case .number(let number)? = json["size"], let size = Int(number), size >= 0,
      let digits = Self.digits(of: text)
    else { return nil }
    switch members.map(\.name) {
    case [Self.name, "size"]: form = .text
    case [Self.name, "size", "encoding"]:
      guard let form = json["encoding"]?.string.flatMap(Form.init), form != .text else {
        return nil
      }
      self.form = form
    default: return nil
    }
    digest = digits
    self.size = size
  }

  /// The digits of `sha256:` and a digest; nil for everything else.
  static func digits(of text: String) -> String? {
    let digits = text.dropFirst(prefix.count)
    return text.hasPrefix(prefix) && SHA256.isHexadecimal(digits) ? String(digits) : nil
  }

  /// The members that stand in the line.
  var json: JSON {
    let members: [JSON.Member] = [
      .init(Self.name, .string(Self.prefix + digest)), .init("size", .number("\(size)")),
    ]
    return .object(
      members + (form == .text ? [] : [.init("encoding", .string(form.rawValue))]))
  }

  /// What a content stands for; nil for text that is not UTF-8, and for other JSON than a list or an object.
  func value(_ content: [UInt8]) -> JSON? {
    switch form {
    case .text: String(validating: content, as: UTF8.self).map(JSON.string)
    case .base64: .string(Base64.encode(content))
    case .json:
      switch try? JSONParser.parse(content[...]) {
      case .array(let elements)?: .array(elements)
      case .object(let members)?: .object(members)
      default: nil
      }
    }
  }
}

extension JSON {
  /// The members of lines and headers that are values; what else a line says has no bodies.
  private static let valueNames = ["input", "ok", "payload", "outputs", "inputs"]

  /// A line with the values that the blobs in its values stand for.
  ///
  /// - Throws: what `value` throws.
  func resolvingBlobsOfLine(
    _ value: (Blob) throws(BlobError) -> JSON
  ) throws(BlobError) -> JSON {
    guard case .object(var members) = self else { return self }
    for (index, member) in members.enumerated()
    where Self.valueNames.contains(member.name) && member.value.mayHaveBlobs {
      members[index] = Member(member.name, try member.value.resolvingBlobs(value))
    }
    return .object(members)
  }

  /// Whether something in it is named as blobs are; asked first, since hardly any line has one.
  private var mayHaveBlobs: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.mayHaveBlobs)
    case .object(let members):
      members.contains { $0.name == Blob.name || $0.value.mayHaveBlobs }
    default: false
    }
  }

  /// The tree with the values that its blobs stand for; those are as they are.
  ///
  /// - Throws: what `value` throws.
  func resolvingBlobs(_ value: (Blob) throws(BlobError) -> JSON) throws(BlobError) -> JSON {
    if let blob = Blob(self) { return try value(blob) }
    switch self {
    case .array(let elements):
      var resolved: [JSON] = []
      for element in elements { resolved.append(try element.resolvingBlobs(value)) }
      return .array(resolved)
    case .object(let members): return .object(try Self.resolving(members, value))
    default: return self
    }
  }

  /// The tree with blobs in place of the long texts, lists and objects that they stand for.
  func namingBlobs(_ name: (JSON) -> Blob?) -> JSON {
    switch self {
    case .string(let text) where text.utf8.count > Blob.longestInLine: name(self)?.json ?? self
    case .array(let elements): name(self)?.json ?? .array(elements.map { $0.namingBlobs(name) })
    case .object(let members):
      name(self)?.json ?? .object(members.map { Member($0.name, $0.value.namingBlobs(name)) })
    default: self
    }
  }

  private static func resolving(
    _ members: [Member], _ value: (Blob) throws(BlobError) -> JSON
  ) throws(BlobError) -> [Member] {
    var resolved: [Member] = []
    for member in members {
      // What is taken literally is not a blob itself.
      if member.name == literalName, case .object(let inner) = member.value {
        resolved.append(Member(member.name, .object(try resolving(inner, value))))
      } else {
        resolved.append(Member(member.name, try member.value.resolvingBlobs(value)))
      }
    }
    return resolved
  }
}

/// The bodies that a transcript or a journal names, whether or not it can be used.
package struct BlobNames: Sendable {
  /// The bodies themselves, of which one digest may have several.
  private(set) var blobs: Set<Blob> = []
  /// The digests of the bodies.
  package private(set) var digests: Set<String> = []
  /// The digests of the bodies that are lists or objects.
  private(set) var trees: Set<String> = []
  /// The first line that is not JSON and may name anything; nil without one.
  package private(set) var damagedLine: Int?
  /// The last line, when it is not JSON and has no newline either; nil when it is whole.
  ///
  /// It is cut off a journal before the run goes on; a golden transcript has lost what came behind.
  package private(set) var tornLine: Int?
  /// Whether it is a journal, by its first line.
  package private(set) var isJournal = false
  /// Whether the end of the run is there.
  package private(set) var hasEnd = false

  /// Whether bytes are a transcript or a journal of any version, by their first line.
  package static func areTranscript(_ bytes: [UInt8]) -> Bool {
    var lines = LineCursor(PlainText.withoutMark(bytes))
    return lines.next().flatMap(Self.json)?["transcript"] != nil
  }

  /// The bodies that the lines of a transcript or a journal name.
  package init(in bytes: [UInt8]) {
    var lines = LineCursor(PlainText.withoutMark(bytes))
    while let line = lines.next() {
      if let json = Self.json(line) {
        add(json)
        if lines.number == 1 { isJournal = json["run"] != nil }
        if json["at"]?.string == "steps", json["end"] != nil { hasEnd = true }
      } else if lines.isTerminated {
        damagedLine = damagedLine ?? lines.number
      } else {
        tornLine = lines.number
      }
    }
  }

  /// Gives the bodies beside a transcript the line ends back that version control has changed.
  ///
  /// - Throws: `FileError` when the system refuses.
  /// - Returns: How many had other ones.
  package func mendLineEnds(beside transcript: String) throws(FileError) -> Int {
    let folder = BlobFolder(beside: transcript)
    var mended = 0
    for blob in blobs.sorted(by: { $0.digest < $1.digest })
    where try folder.mendLineEnds(of: blob) { mended += 1 }
    return mended
  }

  private static func json(_ line: ArraySlice<UInt8>) -> JSON? {
    // What is too long or not JSON is refused by the reader as well.
    line.count <= LineCursor.longest ? try? JSONParser.parse(line) : nil
  }

  private mutating func add(_ json: JSON) {
    // Nothing is read, so nothing can be wrong with a body.
    _ = try? json.resolvingBlobsOfLine { blob in
      blobs.insert(blob)
      digests.insert(blob.digest)
      if blob.form == .json { trees.insert(blob.digest) }
      return .null
    }
  }
}
