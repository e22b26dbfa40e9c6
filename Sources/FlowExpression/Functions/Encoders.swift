internal import FlowCore
internal import FlowSystem

/// The encoders extension: base 64 (RFC 4648, sections 4 and 5), and the percent-encoding of URLs
/// (RFC 3986).
enum Encoders {
  static let all = [
    Function.typed("base64.encode", isMember: false, encode),
    Function.typed("base64.decode", isMember: false, decode),
    Function.typed("base64url.encode", isMember: false, encodeForURL),
    Function.typed("base64url.decode", isMember: false, decodeForURL),
    Function.typed("url.encodePath", isMember: false, encodePath),
    Function.typed("url.encodeQuery", isMember: false, encodeQuery),
    Function.typed("url.decode", isMember: false, decodeURL),
  ].flatMap { $0 }

  private static func encode(
    _ frame: inout Frame, _ bytes: Bytes
  ) throws(EvaluationError) -> String {
    try frame.charge(bytes.content.count / 16)
    return Base64.encode(bytes.content)
  }

  /// Padding may be left out.
  private static func decode(
    _ frame: inout Frame, _ text: String
  ) throws(EvaluationError) -> Bytes {
    try frame.charge(text.utf8.count / 16)
    guard let bytes = Base64.decodeLeniently(text) else { throw .invalidBase64 }
    return Bytes(bytes)
  }

  private static func encodeForURL(
    _ frame: inout Frame, _ bytes: Bytes
  ) throws(EvaluationError) -> String {
    try frame.charge(bytes.content.count / 16)
    return Base64.encodeForURL(bytes.content)
  }

  private static func decodeForURL(
    _ frame: inout Frame, _ text: String
  ) throws(EvaluationError) -> Bytes {
    try frame.charge(text.utf8.count / 16)
    guard let bytes = Base64.decodeForURL(text) else { throw .invalidBase64URL }
    return Bytes(bytes)
  }

  // MARK: - URLs

  /// Keeps what a segment of a path may have (RFC 3986, section 3.3), which excludes `/`.
  private static func encodePath(
    _ frame: inout Frame, _ text: String
  ) throws(EvaluationError) -> String {
    try frame.charge(text.utf8.count / 8)
    return PercentEncoding.segment.encode(text.utf8)
  }

  /// Keeps unreserved characters alone: `&`, `=` and `+` have a meaning in queries and forms.
  private static func encodeQuery(
    _ frame: inout Frame, _ text: String
  ) throws(EvaluationError) -> String {
    try frame.charge(text.utf8.count / 8)
    return PercentEncoding.component.encode(text.utf8)
  }

  private static func decodeURL(
    _ frame: inout Frame, _ text: String
  ) throws(EvaluationError) -> String {
    try frame.charge(text.utf8.count / 16)
    guard let bytes = PercentEncoding.bytes(decoding: text.utf8) else { throw .invalidEscape }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8 }
    return decoded
  }
}

/// The digests of texts and bytes, as lower-case hexadecimal digits.
///
/// A text is its bytes in UTF-8.
enum DigestFunctions {
  static let all = [
    digest("sha256") { SHA256($0).bytes }, digest("sha1", Digest.sha1),
    digest("md5", Digest.md5),
    Function(
      "hmac",
      [.string, .bytes].flatMap { (key: ExpressionType) in
        [.string, .bytes].map { (content: ExpressionType) in Signature([key, content], .string) }
      },
      .binary { (key, content, frame) throws(EvaluationError) in
        let (key, content) = (try bytes(of: key, &frame), try bytes(of: content, &frame))
        return .string(Digest.hmacSHA256(content, key: key).hexadecimalText())
      }),
  ]

  private static func digest(
    _ name: String, _ digest: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> Function {
    Function(
      name, [Signature([.string], .string), Signature([.bytes], .string)],
      .unary { (value, frame) throws(EvaluationError) in
        .string(digest(try bytes(of: value, &frame)).hexadecimalText())
      })
  }

  private static func bytes(
    of value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> [UInt8] {
    let bytes: [UInt8]
    switch value {
    case .string(let text): bytes = Array(text.utf8)
    case .bytes(let content): bytes = content.content
    default: throw .noOverload
    }
    try frame.charge(1 + bytes.count / 32)
    return bytes
  }
}
