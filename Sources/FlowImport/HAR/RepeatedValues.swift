internal import FlowCore
internal import FlowSystem

/// The values that answers of a session have made, such as ids and tokens, for the later requests that
/// send them back.
///
/// A value that a request had before is the user's own. Texts are taken only where nothing in them has
/// to be encoded.
struct RepeatedValues {
  /// The longest taken text, in bytes.
  private static let longest = 400
  /// The shortest text that is taken whatever its name is.
  private static let shortest = 16
  /// The most values of one answer.
  private static let most = 2_000

  /// The expressions for the values.
  private var codes: [String: String] = [:]
  /// The values of requests.
  private var sent: Set<String> = []
  /// The steps whose answers have been read, since the last call of `takeRead`.
  private var read: Set<String> = []

  /// Takes the ids of the steps that were read since the last call.
  mutating func takeRead() -> Set<String> {
    defer { read = [] }
    return read
  }

  // MARK: - Answers

  /// Notes the values of a step's answer.
  mutating func learn(_ answer: Value, of id: String) {
    guard case .map(let fields) = answer else { return }
    var left = Self.most
    if let json = fields["json"] { learn(json, named: "", at: "steps.\(id).json", &left) }
    if case .string(let text)? = fields["text"], text.contains("<input") {
      learn(page: text, of: id)
    }
  }

  private mutating func learn(
    _ value: Value, named name: String, at code: String, _ left: inout Int
  ) {
    guard left > 0 else { return }
    left -= 1
    switch value {
    case .map(let map):
      for entry in map.entries {
        guard case .string(let name) = entry.key else { continue }
        let member = name.isName ? ".\(name)" : "[\(name.quotedInCode)]"
        learn(entry.value, named: name, at: code + member, &left)
      }
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        learn(element, named: name, at: "\(code)[\(index)]", &left)
      }
    case .string(let text): learn(text, named: name, code)
    case .int(let number) where Self.isIdentity(name): learn(String(number), named: name, code)
    default: break
    }
  }

  /// Notes the hidden fields of forms.
  private mutating func learn(page: String, of id: String) {
    for match in page.components(of: "<input").prefix(Self.most) {
      guard let name = match.attribute("name"), let value = match.attribute("value"), name.isName
      else { continue }
      let selector = "input[name=\(name)]::attr(value)"
      learn(value, named: name, "html(steps.\(id).text, '\(selector)')[0]")
    }
  }

  private mutating func learn(_ text: String, named name: String, _ code: String) {
    guard Self.isPlain(text), codes[text] == nil, !sent.contains(text) else { return }
    let hasDigit = text.utf8.contains { $0.isDigit }
    guard Self.isIdentity(name) || text.utf8.count >= Self.shortest && hasDigit else { return }
    codes[text] = code
  }

  /// Returns true for a name of what identifies something.
  private static func isIdentity(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["id", "token", "key", "code", "csrf", "uuid", "number", "session", "cursor", "next"]
      .contains { name == $0 || name.hasSuffix("_" + $0) || name.hasSuffix($0) && $0.count > 3 }
      || name.hasSuffix("id") && name.count <= 12
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longest
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._~".utf8.contains($0) }
  }

  // MARK: - Requests

  /// An address, with values in the segments of its path and in its query.
  mutating func address(_ text: String) -> ImportedText {
    guard let start = text.firstRange(of: "://") else { return ImportedText(text) }
    let host = text[start.upperBound...].prefix { $0 != "/" && $0 != "?" }
    var result = ImportedText(String(text[..<host.endIndex]))
    var piece = ""
    for character in text[host.endIndex...] {
      guard "/?&=".contains(character) else {
        piece.append(character)
        continue
      }
      result.append(value(piece))
      result.append(String(character))
      piece = ""
    }
    result.append(value(piece))
    return result
  }

  /// The value of a header, perhaps after a scheme such as `Bearer`.
  mutating func header(_ text: String) -> ImportedText {
    guard let blank = text.lastIndex(of: " ") else { return value(text) }
    return ImportedText(String(text[...blank])) + value(String(text[text.index(after: blank)...]))
  }

  /// A body: the values of JSON, or of the fields of a form.
  mutating func body(_ text: String, media: String) -> ImportedText {
    if media.hasSuffix("json"), let json = try? JSONParser.parse(Array(text.utf8)[...]) {
      return self.json(json)
    }
    guard media == "application/x-www-form-urlencoded" else { return ImportedText(text) }
    var result = ImportedText()
    for (index, field) in text.split(separator: "&").enumerated() {
      if index > 0 { result.append("&") }
      let name = field.prefix { $0 != "=" }
      result.append(String(name))
      guard name.endIndex < field.endIndex else { continue }
      result.append("=")
      result.append(value(String(field[field.index(after: name.endIndex)...])))
    }
    return result
  }

  private mutating func json(_ json: JSON) -> ImportedText {
    switch json {
    case .string(let text):
      let value = value(text)
      return value.literal == nil
        ? ImportedText("\"") + value + ImportedText("\"") : ImportedText(json.text)
    case .number(let text): return value(text)
    case .null, .bool: return ImportedText(json.text)
    case .array(let elements):
      var result = ImportedText("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { result.append(", ") }
        result.append(self.json(element))
      }
      return result + ImportedText("]")
    case .object(let members):
      var result = ImportedText("{")
      for (index, member) in members.enumerated() {
        if index > 0 { result.append(", ") }
        result.append(JSON.string(member.name).text + ": ")
        result.append(self.json(member.value))
      }
      return result + ImportedText("}")
    }
  }

  /// The expression for a value, or the value.
  private mutating func value(_ text: String) -> ImportedText {
    guard let code = codes[text] else {
      sent.insert(text)
      return ImportedText(text)
    }
    if let id = code.split(separator: "steps.").last?.prefix(while: { $0 != "." }) {
      read.insert(String(id))
    }
    return ImportedText(expression: code)
  }
}

extension String {
  /// The parts of a page that begin with a tag, without their ends.
  fileprivate func components(of tag: String) -> [Substring] {
    split(separator: tag, omittingEmptySubsequences: false).dropFirst().map { part in
      part.prefix { $0 != ">" }
    }
  }

  /// The text in quotes as CEL reads it.
  fileprivate var quotedInCode: String {
    "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}

extension Substring {
  /// The value of an attribute in quotes, or nil.
  fileprivate func attribute(_ name: String) -> String? {
    for quote in ["\"", "'"] {
      guard let start = firstRange(of: " \(name)=\(quote)") else { continue }
      let rest = self[start.upperBound...]
      guard let end = rest.firstRange(of: quote) else { continue }
      return String(rest[..<end.lowerBound])
    }
    return nil
  }
}
