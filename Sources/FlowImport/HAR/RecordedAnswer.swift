package import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// The answer to a request in a recording, as the plugin `http` would have returned it.
package struct RecordedAnswer: Sendable {
  /// The line of its entry, from 1.
  package let line: Int
  /// The fields of the answer by their names.
  package let value: Value
  /// The secrets in it that no step can name, with a name for each.
  package let secrets: [(name: String, value: String)]
}

/// Reads the answer of an entry in a HAR file, and finds its secrets.
struct HARAnswer {
  /// The most parts of one answer that a step names as secret.
  private static let mostPlaces = 40

  /// The parts of the answer to hide, as `secret` of a step names them.
  private(set) var places: [String] = []
  private(set) var notes: [String] = []
  /// All secrets in the answer.
  private(set) var secrets: [(name: String, value: String)] = []
  /// The secrets that no place names.
  private var unplaced: [(name: String, value: String)] = []
  private var fields: [(String, Value)] = []
  private let line: Int

  /// Nil for an entry without a response.
  init?(_ entry: HAREntries.Entry, url: String) {
    line = entry.line
    let response = entry.json["response"]
    guard case .number(let text)? = response?["status"], let status = Int(text),
      100...999 ~= status
    else { return nil }
    fields = [("status", .int(status)), ("url", .string(url))]
    let date = headers(HARFile.pairs(response?["headers"]))
    fields.append(("date", .string(date)))
    fields.append(("elapsed", .duration(Self.time(entry.json["time"]))))
    fields += [("trailers", .null), ("problem", .null)]
    let isHead = entry.json["request"]?["method"]?.string?.uppercased() == "HEAD"
    let isEmpty = isHead || status < 200 || status == 204 || status == 304
    body(response?["content"], isEmpty: isEmpty)
  }

  var recorded: RecordedAnswer {
    RecordedAnswer(line: line, value: .map(ValueMap(fields)), secrets: unplaced)
  }

  private static func time(_ json: JSON?) -> Duration {
    guard case .number(let text)? = json, let time = Double(text), 0...86_400_000 ~= time else {
      return .zero
    }
    return .milliseconds(Int(time))
  }

  // MARK: - Headers

  /// Adds the headers, and returns the date.
  private mutating func headers(_ pairs: [(name: String, value: String)]) -> String {
    var (date, names, values) = ("", [String](), [String: String]())
    for (name, value) in pairs where name.isHeaderName {
      let key = name.lowercased()
      if key == "date" {
        date = value
        continue
      }
      let separator = key == "set-cookie" ? "\n" : ", "
      if let known = values[key] {
        values[key] = known + separator + value
      } else {
        names.append(key)
        values[key] = value
      }
    }
    for name in names { hide(header: name, values[name] ?? "") }
    let headers = names.map { ($0, Value.string(values[$0] ?? "")) }
    fields.append(("headers", .map(ValueMap(headers))))
    return date
  }

  private mutating func hide(header name: String, _ value: String) {
    let isSecret =
      name == "set-cookie" || CredentialNames.isSecret(name, holding: value, in: .parameter)
    guard isSecret || Self.hasSecret(value) else { return }
    let isName = name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F }
    hide(value, named: name, at: isName ? "headers.\(name)" : nil)
  }

  private static func hasSecret(_ text: String) -> Bool {
    SecretText(ImportedText(text)).parts.contains {
      $0.secret != nil && $0.text.written.canBeHidden
    }
  }

  private mutating func hide(_ value: String, named name: String, at place: String?) {
    guard value.canBeHidden else { return }
    let secret = (name: name.lowercased().scenarioName(or: "secret"), value: value)
    secrets.append(secret)
    if let place, places.count < Self.mostPlaces {
      places.append(place)
    } else {
      unplaced.append(secret)
    }
  }

  // MARK: - Bodies

  private mutating func body(_ content: JSON?, isEmpty: Bool) {
    let bytes = bytes(of: content) ?? []
    if bytes.isEmpty, !isEmpty, case .number(let size)? = content?["size"], (Int(size) ?? 0) > 0 {
      notes.append("the body of the answer is not in the file, so it is recorded as empty")
    }
    let text = String(validating: bytes, as: UTF8.self)
    let isText = !bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
    var json = Value.null
    if let text, isText, !bytes.isEmpty {
      fields.append(("text", .string(text)))
      if let value = try? Value(json: bytes), let tree = try? JSONParser.parse(bytes[...]) {
        json = value
        hide(in: tree, of: "", inside: nil, at: "json")
      } else {
        hide(in: text)
      }
    } else {
      fields.append(("text", .string("")))
    }
    fields.append(("json", json))
    fields.append(("bytes", text == nil || !isText ? .bytes(Bytes(bytes)) : .null))
    fields.append(("size", .int(bytes.count)))
  }

  private mutating func bytes(of content: JSON?) -> [UInt8]? {
    guard let text = content?["text"]?.string else { return nil }
    guard content?["encoding"]?.string == "base64" else { return Array(text.utf8) }
    if let bytes = Base64.decodeLeniently(text.filter { !$0.isWhitespace }) { return bytes }
    notes.append("the body of the answer is no base 64, so it is recorded as empty")
    return []
  }

  /// Hides the secrets in a text that is no JSON.
  private mutating func hide(in text: String) {
    for part in SecretText(ImportedText(text)).parts {
      if let name = part.secret { hide(part.text.written, named: name, at: nil) }
    }
  }

  /// Hides the secrets in a value, which are known by the names of members.
  ///
  /// `secret` is the name of a secret value around it.
  private mutating func hide(
    in json: JSON, of name: String, inside secret: String?, at place: String?
  ) {
    switch json {
    case .string(let text):
      let isInside =
        secret != nil && !CredentialNames.isHarmless(name) && !CredentialNames.isPlain(text)
      if CredentialNames.isSecret(name, holding: text) || isInside || Self.hasSecret(text) {
        hide(text, named: isInside ? secret ?? name : name, at: place)
      }
    case .number(let text):
      if CredentialNames.isSecretNumber(name) { hide(text, named: name, at: place) }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        hide(in: element, of: name, inside: secret, at: place.map { "\($0)[\(index)]" })
      }
    case .object(let members): hide(in: members, of: name, inside: secret, at: place)
    case .null, .bool: break
    }
  }

  private mutating func hide(
    in members: [JSON.Member], of name: String, inside secret: String?, at place: String?
  ) {
    let secret = CredentialNames.isSecret(name) ? name : secret
    // What a member is may be said by another one: `{"name": "token", "value": "…"}`.
    let label = members.lazy.filter { SecretFinder.labels.contains($0.name.lowercased()) }
      .compactMap(\.value.string)
      .first { $0.utf8.count <= SecretFinder.longestLabel && CredentialNames.isSecret($0) }
    for member in members {
      let isLabelled = SecretFinder.values.contains(member.name.lowercased())
      let owner = isLabelled ? label ?? member.name : member.name
      let path = member.name.isName ? place.map { "\($0).\(member.name)" } : nil
      hide(in: member.value, of: owner, inside: secret, at: path)
    }
  }
}
