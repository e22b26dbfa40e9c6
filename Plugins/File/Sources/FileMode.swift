import FlowCore

/// The permissions of a file or folder, in octal digits as `chmod` takes them.
struct FileMode: Sendable, Hashable {
  let bits: Int

  static let summary = "The permissions in octal digits, such as '755' for a program."
  static let hint = "write the octal digits as a text, as in mode: '755'"

  init(bits: Int) { self.bits = bits }

  /// Parses three digits, or four with a zero at the start.
  ///
  /// - Throws: `.unfit` for any other text.
  init(_ text: String) throws(FileProblem) {
    let digits = text.utf8.count == 4 && text.hasPrefix("0") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 3, digits.allSatisfy({ "0"..."7" ~= $0 }),
      let bits = Int(digits, radix: 8)
    else { throw .unfit("'mode' must be three octal digits such as '755', not '\(text)'") }
    self.bits = bits
  }

  /// The mode as three digits, or more with the bits beyond them.
  var text: String {
    let digits = String(bits, radix: 8)
    return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }
}

/// The answer of `info`.
struct FileInfo: Sendable {
  var kind: Kind
  var size: Int
  var mode: String

  enum Kind: String, CaseIterable, FieldValue {
    case file, folder, other
  }

  static let record = Record(
    FileInfo.init(kind:size:mode:),
    Field("kind", \.kind, "The kind: file, folder or other. Links are followed."),
    Field("size", \.size, "The size of a file in bytes, and 0 for a folder."),
    Field("mode", \.mode, "The permissions in octal digits."))
}
