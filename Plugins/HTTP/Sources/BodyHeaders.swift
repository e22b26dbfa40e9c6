internal import FlowCore

/// The rules for headers that describe the body of a request.
///
/// See RFC 9110, sections 8.3 and 8.6, and RFC 9112, section 6. A header of the component applies
/// to every request and gives way to the body. A header of the step must agree with it.
struct BodyHeaders: Sendable {
  /// The body, or nil, which differs from an empty one.
  let body: EncodedBody?

  /// Returns the value to send for a header, or nil if it is left out or the body's own is sent.
  ///
  /// - Throws: `RequestError` for a header of a step that contradicts the body.
  func value(
    of name: String, _ value: String, isDefault: Bool
  ) throws(RequestError) -> String? {
    switch name.lowercased() {
    case "content-type": try type(value, isDefault)
    case "content-length": try length(value, isDefault)
    case "transfer-encoding": try coding(value, isDefault)
    default: value
    }
  }

  private func type(_ value: String, _ isDefault: Bool) throws(RequestError) -> String? {
    guard let body else { return value }
    let essence = MediaType(value).essence
    switch body.kind {
    case .opaque: return value
    // A step may call JSON anything. The type set by a component may be meant for forms.
    case .json: return !isDefault || essence.contains("json") ? value : nil
    case .form:
      if essence == MediaType(body.type).essence { return value }
    case .multipart(let boundary):
      if essence.hasPrefix("multipart/") { return MediaType(value).with(boundary: boundary) }
    }
    if isDefault { return nil }
    throw .type(value, body.kind.name, of: MediaType(body.type).essence)
  }

  private func length(_ value: String, _ isDefault: Bool) throws(RequestError) -> String? {
    if isDefault { return nil }
    let count = body?.bytes.count ?? 0
    guard value == "\(count)" else { throw .length(value, count) }
    return body == nil ? value : nil
  }

  private func coding(_ value: String, _ isDefault: Bool) throws(RequestError) -> String? {
    if isDefault { return nil }
    guard Header.isSame(value, "chunked"), body != nil else { throw .transferCoding(value) }
    return value
  }
}

/// A media type with its parameters (RFC 9110, section 8.3.1).
struct MediaType: Sendable {
  /// The type, such as `text/html`, in lower case, or an empty string.
  let essence: String
  /// The parameters, with names in lower case and values without quotes.
  let parameters: [(name: String, value: String)]

  /// Reads the value of a header.
  init(_ text: String) {
    // Most types have no parameters.
    if !text.utf8.contains(UInt8(ascii: ";")) {
      (essence, parameters) = (Self.trimmed(text.unicodeScalars).lowercased(), [])
      return
    }
    var parts = Self.parts(text)[...]
    essence = (parts.popFirst() ?? "").lowercased()
    parameters = parts.compactMap { part in
      guard let sign = part.firstIndex(of: "=") else { return nil }
      let value = part[part.index(after: sign)...]
      let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
      return (
        part[..<sign].lowercased(), isQuoted ? String(value.dropFirst().dropLast()) : String(value)
      )
    }
  }

  /// True for JSON alone, not for types with the word in their name, such as JSON lines.
  ///
  /// See https://mimesniff.spec.whatwg.org/#json-mime-type.
  var isJSON: Bool {
    essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
  }

  /// The value of a parameter, the first of its name.
  subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The value of the header with another boundary.
  func with(boundary: String) -> String {
    let others = parameters.filter { $0.name != "boundary" }.map { "; \($0.name)=\"\($0.value)\"" }
    return essence + others.joined() + "; boundary=\(boundary)"
  }

  /// Splits a string at semicolons outside of quotes and trims blanks from the parts.
  private static func parts(_ text: String) -> [String] {
    var parts: [String] = []
    var part = String.UnicodeScalarView()
    var isQuoted = false
    for scalar in text.unicodeScalars {
      if scalar == "\"" { isQuoted.toggle() }
      if scalar == ";", !isQuoted {
        parts.append(trimmed(part))
        part = String.UnicodeScalarView()
      } else {
        part.append(scalar)
      }
    }
    return parts + [trimmed(part)]
  }

  private static func trimmed(_ text: String.UnicodeScalarView) -> String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    var rest = text[...]
    while rest.first.map(isBlank) == true { rest = rest.dropFirst() }
    while rest.last.map(isBlank) == true { rest = rest.dropLast() }
    return String(rest)
  }
}
