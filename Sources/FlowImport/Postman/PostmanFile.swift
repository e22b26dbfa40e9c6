internal import FlowRedaction
internal import FlowSystem

/// Reads a collection of Postman, version 2.0 or 2.1.
///
/// All its requests become one scenario, or those of each folder a separate one.
struct PostmanFile {
  private let root: PlacedJSON
  private let environments: [PlacedJSON]
  private var groups: [PostmanGroup] = []

  /// - Throws: `ImportError` for invalid JSON, and for a file without a list of items.
  init(_ bytes: [UInt8], environments: [PlacedJSON]) throws(ImportError) {
    root = try PlacedJSON.read(bytes)
    self.environments = environments
    guard case .array? = root["item"]?.content else {
      throw ImportError(
        line: root.line, column: 1, message: "expected a collection of Postman with a list 'item'")
    }
    let name = root["info"]?["name"]?.text ?? "collection"
    var start = PostmanGroup(name: name)
    start.enter(root)
    collect(root, in: start)
  }

  /// Collects the requests of a folder, and then those of the folders in it.
  private mutating func collect(_ folder: PlacedJSON, in group: PostmanGroup) {
    var (group, folders, ids) = (group, [(PlacedJSON, PostmanGroup)](), [String: Int]())
    for item in folder["item"]?.elements ?? [] {
      guard item["item"] != nil else {
        group.requests.append(item)
        continue
      }
      let name = item["name"]?.text ?? "folder"
      ids[name, default: 0] += 1
      var inner = group
      inner.requests = []
      inner.path.append(name)
      inner.id = item["id"]?.string ?? item["_postman_id"]?.string
      inner.numbers.append(ids[name] ?? 1)
      inner.enter(item)
      folders.append((item, inner))
    }
    if !group.requests.isEmpty { groups.append(group) }
    for (item, inner) in folders { collect(item, in: inner) }
  }

  /// Returns all requests as one scenario, in the order of the folders.
  func scenario() throws(ImportError) -> ImportedScenario {
    var builder = PostmanScenario(variables: PostmanVariables(root, environments))
    for group in groups { try builder.add(group) }
    return builder.finished(named: groups.first?.name ?? "collection", tags: [])
  }

  /// Returns the requests of each folder as a scenario.
  func scenarios() throws(ImportError) -> [(group: PostmanGroup, scenario: ImportedScenario)] {
    var builders: [PostmanScenario] = []
    for group in groups {
      var builder = PostmanScenario(variables: PostmanVariables(root, environments))
      try builder.add(group)
      builders.append(builder)
    }
    // Variables of other folders are known only after all of them are read.
    let set = Set(builders.flatMap(\.setVariables))
    return zip(groups, builders).map { group, builder in
      var builder = builder
      builder.noteInputs(setElsewhere: set)
      let tags = group.path.map { FileName($0, or: "folder").text }
      return (group, builder.finished(named: group.path.last ?? group.name, tags: tags))
    }
  }
}

/// The requests of one folder, with everything that they inherit.
struct PostmanGroup {
  let name: String
  /// The names of the folders, from the outside in.
  var path: [String] = []
  /// The numbers of folders with an equal name, from 1.
  var numbers: [Int] = []
  /// The folder's own id, or nil.
  var id: String?
  var requests: [PlacedJSON] = []
  private(set) var auth: PlacedJSON?
  private(set) var events: [PlacedJSON] = []
  /// The variables of the folders.
  private(set) var variables: [PlacedJSON] = []

  init(name: String) { self.name = name }

  /// Adds what a folder or a collection hands down.
  mutating func enter(_ item: PlacedJSON) {
    if let own = item["auth"] { auth = own }
    events += item["event"]?.elements ?? []
    if !path.isEmpty { variables += item["variable"]?.elements ?? [] }
  }

  /// The name that stays the same as long as the folder has its id, or its place and name.
  var stableID: String {
    if let id { return "folder \(id)" }
    let parts = zip(path, numbers).map { $1 == 1 ? $0 : "\($0) #\($1)" }
    return parts.isEmpty ? "collection" : parts.joined(separator: " / ")
  }
}

/// The known values of a collection's variables.
struct PostmanVariables {
  struct Known {
    let value: String
    let isSecret: Bool
    let line: Int
  }

  private(set) var known: [String: Known] = [:]
  /// The parts that were left out, with their lines.
  private(set) var notes: [ImportNote] = []

  /// The variables of a collection, replaced by those of environments.
  init(_ root: PlacedJSON, _ environments: [PlacedJSON]) {
    add(root["variable"]?.elements ?? [], line: nil)
    for environment in environments {
      // The lines of another file mean nothing here.
      add(environment["values"]?.elements ?? [], line: 1)
    }
  }

  mutating func add(_ list: [PlacedJSON], line: Int? = nil) {
    for variable in list {
      guard let name = variable["key"]?.text ?? variable["id"]?.text, !name.isEmpty else {
        continue
      }
      if variable["disabled"]?.bool == true || variable["enabled"]?.bool == false {
        notes.append(
          ImportNote(
            line: line ?? variable.line, message: "the disabled variable '\(name)' is left out"))
        continue
      }
      let value = variable["value"]?.text ?? variable["initial"]?.text ?? ""
      let isSecret = variable["type"]?.text == "secret"
      known[name] = Known(value: value, isSecret: isSecret, line: line ?? variable.line)
    }
  }
}

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
