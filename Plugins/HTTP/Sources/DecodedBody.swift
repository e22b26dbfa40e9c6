internal import FlowCore
internal import HTTPCoding

/// The body of a response without its content codings, and its text.
struct DecodedBody: Sendable {
  /// The headers of the response.
  let headers: HeaderFields
  /// The decompressed bytes, or the bytes as received if they cannot be decompressed.
  let bytes: [UInt8]
  /// The text, or nil if the body is binary or cannot be decoded.
  let text: String?
  /// The bytes to read as JSON, in UTF-8.
  let json: [UInt8]
  /// The reason why the body does not match its headers, or nil.
  let problem: String?
  /// True if the body could not be decompressed.
  let isLeftEncoded: Bool

  /// Creates the body from bytes and their headers, with the `problem` that prevented
  /// decompression.
  init(_ bytes: [UInt8], _ headers: HeaderFields, problem: String? = nil) {
    self.headers = headers
    self.bytes = bytes
    isLeftEncoded = problem != nil
    let type = MediaType(headers["content-type"] ?? "")
    let labels = [type["charset"], DeclaredCharset.label(in: bytes, of: type)].compactMap { $0 }
    let mark = Charset.mark(of: bytes).flatMap { type.isMedia && $0.charset != .utf8 ? nil : $0 }
    // A declaration counts where the server names no charset, or an unknown one.
    let charset = mark?.charset ?? labels.lazy.compactMap(Charset.init(label:)).first
    let text = (charset ?? .utf8).text(of: bytes.dropFirst(mark?.length ?? 0))
    self.text = text
    var problems = [problem].compactMap { $0 }
    if text == nil, let label = labels.first {
      problems.append(
        charset == nil
          ? "the charset '\(label.excerpt)' is unknown"
          : "it is not in the charset '\((labels.first { Charset(label: $0) != nil } ?? label).excerpt)'"
      )
    } else if text == nil, problem == nil, type.isText {
      problems.append("it is not UTF-8, and no other charset is named")
    }
    self.problem = problems.isEmpty ? nil : problems.joined(separator: "; ")
    json = Self.json(bytes, text, charset ?? .utf8)
  }

  /// Returns the bytes to parse as JSON.
  ///
  /// JSON is UTF-8 whatever charset the server names (RFC 8259, section 8.1). Other bytes are
  /// converted from that charset.
  private static func json(_ bytes: [UInt8], _ text: String?, _ charset: Charset) -> [UInt8] {
    switch charset {
    case .utf8: return bytes
    case .utf16: return Array((text ?? "").utf8)
    case .windows1252, .system:
      return String(validating: bytes, as: UTF8.self) != nil ? bytes : Array((text ?? "").utf8)
    }
  }
}

extension MediaType {
  /// True for a type of texts.
  fileprivate var isText: Bool {
    let others = ["javascript", "x-javascript", "x-www-form-urlencoded", "x-ndjson", "yaml", "sql"]
    return essence.hasPrefix("text/") || isJSON || isXML
      || others.contains { essence == "application/" + $0 }
  }

  /// True for binary types, whose first two bytes must not be read as a byte order mark of UTF-16.
  fileprivate var isMedia: Bool {
    essence == "application/octet-stream"
      || ["image/", "audio/", "video/", "font/"].contains { essence.hasPrefix($0) }
  }
}

extension HTTPClient {
  /// Returns a decoder for the body of a response, without effect if the settings turn it off.
  func decoder(of headers: HeaderFields) throws(ContentCodingError) -> ContentDecoder {
    try ContentDecoder(settings.decompresses ?? true ? headers["content-encoding"] : nil)
  }

  /// Returns the body of a response, as received if it cannot be decompressed.
  ///
  /// - Throws: `HTTPError.tooLarge`.
  func body(of reply: TransferReply, from url: WebAddress) throws -> DecodedBody {
    let headers = HeaderFields(head: reply.head)
    do {
      let decoder = try decoder(of: headers)
      if decoder.isIdentity { return DecodedBody(reply.body, headers) }
      var bytes: [UInt8] = []
      try decoder.decode(reply.body) { piece in
        guard piece.count <= settings.limit - bytes.count else {
          throw HTTPError.tooLarge("\(url)", limit: settings.limit)
        }
        bytes += piece
      }
      try decoder.finish()
      return DecodedBody(bytes, headers)
    } catch let error as ContentCodingError {
      return DecodedBody(reply.body, headers, problem: "\(error); the body is left encoded")
    }
  }
}
