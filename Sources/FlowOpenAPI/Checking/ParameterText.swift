internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// Reads the texts of parameters by their styles (OpenAPI 3.1.1, section 4.8.12.4).
struct ParameterText {
  let name: String
  let style: OpenAPIParameter.Style
  let explodes: Bool
  let reader: TextReader?
  /// The part of a request that has the text, which decides on its encoding.
  let place: OpenAPIParameter.Place
  /// True to look for separators in the decoded text.
  ///
  /// Some clients encode the separators, too, and some styles have no others.
  var decodesFirst = false

  /// The same reader, which looks for separators in the decoded text.
  var decodingFirst: ParameterText {
    var other = self
    other.decodesFirst = true
    return other
  }

  private var root: Int? { reader?.code.root }
  private var isList: Bool { reader?.isList(root) ?? false }
  private var isObject: Bool { reader?.isObject(root) ?? false }

  /// The value of a text in a path or a header, or nil for one in another form.
  func value(of text: String) -> Value? {
    let text = decodesFirst ? decoded(text) : text
    switch style {
    case .label:
      guard text.hasPrefix(".") else { return nil }
      let parts = explodes && (isList || isObject) ? "." : ","
      return value(String(text.dropFirst()), separator: parts, explodes: explodes)
    case .matrix: return matrix(text)
    default: return value(text, separator: ",", explodes: explodes)
    }
  }

  private func matrix(_ text: String) -> Value? {
    guard text.hasPrefix(";") else { return nil }
    let pairs = text.dropFirst().split(separator: ";", omittingEmptySubsequences: false)
      .map(Self.pair)
    if isObject, explodes { return object(pairs.map { (part($0.name), part($0.value)) }) }
    guard pairs.allSatisfy({ part($0.name).isIdentical(to: name) }) else { return nil }
    if isList, explodes { return list(pairs.map { part($0.value) }) }
    guard pairs.count == 1, let first = pairs.first else { return nil }
    return value(first.value, separator: ",", explodes: false)
  }

  private func value(_ text: String, separator: String, explodes: Bool) -> Value? {
    var parts = text.isEmpty ? [] : text.components(by: separator)
    if place == .header { parts = parts.map(\.trimmed) }
    if isList { return list(parts.map(part)) }
    guard isObject else { return scalar(part(text)) }
    if explodes { return object(parts.map(Self.pair).map { (part($0.name), part($0.value)) }) }
    return pairs(parts.map(part))
  }

  /// Reads `a,1,b,2`.
  private func pairs(_ parts: [String]) -> Value? {
    guard parts.count.isMultiple(of: 2) else { return nil }
    return object(
      stride(from: 0, to: parts.count, by: 2).map { (parts[$0], parts[$0 + 1]) })
  }

  private static func pair(_ part: some StringProtocol) -> (name: String, value: String) {
    guard let sign = part.firstIndex(of: "=") else { return (String(part), "") }
    return (String(part[..<sign]), String(part[sign...].dropFirst()))
  }

  // MARK: - Encodings

  func decoded(_ text: String) -> String {
    switch place {
    case .header: text
    case .query: FormText.decoded(text)
    case .path, .cookie: text.percentDecoded ?? text
    }
  }

  /// A text between separators.
  private func part(_ text: String) -> String { decodesFirst ? text : decoded(text) }

  // MARK: - Queries and cookies

  /// The value in a query or in cookies, nil for none, and the names that belong to it.
  ///
  /// The names are decoded, the values are not.
  func value(
    in query: [(name: String, value: String)], declared: [String]
  ) -> (value: Value?, used: Set<String>, isMalformed: Bool) {
    if style == .deepObject { return deepObject(query) }
    if style == .form, explodes, isObject { return exploded(query, declared) }
    let texts = query.filter { $0.name.isIdentical(to: name) }.map(\.value)
    guard let first = texts.first else { return (nil, [], false) }
    if isList, explodes { return (list(texts.map(decoded)), [name], false) }
    guard texts.count == 1 else { return (nil, [name], true) }
    let separator =
      switch style {
      case .spaceDelimited: " "
      case .pipeDelimited: "|"
      default: ","
      }
    let value = value(
      decodesFirst ? decoded(first) : first, separator: separator, explodes: false)
    return (value, [name], value == nil)
  }

  /// Reads `a[b]=1&a[c][d]=2`.
  private func deepObject(
    _ query: [(name: String, value: String)]
  ) -> (value: Value?, used: Set<String>, isMalformed: Bool) {
    var (members, used): ([(String, String)], Set<String>) = ([], [])
    var isMalformed = false
    for (name, value) in query where name.hasPrefix(self.name + "[") {
      used.insert(name)
      let inner = name.dropFirst(self.name.count + 1)
      guard inner.hasSuffix("]"), !inner.dropLast().contains(where: { $0 == "[" || $0 == "]" })
      else {
        isMalformed = true
        continue
      }
      members.append((String(inner.dropLast()), decoded(value)))
    }
    return (members.isEmpty ? nil : object(members), used, isMalformed)
  }

  /// Reads the members of an object that are parameters of their own.
  private func exploded(
    _ query: [(name: String, value: String)], _ declared: [String]
  ) -> (value: Value?, used: Set<String>, isMalformed: Bool) {
    let names = reader?.names(of: root) ?? []
    let takesOthers = reader?.takesOthers(root) ?? false
    let members = query.filter { entry in
      names.contains(where: entry.name.isIdentical)
        || takesOthers && !declared.contains(where: entry.name.isIdentical)
    }
    let value = members.isEmpty ? nil : object(members.map { ($0.name, decoded($0.value)) })
    return (value, Set(members.map(\.name)), false)
  }

  // MARK: - Values

  private func scalar(_ text: String) -> Value {
    reader?.value(of: text, root) ?? .string(text)
  }

  private func list(_ texts: [String]) -> Value { list(texts, root) }

  private func list(_ texts: [String], _ node: Int?) -> Value {
    .list(
      texts.enumerated().map { index, text in
        reader?.value(of: text, reader?.element(of: node, at: index)) ?? .string(text)
      })
  }

  /// Several texts of one member are its elements.
  func object(_ members: [(String, String)]) -> Value {
    var texts: [(name: String, values: [String])] = []
    var places: [String: Int] = [:]
    for (name, text) in members {
      if let place = places[name] {
        texts[place].values.append(text)
      } else {
        places[name] = texts.count
        texts.append((name, [text]))
      }
    }
    return .map(
      ValueMap(
        texts.map { name, values in
          let node = reader?.member(of: root, name)
          if values.count > 1 || reader?.isList(node) == true { return (name, list(values, node)) }
          return (name, reader?.value(of: values[0], node) ?? .string(values[0]))
        }))
  }
}

extension StringProtocol {
  /// The text without blanks around it.
  var trimmed: String { String(trimming { $0 == " " }) }
}

extension String {
  /// The parts between separators, also empty ones.
  fileprivate func components(by separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
