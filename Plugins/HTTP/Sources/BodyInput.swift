internal import FlowCore

/// What a request sends: one of these, or nothing.
struct BodyInput: Sendable {
  var json: Value?
  var form: NamedValues?
  var text: String?
  var file: String?
  var multipart: [Part]?

  /// The bytes with their type; nil for nothing.
  ///
  /// Reads files, and so blocks.
  ///
  /// - Throws: `HTTPError`.
  func encoded(in context: Context) throws(HTTPError) -> EncodedBody? {
    guard given.count <= 1 else { throw .request(.bodies(given)) }
    if let json { return EncodedBody("application/json", json.json) }
    if let text { return EncodedBody("text/plain; charset=utf-8", text) }
    if let file {
      return EncodedBody(
        type: "application/octet-stream", bytes: try context.directory.bytes(of: file))
    }
    if let multipart { return try Part.encode(multipart, in: context) }
    guard let form else { return nil }
    do {
      return EncodedBody("application/x-www-form-urlencoded", PercentEncoding.form(try form.pairs))
    } catch { throw .request(error) }
  }

  private var given: [String] {
    [
      json == nil ? nil : "json", form == nil ? nil : "form", text == nil ? nil : "body",
      file == nil ? nil : "file", multipart == nil ? nil : "multipart",
    ].compactMap { $0 }
  }
}

/// Bytes of a media type.
struct EncodedBody: Sendable, Hashable {
  var type: String
  var bytes: [UInt8]
}

extension EncodedBody {
  fileprivate init(_ type: String, _ text: String) {
    self.init(type: type, bytes: Array(text.utf8))
  }
}

/// One part of `multipart/form-data` (RFC 7578).
struct Part: RecordRepresentable {
  var name: String
  var value: String?
  var file: String?
  var type: String?

  static let record = Record(
    Part.init(name:value:file:type:),
    Field("name", \.name, "The name of the form's field."),
    Field("value", \.value, "Its text."),
    Field("file", \.file, "Its file, below the scenario's folder, in place of a text."),
    Field("type", \.type, "Its media type; application/octet-stream for a file unless given."))

  /// The parts between boundaries.
  fileprivate static func encode(
    _ parts: [Part], in context: Context
  ) throws(HTTPError) -> EncodedBody {
    // Of 128 random bits, so that no part contains it.
    var random = context.random
    let boundary = "flow-\(random.next())-\(random.next())"
    var bytes: [UInt8] = []
    for part in parts {
      bytes += try part.head(boundary).utf8
      bytes += try part.content(in: context.directory)
      bytes += "\r\n".utf8
    }
    bytes += "--\(boundary)--\r\n".utf8
    return EncodedBody(type: "multipart/form-data; boundary=\(boundary)", bytes: bytes)
  }

  private func head(_ boundary: String) throws(HTTPError) -> String {
    var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\""
    if let file {
      text +=
        "; filename=\"\(Self.quoted(file.split(separator: "/").last.map(String.init) ?? file))\""
    }
    guard let type = type ?? (file == nil ? nil : "application/octet-stream") else {
      return text + "\r\n\r\n"
    }
    guard Header.isValue(type) else { throw .request(.headerValue("type")) }
    return text + "\r\nContent-Type: \(type)\r\n\r\n"
  }

  private func content(in directory: Directory) throws(HTTPError) -> [UInt8] {
    switch (value, file) {
    case (let value?, nil): Array(value.utf8)
    case (nil, let file?): try directory.bytes(of: file)
    default: throw .request(.part(name))
    }
  }

  /// As browsers write names (HTML, 4.10.21.8), which also keeps line breaks out of the part's head.
  private static func quoted(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": result.append(contentsOf: "%22".unicodeScalars)
      case "\r": result.append(contentsOf: "%0D".unicodeScalars)
      case "\n": result.append(contentsOf: "%0A".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension Directory {
  fileprivate func bytes(of file: String) throws(HTTPError) -> [UInt8] {
    do { return try read(file) } catch { throw .file(error) }
  }
}
