package import FlowCore
internal import FlowSystem

/// The format of a file of requests.
package enum ImportFormat: String, CaseIterable, Sendable {
  case curl
  case har
  case hurl
  case http
  case postman
  case bruno
  case openapi
}

/// The content of a file to import, with its name.
package struct ImportSource: Sendable {
  /// A file of an imported folder, with its path from the folder.
  package struct File: Sendable {
    package let path: String
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
  }

  package let name: String
  package let bytes: [UInt8]
  /// The format, or nil to take it from the name or the content.
  package var format: ImportFormat?
  /// The environments of Postman with the values of variables, from the weakest to the strongest.
  package var environments: [(name: String, bytes: [UInt8])] = []
  /// The files of an imported folder, in the order of their paths; none for a single file.
  package var files: [File] = []
  /// True if the scenario hides the secrets in the answers of a HAR file.
  package var hidesAnswers = false
  /// Reads the imported description, and the files beside it that it refers to, by their paths from
  /// its folder.
  package var read: (@Sendable (_ path: String) throws -> Document)?
  /// The path of the imported description from the folder of its scenarios, or nil if it is out of
  /// their reach.
  package var contract: String?

  package init(name: String, bytes: [UInt8], format: ImportFormat? = nil) {
    self.name = name
    self.bytes = bytes
    self.format = format
  }
}

extension ImportSource {
  /// Returns the text of bytes in UTF-8, without the byte order mark.
  static func text(of bytes: [UInt8]) throws(ImportError) -> String {
    let text: String
    do { text = try PlainText.text(of: bytes) } catch {
      let message = error.encoding == nil ? "invalid UTF-8" : "\(error)"
      throw ImportError(at: error.encoding == nil ? error.offset : 0, in: bytes, message)
    }
    if let offset = bytes.firstIndex(of: 0) {
      throw ImportError(at: offset, in: bytes, "NUL character")
    }
    return text
  }

  /// The name of a scenario's file, from the name of the imported file without its endings.
  var fileName: String {
    let last = name.split(separator: "/").last ?? ""
    return FileName(String(last.prefix { $0 != "." }), or: "scenario").text
  }
}

/// A name for a file or a tag, made of any text: `Users / Admin` becomes `users-admin`.
struct FileName {
  private static let longest = 80

  let text: String

  init(_ name: String, or other: String) {
    var (text, count) = (String.UnicodeScalarView(), 0)
    for scalar in name.lowercased().unicodeScalars {
      let isPart = scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      count += String(scalar).utf8.count
      if count > Self.longest { break }
      if isPart { text.append(scalar) }
      if !isPart, !text.isEmpty, text.last != "-" { text.append("-") }
    }
    while text.last == "-" { text.removeLast() }
    self.text = text.isEmpty ? other : String(text)
  }
}
