internal import FlowCore

/// A part of `multipart/form-data` (RFC 7578).
struct Part: RecordRepresentable {
  var name: String
  var value: String?
  var file: String?
  var type: String?
  var bytes: Bytes?
  var filename: String?
  var headers: NamedValues?

  static let record = Record(
    Part.init(name:value:file:type:bytes:filename:headers:),
    Field("name", \.name, "The name of the form field."),
    Field("value", \.value, "The text of the part."),
    Field("file", \.file, "The file of the part, in the scenario's folder, instead of 'value'."),
    Field(
      "type", \.type, "The media type. Default for a file or bytes: application/octet-stream."),
    Field("bytes", \.bytes, "The bytes of the part, instead of 'value'."),
    Field(
      "filename", \.filename,
      "The name of the file for the server. Default for a file: its own, without folders."),
    Field("headers", \.headers, "More headers of the part, such as Content-ID."))

  /// The parts between boundaries.
  static func encode(
    _ parts: [Part], in context: Context
  ) throws(HTTPError) -> EncodedBody {
    // 128 random bits, so that no part contains the boundary.
    var random = context.random
    let boundary = "flow-\(random.next())-\(random.next())"
    var bytes: [UInt8] = []
    for part in parts {
      bytes += try part.head(boundary).utf8
      bytes += try part.content(in: context.directory)
      bytes += "\r\n".utf8
    }
    bytes += "--\(boundary)--\r\n".utf8
    let kind = EncodedBody.Kind.multipart(boundary: boundary)
    return EncodedBody(kind: kind, type: kind.type, bytes: bytes)
  }

  private func head(_ boundary: String) throws(HTTPError) -> String {
    var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\""
    let own = file.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    if let filename = filename ?? own { text += "; filename=\"\(Self.quoted(filename))\"" }
    text += "\r\n"
    if let type = type ?? (value == nil ? EncodedBody.Kind.opaque.type : nil) {
      guard Header.isValue(type) else { throw .request(.headerValue("type")) }
      text += "Content-Type: \(type)\r\n"
    }
    return text + (try more()) + "\r\n"
  }

  /// The lines of further headers.
  private func more() throws(HTTPError) -> String {
    do throws(RequestError) {
      let lines = try headers?.headers ?? []
      for (name, _) in lines where Self.ownNames.contains(name.lowercased()) {
        throw .headerOfPart(name)
      }
      return lines.map { "\($0.name): \($0.value)\r\n" }.joined()
    } catch { throw .request(error) }
  }

  private static let ownNames: Set<String> = ["content-disposition", "content-type"]

  private func content(in directory: Directory) throws(HTTPError) -> [UInt8] {
    switch (value, bytes, file) {
    case (let value?, nil, nil): Array(value.utf8)
    case (nil, let bytes?, nil): bytes.content
    case (nil, nil, let file?): try directory.bytes(of: file)
    default: throw .request(.part(name))
    }
  }

  /// Quotes a name as browsers do (HTML, 4.10.21.8), which also keeps line breaks out of the part's
  /// head.
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
