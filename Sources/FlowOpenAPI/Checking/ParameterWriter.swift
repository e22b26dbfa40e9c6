public import FlowCore
internal import FlowSystem

/// Writes values of a parameter as texts in its style (OpenAPI 3.1.1, section 4.8.12.4), which
/// `ParameterText` reads as the same values.
///
/// Each value is encoded before it is joined with others (RFC 6570, section 3.2.1), so that no
/// character of it becomes syntax. A value for which a style has no such text is refused.
public struct ParameterWriter: Sendable {
  /// The reason why a value has no text.
  public struct Problem: Error, Sendable, Hashable {
    /// The reason, to follow the name of the parameter.
    public let message: String
  }

  private let parameter: OpenAPIParameter

  /// Creates a writer for the values of a parameter.
  public init(_ parameter: OpenAPIParameter) { self.parameter = parameter }

  private var style: OpenAPIParameter.Style { parameter.style }

  /// The text in a path, percent-encoded.
  ///
  /// - Throws: `Problem`, also for an empty text.
  public func pathText(_ value: Value) throws(Problem) -> String {
    let text = try pathText(try content(value), value)
    if text.isEmpty { throw Problem(message: "a parameter of a path cannot be empty") }
    return text
  }

  private func pathText(_ content: Content, _ value: Value) throws(Problem) -> String {
    switch style {
    case .label: return "." + (try joined(content, parameter.explodes ? "." : ","))
    case .matrix:
      guard parameter.explodes else { return ";\(encodedName)=" + (try joined(content, ",")) }
      switch content {
      case .one(let text): return ";\(encodedName)=" + encoded(text)
      case .list(let texts): return texts.map { ";\(encodedName)=" + encoded($0) }.joined()
      case .members(let members):
        return members.map { ";" + encoded($0.name) + "=" + encoded($0.text) }.joined()
      }
    default: return try joined(content, ",")
    }
  }

  /// The fields of a query or of cookies: decoded names with percent-encoded texts.
  ///
  /// - Throws: `Problem`
  public func fields(_ value: Value) throws(Problem) -> [(name: String, text: String)] {
    let name = parameter.name
    if style == .deepObject { return try deepFields(value) }
    let content = try content(value)
    switch content {
    case .one(let text): return [(name, encoded(text))]
    case .list(let texts) where parameter.explodes: return texts.map { (name, encoded($0)) }
    case .members where parameter.explodes && style != .form: throw formless("an object")
    case .members(let members) where parameter.explodes:
      return members.map { ($0.name, encoded($0.text)) }
    default: return [(name, try joined(content, ","))]
    }
  }

  /// Writes `a[b]=1`, and a list in an object as several fields of one name.
  private func deepFields(_ value: Value) throws(Problem) -> [(name: String, text: String)] {
    guard case .map(let map) = value else { throw formless("a value that is no object") }
    var fields: [(name: String, text: String)] = []
    for (member, value) in map.entries.map({ ($0.key.interpolated, $0.value) }) {
      if member.contains(where: { "[]".contains($0) }) { throw separator("[") }
      let name = "\(parameter.name)[\(member)]"
      guard case .list(let values) = value else {
        fields.append((name, encoded(try scalar(value))))
        continue
      }
      for value in values { fields.append((name, encoded(try scalar(value)))) }
    }
    return fields
  }

  /// The text of a header, which has no encoding.
  ///
  /// - Throws: `Problem`
  public func headerText(_ value: Value) throws(Problem) -> String {
    try joined(try content(value), ",")
  }

  /// A field of cookies, which are separated by `; ` (RFC 6265, section 4.2.1).
  public static func cookie(_ name: String, _ text: String) -> String {
    cookieName.encode(name.utf8) + "=" + text
  }

  private static let cookieName = PercentEncoding(keeping: "!#$&'*+^`|")

  // MARK: - Texts

  /// The texts of a value, not encoded.
  private enum Content {
    case one(String)
    case list([String])
    case members([(name: String, text: String)])
  }

  private func content(_ value: Value) throws(Problem) -> Content {
    if parameter.mediaType != nil { return .one(value.json) }
    switch value {
    case .list(let values):
      var texts: [String] = []
      for value in values { texts.append(try scalar(value)) }
      return .list(texts)
    case .map(let map):
      var members: [(name: String, text: String)] = []
      for entry in map.entries {
        members.append((entry.key.interpolated, try scalar(entry.value)))
      }
      return .members(members)
    default: return .one(try scalar(value))
    }
  }

  private func scalar(_ value: Value) throws(Problem) -> String {
    switch value {
    case .list, .map, .record:
      throw formless("a list or an object inside of another one")
    default: value.interpolated
    }
  }

  /// Texts between separators that none of them has.
  private func joined(_ content: Content, _ separator: String) throws(Problem) -> String {
    switch content {
    case .one(let text): return encoded(text)
    case .list(let texts):
      if texts == [""] {
        throw Problem(message: "a list of one empty text is an empty list in the style '\(style)'")
      }
      return try joined(texts, separator)
    case .members(let members):
      if !parameter.explodes || parameter.place == .query {
        return try joined(members.flatMap { [$0.name, $0.text] }, separator)
      }
      var texts: [String] = []
      for member in members {
        let name = try part(member.name, "=", separator)
        texts.append(name + "=" + (try part(member.text, separator)))
      }
      return texts.joined(separator: separator)
    }
  }

  private func joined(_ texts: [String], _ separator: String) throws(Problem) -> String {
    let (separator, written) =
      switch style {
      case .spaceDelimited: (" ", "%20")
      case .pipeDelimited: ("|", "%7C")
      default: (separator, separator)
      }
    var parts: [String] = []
    for text in texts { parts.append(try part(text, separator)) }
    return parts.joined(separator: written)
  }

  /// One of several texts, which cannot have a separator where no encoding tells them apart.
  private func part(_ text: String, _ separators: String...) throws(Problem) -> String {
    let isHeader = parameter.place == .header
    for separator in separators where isHeader || [" ", "|", "."].contains(separator) {
      if text.contains(separator) { throw self.separator(separator) }
    }
    let blanks: [UInt8] = [0x20, 0x09]
    if isHeader, let first = text.utf8.first, let last = text.utf8.last,
      blanks.contains(first) || blanks.contains(last)
    {
      throw Problem(message: "blanks around a part of a header are lost")
    }
    return encoded(text, isPart: true)
  }

  private func formless(_ kind: String) -> Problem {
    Problem(message: "\(kind) has no text in the style '\(style)'")
  }

  private func separator(_ separator: String) -> Problem {
    Problem(
      message:
        "'\(separator)' in a text cannot be told from the separator of the style '\(style)'")
  }

  private var encodedName: String { PercentEncoding.component.encode(parameter.name.utf8) }

  private func encoded(_ text: String, isPart: Bool = false) -> String {
    if parameter.place == .header { return text }
    guard parameter.allowsReserved else { return PercentEncoding.component.encode(text.utf8) }
    return (isPart ? Self.reservedInPart : Self.reserved).encode(text.utf8)
  }

  // What separates fields, or is a space in some queries, is no part of a text.
  private static let reserved = PercentEncoding(keeping: ":/?@!$'()*;,")
  private static let reservedInPart = PercentEncoding(keeping: ":/?@!$'()*;")
}
