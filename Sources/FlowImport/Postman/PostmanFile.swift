internal import FlowRedaction
internal import FlowSystem

/// Reads a collection of Postman, version 2.0 or 2.1.
///
/// All its requests become one scenario, or those of each folder a separate one.
struct PostmanFile {
  private let root: PlacedJSON
  private let environments: [PlacedJSON]
  private let dialect: ScriptDialect
  private let lines: SourceLines
  /// The folders, each before those in it.
  private var groups: [PostmanGroup] = []
  /// The requests in the order of the file, with the indices of their folders.
  private var order: [(item: PlacedJSON, group: Int)] = []

  /// - Throws: `ImportError` for invalid JSON, and for a file without a list of items.
  init(_ bytes: [UInt8], environments: [PlacedJSON]) throws(ImportError) {
    let root = try PlacedJSON.read(bytes)
    guard case .array? = root["item"]?.content else {
      throw ImportError(
        line: root.line, column: 1, message: "expected a collection of Postman with a list 'item'")
    }
    self.init(root, environments: environments, dialect: .postman)
  }

  /// Creates a collection that another tool's requests were converted to.
  ///
  /// `lines` has the files of its lines, none for a single file.
  init(
    _ root: PlacedJSON, environments: [PlacedJSON], dialect: ScriptDialect,
    lines: SourceLines = SourceLines()
  ) {
    (self.root, self.environments, self.dialect) = (root, environments, dialect)
    self.lines = lines
    let name = root["info"]?["name"]?.text ?? "collection"
    var start = PostmanGroup(name: name)
    start.enter(root)
    collect(root, in: start)
  }

  /// Collects the requests of a folder and of those in it, in the order in which Postman runs them.
  private mutating func collect(_ folder: PlacedJSON, in group: PostmanGroup) {
    var ids: [String: Int] = [:]
    let index = groups.count
    groups.append(group)
    for item in folder["item"]?.elements ?? [] {
      guard item["item"] != nil else {
        groups[index].requests.append(item)
        order.append((item, index))
        continue
      }
      let name = item["name"]?.text ?? "folder"
      ids[name, default: 0] += 1
      var inner = group
      inner.path.append(name)
      inner.id = item["id"]?.string ?? item["_postman_id"]?.string
      inner.numbers.append(ids[name] ?? 1)
      inner.enter(item)
      collect(item, in: inner)
    }
  }

  /// Returns all requests as one scenario, in the order of the file.
  func scenario() throws(ImportError) -> ImportedScenario {
    var builder = builder()
    var rest = order[...]
    while let first = rest.first {
      let run = rest.prefix { $0.group == first.group }
      try builder.add(run.map(\.item), of: groups[first.group])
      rest = rest.dropFirst(run.count)
    }
    return builder.finished(named: groups.first?.name ?? "collection", tags: [])
  }

  private func builder() -> PostmanScenario {
    var builder = PostmanScenario(
      variables: PostmanVariables(root, environments), dialect: dialect)
    builder.scenario.lines = lines
    return builder
  }

  /// Returns the requests of each folder as a scenario.
  func scenarios() throws(ImportError) -> [(group: PostmanGroup, scenario: ImportedScenario)] {
    var builders: [PostmanScenario] = []
    let groups = groups.filter { !$0.requests.isEmpty }
    for group in groups {
      var builder = builder()
      try builder.add(group.requests, of: group)
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
  /// The notes on parts of a folder that are not supported.
  private(set) var leftOut: [PlacedJSON] = []
  /// The variables of the folders.
  private(set) var variables: [PlacedJSON] = []

  init(name: String) { self.name = name }

  /// Adds what a folder or a collection hands down.
  mutating func enter(_ item: PlacedJSON) {
    if let own = item["auth"] { auth = own }
    events += item["event"]?.elements ?? []
    leftOut += item["leftOut"]?.elements ?? []
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
      for part in environment["leftOut"]?.elements ?? [] {
        notes.append(ImportNote(line: 1, message: part.text ?? ""))
      }
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
  private(set) var variables: PostmanVariables
  /// The language of its scripts.
  let dialect: ScriptDialect
  /// The variables of the scenario, by the names in scripts.
  private(set) var set: [String: String] = [:]
  /// The kinds of the values that scripts set, by the names of the scenario.
  private var kinds: [String: [ScriptValue.Kind]] = [:]
  /// The variables that became inputs, with their first lines.
  private var inputs: [(name: String, line: Int)] = []
  /// The variables of the present request alone.
  private var ownNames: Set<String> = []
  /// The values of variables that are the defaults of inputs.
  private var values: [String: String] = [:]
  /// The inputs with known values.
  private var defaults: [String: String] = [:]
  /// The variables whose values are being written, against circles.
  private(set) var open: [String] = []
  /// The ids of requests that others refer to, by the names that they have for it.
  private(set) var labels: [String: String] = [:]
  /// The draws before the present request.
  var draws: [ImportedRequest.Preparation] = []
  private var examples: (count: Int, line: Int) = (0, 0)
  /// The folders whose parts without support are noted.
  private var noted: Set<String> = []

  init(variables: PostmanVariables, dialect: ScriptDialect = .postman) {
    (self.variables, self.dialect) = (variables, dialect)
    for note in variables.notes { scenario.note(note.line, note.message) }
  }

  /// The names of variables that scripts set.
  var setVariables: [String] { Array(set.keys) }

  /// Adds requests of a folder, with everything that it hands down to them.
  mutating func add(
    _ requests: [PlacedJSON], of group: PostmanGroup
  ) throws(ImportError) {
    let outer = variables
    variables.add(group.variables)
    for note in variables.notes.dropFirst(outer.notes.count) {
      scenario.note(note.line, note.message)
    }
    if noted.insert(group.stableID).inserted {
      for note in group.leftOut { scenario.note(note.line, note.string ?? "") }
    }
    for item in requests { try add(item, of: group) }
    variables = outer
  }

  private mutating func add(_ item: PlacedJSON, of group: PostmanGroup) throws(ImportError) {
    let responses = item["response"]?.elements ?? []
    if examples.count == 0, let first = responses.first { examples.line = first.line }
    examples.count += responses.count
    guard let json = item["request"] else {
      let what = item["left"]?.string ?? "an item without a request"
      return scenario.note(item.line, "\(what) is left out")
    }
    draws = []
    let outer = variables
    let own = item["variable"]?.elements ?? []
    variables.add(own)
    ownNames = Set(own.compactMap { $0["key"]?.text })
    defer { variables = outer }
    let events = group.events + (item["event"]?.elements ?? [])
    let leftOut = prepare(events)
    guard var request = self.request(json, of: item, group) else { return }
    request.name = ImportedText(item["name"]?.text?.onOneLine ?? "")
    request.id = scenario.newID(of: request)
    run(events, of: &request, leftOut: leftOut)
    for part in item["leftOut"]?.elements ?? [] {
      scenario.leaveOut(part.string ?? "", of: &request, line: part.line)
    }
    if let label = item["label"]?.string { labels[label] = request.id }
    request.preparations = draws
    request.needsID = !request.captures.isEmpty || !request.conditions.isEmpty
    try scenario.append(request)
  }

  func finished(named name: String, tags: [String]) -> ImportedScenario {
    var copy = scenario
    copy.loosen(Set(kinds.filter { kind in kind.value.contains { $0 != kind.value[0] } }.keys))
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
    if name.hasPrefix("process.env.") { return variable(String(name.dropFirst(12)), line: line) }
    if let answer = answer(name, line: line) { return answer }
    if name.hasPrefix("$"), let drawn = drawn(name, line: line) { return drawn }
    guard let known = variables.known[name], !known.value.isEmpty, !open.contains(name),
      open.count < 8
    else { return input(name, line: line, isText: isText) }
    let looksSecret =
      !known.value.isReference && CredentialNames.isSecret(name, holding: known.value)
    if known.isSecret || looksSecret {
      return secret(name, known, isText: isText)
    }
    if known.value.contains("{{") {
      open.append(name)
      defer { open.removeLast() }
      return text(known.value, line: known.line)
    }
    let value = scenario.text(ImportedText(known.value), line: known.line)
    guard value.literal != nil, !ownNames.contains(name) else { return value }
    // An input has one default: other values of the name are written where they count.
    if let other = values[name], other != known.value { return value }
    values[name] = known.value
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
      if let value = editorValue(name, line: line) { return value }
      let input = input(String(name.dropFirst()), line: line, isText: true)
      let shown = input.code.dropFirst("inputs.".utf8.count)
      scenario.note(line, "'{{\(name.onOneLine)}}' is not supported; it is the input '\(shown)'")
      return input
    }
  }

  mutating func draw(
    _ name: String, _ plugin: String, _ operation: String, _ with: [(String, String)],
    _ field: String
  ) -> ImportedText {
    let id = scenario.newStep(name)
    let fields = with.map { ImportedRequest.Preparation.Field(name: $0.0, value: $0.1) }
    draws.append(
      .init(id: id, kind: .draw(plugin: plugin, operation: operation, with: fields)))
    return ImportedText(expression: "steps.\(id)\(field)")
  }

  /// Returns the variable of the scenario for one that a script sets to a value of this kind.
  mutating func newVariable(_ name: String, of kind: ScriptValue.Kind) -> String {
    let variable = newVariable(name)
    kinds[variable, default: []].append(kind)
    return variable
  }

  private mutating func newVariable(_ name: String) -> String {
    if let known = set[name] { return known }
    var variable = name.scenarioName(or: "variable")
    let isReserved = ["inputs", "steps", "loop", "it"].contains(variable) || !variable.isFieldName
    if isReserved { variable += "_value" }
    while set.values.contains(variable) { variable += "_2" }
    set[name] = variable
    return variable
  }

  /// The value that the collection or an environment gives to a variable, or nil.
  func knownValue(of name: String) -> String? {
    set[name] == nil ? variables.known[name]?.value : nil
  }

  /// The known value of an input that starts an address, or nil.
  func known(_ text: ImportedText) -> String? {
    guard case .expression(let code)? = text.pieces.first else { return nil }
    return defaults[code]
  }
}

extension String {
  /// True for `{{name}}` alone, whose value is not in the file.
  fileprivate var isReference: Bool {
    hasPrefix("{{") && hasSuffix("}}")
      && !dropFirst(2).dropLast(2).contains { $0 == "{" || $0 == "}" }
  }
}
