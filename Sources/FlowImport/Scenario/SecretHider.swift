internal import FlowSystem

/// Makes texts and expressions ready to be written: known secrets in them become their inputs, wherever they stand.
///
/// Made when everything was read, since a secret may be known only after it was used.
struct SecretHider {
  private struct Secret {
    let bytes: [UInt8]
    /// The expression with this text.
    let code: String
  }

  /// The secrets hidden by a run, by their first 4 bytes, the longest first.
  ///
  /// A run hides every occurrence of a secret, so a text with a literal secret would differ in a
  /// replay.
  private var secrets: [UInt32: [Secret]] = [:]
  private static let head = 4
  /// The inputs of type text.
  private let texts: Set<String>
  /// The variables set to texts.
  private let variables: Set<String>
  /// The ids of steps derived from a secret, with their replacements.
  private(set) var ids: [String: String] = [:]
  /// Receives each literal that stays in the scenario.
  private let seeing: (String) -> Void

  init(_ scenario: ImportedScenario, seeing: @escaping (String) -> Void) {
    self.seeing = seeing
    variables = scenario.textVariables
    texts = Set(scenario.inputs.filter { $0.type == "string" }.map(\.name))
    for (value, input) in scenario.secrets where value.utf8.count >= Self.head {
      for secret in Self.spellings(of: value, input: "inputs.\(input)") {
        let head = secret.bytes.prefix(Self.head).reduce(0) { $0 << 8 | UInt32($1) }
        secrets[head, default: []].append(secret)
      }
    }
    for head in secrets.keys { secrets[head]?.sort { $0.bytes.count > $1.bytes.count } }
    renameSteps(of: scenario)
  }

  /// Returns a secret as it is, and as addresses and forms have it, also in an address inside of
  /// another one.
  private static func spellings(of value: String, input: String) -> [Secret] {
    let query = PercentEncoding.component.encode(value.utf8)
    if query == value { return [Secret(bytes: Array(value.utf8), code: input)] }
    let path = PercentEncoding.segment.encode(value.utf8)
    let texts = [
      (value, input), (query, "url.encodeQuery(\(input))"),
      (query.replacing("%20", with: "+"), "url.encodeQuery(\(input)).replace('%20', '+')"),
      (path, "url.encodePath(\(input))"),
      (
        PercentEncoding.component.encode(query.utf8), "url.encodeQuery(url.encodeQuery(\(input)))"
      ),
    ]
    // The digits of an escape mean the same in both cases.
    let all = texts + texts.dropFirst().map { ($0.0.lowercasingEscapes, $0.1) }
    var known: Set<String> = []
    return all.filter { known.insert($0.0).inserted }
      .map { Secret(bytes: Array($0.0.utf8), code: $0.1) }
  }

  private mutating func renameSteps(of scenario: ImportedScenario) {
    var scenario = scenario
    for var request in scenario.requests where request.needsID {
      let path = request.url.split(at: ["?"])?.before ?? request.url
      let hidden = text(path)
      if hidden == path { continue }
      request.url = hidden
      ids[request.id] = scenario.newID(of: request)
    }
  }

  func text(_ text: ImportedText) -> ImportedText {
    text.mapExpressions { ImportedText(expression: code($0)) }.mapLiterals(hidden)
  }

  func value(_ value: ImportedValue) -> ImportedValue {
    switch value {
    case .text(let text): .text(self.text(text))
    case .list(let elements): .list(elements.map(self.value))
    case .map(let entries):
      .map(
        entries.map { entry in
          var copy = entry
          copy.value = self.value(entry.value)
          copy.computedName = entry.computedName.map(text)
          return copy
        })
    case .null, .bool, .number: value
    }
  }

  /// Returns an expression without secrets in its literals.
  func code(_ code: String) -> String {
    var (result, rest) = ("", code[...])
    while let start = rest.firstIndex(of: "'") {
      result += renamed(rest[..<start])
      let (text, end) = Self.literal(rest[start...])
      let hidden = hidden(text)
      let parts = hidden.pieces.map { piece in
        switch piece {
        case .literal(let text): text.celLiteral
        case .expression(let code): code
        }
      }
      let isPart = rest[end...].hasPrefix(".") || rest[end...].hasPrefix("[")
      let sum = parts.joined(separator: " + ")
      if hidden.literal != nil {
        result += rest[start..<end]
      } else if result.hasSuffix(" b") {
        // A literal of bytes.
        result = result.dropLast() + "bytes(\(sum))"
      } else {
        result += parts.count > 1 && isPart ? "(\(sum))" : sum
      }
      rest = rest[end...]
    }
    return result + renamed(rest)
  }

  /// Returns the text of a literal written by `celLiteral`, and its end.
  private static func literal(_ code: Substring) -> (text: String, end: String.Index) {
    var (text, rest) = (String.UnicodeScalarView(), code.unicodeScalars.dropFirst())
    while let scalar = rest.popFirst(), scalar != "'" {
      guard scalar == "\\", let mark = rest.popFirst() else {
        text.append(scalar)
        continue
      }
      switch mark {
      case "n": text.append("\n")
      case "r": text.append("\r")
      case "t": text.append("\t")
      case "U", "x":
        let digits = mark == "x" ? 2 : 8
        if let value = UInt32(String(rest.prefix(digits)), radix: 16) {
          Unicode.Scalar(value).map { text.append($0) }
        }
        rest = rest.dropFirst(digits)
      default: text.append(mark)
      }
    }
    return (String(text), rest.startIndex)
  }

  /// Code between literals: without `string` around an input that is a text, and with the final ids.
  private func renamed(_ code: Substring) -> String {
    var text = String(code)
    if text.contains("string(inputs.") {
      text = Self.replaced(text, after: "string(inputs.") { name, rest in
        guard texts.contains(name), rest.first == ")" else { return nil }
        return ("inputs.\(name)", rest.dropFirst())
      }
    }
    if !variables.isEmpty, text.contains("string(") {
      text = Self.replaced(text, after: "string(") { name, rest in
        guard variables.contains(name), rest.first == ")" else { return nil }
        return (name, rest.dropFirst())
      }
    }
    if ids.isEmpty { return text }
    return Self.replaced(text, after: "steps.") { name, rest in
      ids[name].map { ("steps.\($0)", rest) }
    }
  }

  /// Returns the code with each mark and the name after it replaced, except where the replacement
  /// is nil.
  private static func replaced(
    _ code: String, after mark: String,
    by change: (_ name: String, _ rest: Substring) -> (code: String, rest: Substring)?
  ) -> String {
    var (result, rest) = ("", code[...])
    while let range = rest.firstRange(of: mark) {
      result += rest[..<range.lowerBound]
      rest = rest[range.upperBound...]
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if let (code, after) = change(String(name), rest[name.endIndex...]) {
        result += code
        rest = after
      } else {
        result += mark
      }
    }
    return result + rest
  }

  private func hidden(_ text: String) -> ImportedText {
    if secrets.isEmpty { return ImportedText(text) }
    let result = withoutSecrets(text)
    for case .literal(let rest) in result.pieces { seeing(rest) }
    return result
  }

  private func withoutSecrets(_ text: String) -> ImportedText {
    let bytes = Array(text.utf8)
    var (result, written, place, window) = (ImportedText(), 0, 0, UInt32(0))
    while place < bytes.count {
      window = window << 8 | UInt32(bytes[place])
      place += 1
      guard place - written >= Self.head, let known = secrets[window] else { continue }
      let start = place - Self.head
      guard let secret = known.first(where: { bytes[start...].starts(with: $0.bytes) }) else {
        continue
      }
      result.append(String(decoding: bytes[written..<start], as: UTF8.self))
      result.append(ImportedText(expression: secret.code))
      written = start + secret.bytes.count
      place = written
    }
    result.append(String(decoding: bytes[written...], as: UTF8.self))
    return result
  }
}

extension String {
  /// A percent-encoded text with the digits `a` to `f` in lower case.
  fileprivate var lowercasingEscapes: String {
    var parts = split(separator: "%", omittingEmptySubsequences: false)
    for index in parts.indices.dropFirst() {
      parts[index] = parts[index].prefix(2).lowercased() + parts[index].dropFirst(2)
    }
    return parts.joined(separator: "%")
  }
}
