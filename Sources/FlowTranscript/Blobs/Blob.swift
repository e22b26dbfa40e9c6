internal import FlowCore

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
  /// Whether the content stands for a string of base 64, and not for its text.
  let isEncoded: Bool

  /// The blob of a content.
  init(of content: [UInt8], isEncoded: Bool) {
    digest = SHA256(content).hexadecimal
    size = content.count
    self.isEncoded = isEncoded
  }

  /// The member that makes an object a blob.
  static let name = "$blob"
  private static let prefix = "sha256:"

  /// Reads `{"$blob":"sha256:…","size":5000}`, for bytes with `"encoding":"base64"` as the last member.
  ///
  /// Nil for everything else, also for a digest that is none: it becomes the name of a file.
  init?(_ json: JSON) {
    guard case .object(let members) = json, let text = json[Self.name]?.string,
      case .number(let number)? = json["size"], let size = Int(number), size >= 0,
      let digits = Self.digits(of: text)
    else { return nil }
    switch members.map(\.name) {
    case [Self.name, "size"]: isEncoded = false
    case [Self.name, "size", "encoding"] where json["encoding"] == .string("base64"):
      isEncoded = true
    default: return nil
    }
    digest = digits
    self.size = size
  }

  /// The digits of `sha256:` and a digest; nil for everything else.
  static func digits(of text: String) -> String? {
    let digits = text.utf8.dropFirst(prefix.utf8.count)
    guard text.hasPrefix(prefix), digits.count == 64, digits.allSatisfy(isDigit) else { return nil }
    return String(text.dropFirst(prefix.count))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }

  /// The members that stand in the line.
  var json: JSON {
    let members: [JSON.Member] = [
      .init(Self.name, .string(Self.prefix + digest)), .init("size", .number("\(size)")),
    ]
    return .object(members + (isEncoded ? [.init("encoding", .string("base64"))] : []))
  }

  /// The string that a content stands for; nil for a text that is no UTF-8.
  func text(_ content: [UInt8]) -> String? {
    isEncoded ? Base64.encode(content) : String(validating: content, as: UTF8.self)
  }
}
