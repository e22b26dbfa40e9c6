/// Templates.
extension HurlFile {
  /// Returns a text with its templates as expressions.
  ///
  /// In JSON a template outside of quotes is any value.
  mutating func templated(_ text: String, _ line: Int, isJSON: Bool = false) -> ImportedText {
    var (result, rest, isInside) = (ImportedText(), text[...], false)
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      let before = String(rest[..<start.lowerBound])
      isInside = ImportedValue.endsInside(before, from: isInside)
      result.append(before)
      let isText = !isJSON || isInside
      result.append(template(String(rest[start.upperBound..<end.lowerBound]), line, isText: isText))
      rest = rest[end.upperBound...]
    }
    result.append(String(rest))
    return result
  }

  /// Returns the value of the content between `{{` and `}}`.
  mutating func template(_ content: String, _ line: Int, isText: Bool) -> ImportedText {
    let words = content.trimmed.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard let name = words.first else { return ImportedText() }
    if variables[name] == nil, name == "getEnv" {
      scenario.note(
        line, "the function '\(name)' is not supported; its value is the input '\(name)'")
    }
    let value = made(by: name) ?? variable(name, isText: isText)
    guard words.count > 1 else { return value }
    do {
      var filters = HurlScanner(content.trimmed)
      filters.advance(name.utf8.count)
      let known = known(name, value)
      var tokens = ([.word("variable"), .variable(known)] + (try filters.tokens()))[...]
      let result = try HurlQuery(subject: "").value(&tokens)
      guard tokens.isEmpty else { throw HurlProblem.gap("a filter") }
      return ImportedText(expression: result.code)
    } catch HurlProblem.gap(let what) {
      scenario.note(line, "\(what) in a template is not supported")
    } catch {
      scenario.note(line, "the filters of a template are not supported")
    }
    return value
  }

  /// Returns the value of a function of Hurl, made by steps before the request.
  private mutating func made(by name: String) -> ImportedText? {
    guard variables[name] == nil else { return nil }
    return switch name {
    case "newUuid": newUUID()
    case "newDate": newDate()
    default: nil
    }
  }

  private mutating func newDate() -> ImportedText {
    let (now, date) = (scenario.newID(like: "now"), scenario.newID(like: "date"))
    let fields: [ImportedRequest.Preparation.Field] = [
      .init(name: "time", value: "\"${{ steps.\(now).time }}\""),
      .init(name: "format", value: "\"%Y-%m-%dT%H:%M:%S.%L000Z\""),
    ]
    preparations.append(.init(id: now, kind: .draw(plugin: "time", operation: "now", with: [])))
    preparations.append(
      .init(id: date, kind: .draw(plugin: "time", operation: "format", with: fields)))
    return ImportedText(expression: "steps.\(date).text")
  }

  private mutating func newUUID() -> ImportedText {
    let id = scenario.newID(like: "uuid")
    preparations.append(.init(id: id, kind: .uuid))
    return ImportedText(expression: Self.uuid(id))
  }

  /// Returns the expression that reads the UUID of a step.
  static func uuid(_ id: String) -> String { "steps.\(id).uuid" }

  /// Returns a variable as a value, of a known type if it was captured or is a literal.
  func known(_ name: String, _ variable: ImportedText) -> HurlValue {
    if let captured = captured[name] { return captured }
    if variable.code.hasPrefix("inputs.") { return HurlValue(variable.code, .any) }
    if variable.code.isNumber { return HurlValue(variable.code, .int) }
    let isText = variable.literal != nil
    return HurlValue(isText ? variable.code : "dyn(\(variable.code))", isText ? .text : .any)
  }

  /// Returns a name with its templates replaced, or nil if their values are known only in a run.
  mutating func name(_ written: String, _ line: Int) -> String? {
    if !written.contains("{{") { return written }
    let before = (scenario, preparations, readIDs)
    if let name = templated(written, line).literal { return name }
    (scenario, preparations, readIDs) = before
    return nil
  }

  /// Returns the names of the variables that asserts compare with null.
  static func nullNames(in text: String) -> Set<String> {
    let lines = text.split(separator: "\n").map { String($0).trimmed }
    return Set(
      lines.compactMap { line in
        guard line.hasPrefix("variable \""), line.contains("== null") else { return nil }
        return line.split(separator: "\"").dropFirst().first.map(String.init)
      })
  }

  /// Returns the value of a variable, which is an input if it was never set.
  mutating func variable(_ name: String, isText: Bool) -> ImportedText {
    guard let value = variables[name] else {
      let input = scenario.input(name, isText: isText)
      guard isText, nullNames.contains(name) else { return input }
      return ImportedText(expression: "\(ImportedText.format)[\(input.code)])")
    }
    if isText, let scalar = value.code.isJSONScalar ? value.code : nil {
      return ImportedText(scalar)
    }
    for piece in value.pieces {
      guard case .expression(let code) = piece else { continue }
      for part in code.split(separator: "steps.").dropFirst(code.hasPrefix("steps.") ? 0 : 1) {
        readIDs.insert(String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
      }
    }
    return value
  }
}
