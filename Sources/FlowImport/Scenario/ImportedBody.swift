internal import FlowSystem

/// Bodies by their types: JSON and forms as values, everything else unchanged.
extension ImportedScenario {
  /// Sets a body written as text.
  ///
  /// A header of its type is removed if the body implies it.
  mutating func setBody(
    _ text: ImportedText, type: String?, of request: inout ImportedRequest, line: Int
  ) {
    let media = type.map { String($0.prefix { $0 != ";" }).trimmed.lowercased() } ?? ""
    if media == "application/json" || media.hasSuffix("+json") || media.isEmpty,
      let json = ImportedValue(parsing: text)
    {
      request.body = .json(self.json(json, line: line))
      if type?.trimmed.lowercased() == media {
        if media == "application/json" { request.removeHeader("content-type") }
      } else if let type, request.header("content-type") == nil {
        request.addHeader("content-type", ImportedText(type))
      }
    } else if media == "application/x-www-form-urlencoded", let fields = Self.fields(of: text) {
      request.body = .form(fields.map { ($0.name, value($0.value, of: $0.name, line: line)) })
      request.removeHeader("content-type")
    } else {
      if media == "application/json", !text.trimmed.isEmpty {
        let message = "the body is no JSON, as its type says, and is sent as text"
        note(line, message)
        request.remarks.append("line \(line): \(message)")
      }
      request.body = .text(self.text(text, line: line))
      if let type, request.header("content-type") == nil {
        request.addHeader("content-type", ImportedText(type))
      }
    }
  }

  /// The most bytes of a body that a scenario has in itself.
  private static let mostBytes = 24_000

  /// Sets a body of bytes that are not text.
  mutating func setBody(bytes: [UInt8], of request: inout ImportedRequest, line: Int) {
    guard bytes.count <= Self.mostBytes else {
      return leaveOut(
        "a body of more than \(Self.mostBytes) bytes that are not text", of: &request, line: line)
    }
    request.body = .bytes(bytes)
  }

  /// Sets the fields of a form, as a text if a name is too long for a key of YAML.
  mutating func setForm(
    _ fields: [(name: String, value: ImportedText)], of request: inout ImportedRequest
  ) {
    if fields.isEmpty { return }
    if fields.allSatisfy(\.name.isShortName) {
      request.body = .form(fields)
      return request.removeHeader("content-type")
    }
    var text = ImportedText()
    for (index, field) in fields.enumerated() {
      if index > 0 { text.append("&") }
      text.append(PercentEncoding.component.encode(field.name.utf8) + "=")
      text.append(
        field.value.mapLiterals {
          ImportedText(PercentEncoding.component.encode($0.utf8))
        }.mapExpressions { ImportedText(expression: "url.encodeQuery(string(\($0)))") })
    }
    request.body = .text(text)
    if request.header("content-type") == nil {
      request.addHeader("content-type", ImportedText("application/x-www-form-urlencoded"))
    }
  }

  /// Returns true for a byte of names in forms, false for one that shows JSON or XML with a `=` in
  /// it.
  private static func isPlainInNames(_ byte: UInt8) -> Bool {
    byte > 0x20 && !"\"'<>{}".utf8.contains(byte)
  }

  /// Returns the fields of a form, or nil for text that no form would be written as.
  private static func fields(
    of text: ImportedText
  ) -> [(name: String, value: ImportedText)]? {
    var fields: [(name: String, value: ImportedText)] = []
    for part in text.components(separatedBy: "&") {
      guard let (name, value) = part.split(at: ["="]), let written = name.literal,
        written.utf8.allSatisfy(isPlainInNames), let name = written.formDecoded,
        !name.isEmpty, name.isShortName, name.unicodeScalars.allSatisfy({ !$0.breaksText })
      else { return nil }
      var isDecoded = true
      let decoded = value.mapLiterals { literal in
        guard let text = literal.formDecoded else {
          isDecoded = false
          return ImportedText(literal)
        }
        return ImportedText(text)
      }
      guard isDecoded else { return nil }
      fields.append((name, decoded))
    }
    return fields
  }
}

extension ImportedValue {
  /// Creates the value of a JSON text with expressions as values or, between quotes, as strings or
  /// parts of them.
  ///
  /// Nil for anything else.
  init?(parsing text: ImportedText) {
    // A character absent from every text replaces each expression, with its number.
    var (written, codes) = ("", [String]())
    var isInside = false
    for piece in text.pieces {
      switch piece {
      case .literal(let part):
        if part.unicodeScalars.contains(Self.mark) { return nil }
        isInside = Self.endsInside(part, from: isInside)
        written += part
      case .expression(let code):
        let mark = "\(Self.mark)\(codes.count)\(Self.mark)"
        written += isInside ? mark : "\"\(mark)\(Self.mark)\""
        codes.append(code)
      }
    }
    guard let json = try? JSONParser.parse(Array(written.utf8)[...]), json.isWritable() else {
      // Invalid JSON is sent as plain text.
      return nil
    }
    self = ImportedValue(json).filled(with: codes)
  }

  private static var mark: Unicode.Scalar { "\u{F8FF}" }

  /// Returns true if a string of JSON is open after a text.
  static func endsInside(_ text: String, from start: Bool) -> Bool {
    var (isInside, isEscaped) = (start, false)
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\"), isInside {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInside.toggle()
      }
    }
    return isInside
  }

  private func filled(with codes: [String]) -> ImportedValue {
    switch self {
    case .text(let text): .text(text.mapLiterals { Self.filled($0, codes) })
    case .list(let elements): .list(elements.map { $0.filled(with: codes) })
    case .map(let entries):
      .map(entries.map { Self.filled($0, codes) })
    case .null, .bool, .number: self
    }
  }

  private static func filled(_ entry: Entry, _ codes: [String]) -> Entry {
    let value = entry.value.filled(with: codes)
    guard entry.name.unicodeScalars.contains(mark) else {
      return Entry(name: entry.name, value: value)
    }
    let name = filled(entry.name, codes).asText
    return Entry(name: name.template, value: value, computedName: name)
  }

  private static func filled(_ text: String, _ codes: [String]) -> ImportedText {
    var (result, isNumber) = (ImportedText(), false)
    // Between quotes it is a text, whatever the expression is.
    let isText = text.unicodeScalars.count { $0 == mark } == 2
    for part in text.unicodeScalars.split(separator: mark, omittingEmptySubsequences: false) {
      if isNumber, let index = Int(String(part)), codes.indices.contains(index) {
        result.append(ImportedText(expression: codes[index]))
      } else {
        result.append(String(part))
      }
      isNumber.toggle()
    }
    return isText ? result.asText : result
  }
}

extension String {
  /// The decoded text of a form, or nil for a broken escape and for bytes that are not UTF-8.
  var formDecoded: String? { PercentEncoding.decodeForm(self) }
}
