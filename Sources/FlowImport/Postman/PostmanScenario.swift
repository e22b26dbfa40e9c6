internal import FlowRedaction
internal import FlowSystem

/// Builds a scenario from requests of a collection.
struct PostmanScenario {
  var scenario = ImportedScenario()
  private var variables: PostmanVariables
  /// The variables of the scenario, by the names in scripts.
  private var set: [String: String] = [:]
  /// The variables that became inputs, with their first lines.
  private var inputs: [(name: String, line: Int)] = []
  /// The inputs with known values.
  private var defaults: [String: String] = [:]
  /// The variables whose values are being written, against circles.
  private var open: [String] = []
  /// The draws before the present request.
  var draws: [ImportedRequest.Preparation] = []
  private var examples: (count: Int, line: Int) = (0, 0)

  init(variables: PostmanVariables) {
    self.variables = variables
    for note in variables.notes { scenario.note(note.line, note.message) }
  }

  /// The names of variables that scripts set.
  var setVariables: [String] { Array(set.keys) }

  mutating func add(_ group: PostmanGroup) throws(ImportError) {
    let outer = variables
    variables.add(group.variables)
    for note in variables.notes.dropFirst(outer.notes.count) {
      scenario.note(note.line, note.message)
    }
    for item in group.requests { try add(item, of: group) }
    variables = outer
  }

  private mutating func add(_ item: PlacedJSON, of group: PostmanGroup) throws(ImportError) {
    let responses = item["response"]?.elements ?? []
    if examples.count == 0, let first = responses.first { examples.line = first.line }
    examples.count += responses.count
    guard let json = item["request"] else {
      return scenario.note(item.line, "an item without a request is left out")
    }
    draws = []
    guard var request = self.request(json, of: item, group) else { return }
    request.name = ImportedText(item["name"]?.text?.onOneLine ?? "")
    request.id = scenario.newID(of: request)
    let events = group.events + (item["event"]?.elements ?? [])
    run(events, of: &request)
    request.preparations = draws
    request.needsID = !request.captures.isEmpty || !request.conditions.isEmpty
    try scenario.append(request)
  }

  func finished(named name: String, tags: [String]) -> ImportedScenario {
    var copy = scenario
    copy.name = name.onOneLine
    copy.tags = tags
    if examples.count > 0 {
      let what = examples.count == 1 ? "1 saved answer" : "\(examples.count) saved answers"
      copy.note(examples.line, "skipped \(what)")
    }
    return copy
  }

  /// Notes the inputs that are set by scripts of other folders.
  mutating func noteInputs(setElsewhere names: Set<String>) {
    for (name, line) in inputs where names.contains(name) && set[name] == nil {
      scenario.note(
        line,
        "the variable '\(name.onOneLine)' is set by a script of another folder; here it is an input"
      )
    }
  }

  // MARK: - Variables

  /// Returns a text with expressions in place of `{{name}}`.
  ///
  /// In JSON a variable outside of quotes keeps the type of its value.
  mutating func text(_ written: String, line: Int, isJSON: Bool = false) -> ImportedText {
    var (result, rest, isInside) = (ImportedText(), written[...], false)
    while let start = rest.firstRange(of: "{{") {
      let inside = rest[start.upperBound...]
      guard let end = inside.firstRange(of: "}}") else { break }
      // The last opening before the end, as in `{{{name}}`.
      let name = inside[..<end.lowerBound]
      guard !name.contains("{"), !name.contains(where: \.isNewline), !name.isEmpty else {
        let literal = String(rest[..<start.lowerBound] + "{")
        isInside = ImportedValue.endsInside(literal, from: isInside)
        result.append(literal)
        rest = rest[start.lowerBound...].dropFirst()
        continue
      }
      let literal = String(rest[..<start.lowerBound])
      isInside = ImportedValue.endsInside(literal, from: isInside)
      result.append(literal)
      result.append(variable(String(name).trimmed, line: line, isText: !isJSON || isInside))
      rest = rest[end.upperBound...]
    }
    result.append(String(rest))
    return result
  }

  /// Returns the expression for a variable: set by a script before, drawn, known, or an input.
  mutating func variable(_ name: String, line: Int, isText: Bool = true) -> ImportedText {
    if let variable = set[name] { return ImportedText(expression: variable) }
    if name.hasPrefix("$"), let drawn = drawn(name, line: line) { return drawn }
    guard let known = variables.known[name], !known.value.isEmpty, !open.contains(name),
      open.count < 8
    else { return input(name, line: line, isText: isText) }
    if known.isSecret || CredentialNames.isSecret(name, holding: known.value) {
      return secret(name, known, isText: isText)
    }
    if known.value.contains("{{") {
      open.append(name)
      defer { open.removeLast() }
      return text(known.value, line: known.line)
    }
    let value = scenario.text(ImportedText(known.value), line: known.line)
    guard value.literal != nil else { return value }
    let input = input(name, line: line, isText: isText)
    scenario.setDefault(known.value, of: input)
    defaults[input.code] = known.value
    return input
  }

  private mutating func input(_ name: String, line: Int, isText: Bool) -> ImportedText {
    if !inputs.contains(where: { $0.name == name }) { inputs.append((name, line)) }
    let input = scenario.input(name, isText: isText)
    if variables.known[name]?.isSecret == true { scenario.hideInput(input) }
    return input
  }

  private mutating func secret(
    _ name: String, _ known: PostmanVariables.Known, isText: Bool
  ) -> ImportedText {
    let hidden = scenario.hidden(ImportedText(known.value), of: name, line: known.line)
    // Outside of quotes it is a number, or another value of JSON.
    guard !isText, hidden.literal == nil else { return hidden }
    return ImportedText(expression: "json(\(hidden.code))")
  }

  /// Returns the value of one of Postman's own variables, drawn in a step before the request.
  private mutating func drawn(_ name: String, line: Int) -> ImportedText? {
    switch name {
    case "$guid", "$randomUUID": return draw("uuid", "random", "uuid", [], ".uuid")
    case "$randomInt":
      return draw("number", "random", "integer", [("min", "0"), ("max", "1000")], ".value")
    case "$timestamp":
      let now = draw("now", "time", "now", [], ".time")
      return ImportedText(expression: "int(\(now.code))")
    case "$isoTimestamp":
      let now = draw("now", "time", "now", [], ".time")
      return ImportedText(expression: "string(\(now.code))")
    default:
      let input = input(String(name.dropFirst()), line: line, isText: true)
      let shown = input.code.dropFirst("inputs.".utf8.count)
      scenario.note(line, "'{{\(name.onOneLine)}}' is not supported; it is the input '\(shown)'")
      return input
    }
  }

  private mutating func draw(
    _ name: String, _ plugin: String, _ operation: String, _ with: [(String, String)],
    _ field: String
  ) -> ImportedText {
    let id = scenario.newStep(name)
    let fields = with.map { ImportedRequest.Preparation.Field(name: $0.0, value: $0.1) }
    draws.append(
      .init(id: id, kind: .draw(plugin: plugin, operation: operation, with: fields)))
    return ImportedText(expression: "steps.\(id)\(field)")
  }

  /// Returns the variable of the scenario for one that a script sets.
  mutating func newVariable(_ name: String) -> String {
    if let known = set[name] { return known }
    var variable = name.scenarioName(or: "variable")
    let isReserved = ["inputs", "steps", "loop", "it"].contains(variable) || !variable.isFieldName
    if isReserved { variable += "_value" }
    while set.values.contains(variable) { variable += "_2" }
    set[name] = variable
    return variable
  }

  /// The known value of an input that starts an address, or nil.
  func known(_ text: ImportedText) -> String? {
    guard case .expression(let code)? = text.pieces.first else { return nil }
    return defaults[code]
  }
}
