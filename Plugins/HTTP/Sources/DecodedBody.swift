internal import FlowCore

/// The body of an answer without its content codings, and the text that it is.
struct DecodedBody: Sendable {
  /// The headers of the answer, which describe it.
  let headers: HeaderFields
  /// Decompressed, or as it came where that is not possible.
  let bytes: [UInt8]
  /// Nil where it is no text, or one of an unknown charset.
  let text: String?
  /// What is read as JSON, in UTF-8.
  let json: [UInt8]
  /// Why it is not as the head says; nil where it is.
  let problem: String?

  /// Reads a body with the headers that describe it; `problem` says why it is as it came.
  init(_ bytes: [UInt8], _ headers: HeaderFields, problem: String? = nil) {
    self.headers = headers
    self.bytes = bytes
    let type = MediaType(headers["content-type"] ?? "")
    let label = type["charset"]
    let mark = Charset.mark(of: bytes).flatMap { type.isMedia && $0.charset != .utf8 ? nil : $0 }
    let charset = mark?.charset ?? label.flatMap(Charset.init(label:))
    let text = (charset ?? .utf8).text(of: bytes.dropFirst(mark?.length ?? 0))
    self.text = text
    var problems = [problem].compactMap { $0 }
    if text == nil, let label {
      problems.append(
        charset == nil
          ? "its charset '\(label.excerpt)' is unknown"
          : "it is not in the charset '\(label.excerpt)'")
    }
    self.problem = problems.isEmpty ? nil : problems.joined(separator: "; ")
    json = Self.json(bytes, text, charset ?? .utf8)
  }

  /// JSON is UTF-8 whatever charset the server names (RFC 8259, section 8.1); what is not is taken at its word.
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
  /// True for what is no text, where the first two bytes are no byte order mark.
  fileprivate var isMedia: Bool {
    essence == "application/octet-stream"
      || ["image/", "audio/", "video/", "font/"].contains { essence.hasPrefix($0) }
  }
}

extension HTTPClient {
  /// A decoder for the body of an answer, which changes nothing where the settings say so.
  func decoder(of headers: HeaderFields) throws(ContentCodingError) -> ContentDecoder {
    try ContentDecoder(settings.decompresses ?? true ? headers["content-encoding"] : nil)
  }

  /// The body of an answer; as it came where it cannot be decompressed.
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
      return DecodedBody(reply.body, headers, problem: "\(error); it is as it came")
    }
  }
}
