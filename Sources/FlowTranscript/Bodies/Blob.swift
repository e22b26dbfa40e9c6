internal import FlowCore
internal import FlowSystem

/// Keeps the content of a blob, before the line naming it is written.
package typealias BlobStore = @Sendable (Blob, [UInt8]) throws -> Void

/// A body in a separate file, named by its digest in transcripts.
package struct Blob: Sendable, Hashable {
  /// The longest body kept in the line itself, in bytes.
  static let longestInLine = 4 << 10
  /// The largest body to read, in bytes.
  static let largest = 256 << 20
  /// The largest total size of a transcript's bodies, in bytes.
  ///
  /// A body that is named twice counts twice.
  static let budget = 1 << 30

  /// The SHA-256 digest of the content, as 64 lower-case hexadecimal digits, and the name of the
  /// file.
  package let digest: String
  /// The size of the content in bytes.
  package let size: Int
  /// The kind of value that the content represents.
  let form: Form

  /// The kind of value that a content represents.
  enum Form: String {
    /// A string: its text.
    case text
    /// A string of base 64.
    case base64
    /// A list or an object, as written in a line, without blobs in it.
    case json
  }

  /// The blob of a content.
  init(of content: [UInt8], _ form: Form) {
    digest = SHA256(content).hexadecimal
    size = content.count
    self.form = form
  }

  private static let prefix = "sha256:"

  /// Reads `{"$blob":"sha256:…","size":5000}`, with `"encoding":"base64"` for bytes or `"encoding":"json"` for lists and
  /// objects as the last member.
  ///
  /// Nil for everything else, also for a malformed digest: it becomes the name of a file.
  init?(_ json: JSON) {
    guard case .object(let members) = json, let text = json[JSON.blobName]?.string,
      case .number(let number)? = json["size"], let size = Int(number), size >= 0,
      let digits = Self.digits(of: text)
    else { return nil }
    switch members.map(\.name) {
    case [JSON.blobName, "size"]: form = .text
    case [JSON.blobName, "size", "encoding"]:
      guard let form = json["encoding"]?.string.flatMap(Form.init), form != .text else {
        return nil
      }
      self.form = form
    default: return nil
    }
    digest = digits
    self.size = size
  }

  /// The digits in `sha256:` and a digest, or nil for any other string.
  static func digits(of text: String) -> String? {
    let digits = text.dropFirst(prefix.count)
    return text.hasPrefix(prefix) && SHA256.isHexadecimal(digits) ? String(digits) : nil
  }

  /// The object written in the line.
  var json: JSON {
    let members: [JSON.Member] = [
      .init(JSON.blobName, .string(Self.prefix + digest)), .init("size", .number("\(size)")),
    ]
    return .object(
      members + (form == .text ? [] : [.init("encoding", .string(form.rawValue))]))
  }

  /// Decodes a content.
  ///
  /// Returns nil for a string that is not UTF-8, and for JSON other than a list or an object.
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
  /// The members of lines and headers that hold values.
  ///
  /// Other members have no bodies.
  private static let valueNames = ["input", "ok", "payload", "outputs", "inputs"]

  /// Returns the line with the values of the blobs in its values.
  ///
  /// - Throws: The errors of `value`.
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

  /// True if the tree contains an object named like a blob.
  ///
  /// Checked first, since hardly any line has one.
  private var mayHaveBlobs: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.mayHaveBlobs)
    case .object(let members):
      members.contains { $0.name == Self.blobName || $0.value.mayHaveBlobs }
    default: false
    }
  }

  /// Returns the tree with the values of its blobs, which are not resolved again.
  ///
  /// - Throws: The errors of `value`.
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

  /// Returns the tree with blobs in place of the long strings, lists and objects they represent.
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

/// An unreadable body of a transcript.
struct BlobError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The diagnostic's code.
  let code: DiagnosticCode
  /// The body and its problem.
  let description: String

  init(_ blob: Blob, _ reason: String, code: DiagnosticCode = .wrongBody) {
    self.code = code
    description = "the body 'sha256:\(blob.digest)' \(reason)"
  }

  static let otherContent = "has content that does not match its name"

  /// Creates the error of a body whose file has another content.
  init(_ blob: Blob, holding content: [UInt8]) {
    if LineEnds.others(of: content).contains(where: blob.isName) {
      self.init(
        blob,
        "has other line ends than recorded; keep version control from changing them ('**/blobs/* -text' in "
          + ".gitattributes), and repair it with 'flow transcript seal'")
    } else if content.isEmpty {
      self.init(blob, "is empty")
    } else if let stranger = Stranger(content) {
      self.init(blob, "is \(stranger.name); \(stranger.remedy)")
    } else {
      self.init(blob, Self.otherContent)
    }
  }

  /// Creates the error of the body with which a transcript exceeds its budget.
  static func beyondBudget(_ blob: Blob) -> BlobError {
    BlobError(
      blob, "makes all bodies together larger than 1 GiB; a body that is named twice counts twice",
      code: .excessiveBodies)
  }
}

extension Blob {
  /// Returns true if the digest and the size are those of a content.
  func isName(of content: [UInt8]) -> Bool {
    content.count == size && SHA256(content).hexadecimal == digest
  }
}
