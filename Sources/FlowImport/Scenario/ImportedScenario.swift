internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// A remark for the reader of an imported scenario.
package struct ImportNote: Sendable, Hashable {
  /// The path of the file in an imported folder, or nil.
  package var file: String?
  /// The line in the imported file, from 1.
  package var line: Int
  /// The remark in lower case, without a full stop.
  package let message: String
}

/// The error for a file that cannot be read in the assumed format.
package struct ImportError: Error, Sendable, Hashable {
  /// The line, from 1.
  package let line: Int
  /// The column, from 1, in unicode scalars.
  package let column: Int
  /// The problem in lower case, without a full stop.
  package let message: String
}

extension ImportError {
  /// Creates an error at a byte of a text, from 0.
  init(at offset: Int, in bytes: [UInt8], _ message: String) {
    let before = bytes[..<min(offset, bytes.count)]
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
    let line = before.count { $0 == 0x0A } + 1
    self.init(line: line, column: column, message: message)
  }
}

/// The content of a file of requests.
struct ImportedScenario: Sendable {
  /// The name in reports, empty for none.
  var name = ""
  var tags: [String] = []
  /// The contents of the files that requests send, by their names, where they are known.
  var files: [String: String] = [:]
  /// True if its components are called in every test.
  var isLive = false
  /// The files of its lines, none for a single file.
  var lines = SourceLines()
  private(set) var requests: [ImportedRequest] = []
  private(set) var inputs: [Input] = []
  private(set) var notes: [ImportNote] = []
  /// The inputs of secrets by their values.
  private(set) var secrets: [String: String] = [:]
  /// The names of values too short to be secrets.
  private var shortNames: Set<String> = []
  private var variables: [String: String] = [:]
  /// The variables set by steps to texts.
  var textVariables: Set<String> = []
  /// The comments after the last request.
  var lastComments: [String] = []
  private var taken: Set<String> = []
  private var ids: Set<String> = []
  /// The requests by their ids.
  private var places: [String: Int] = [:]
  private var nextNumber: [String: Int] = [:]

  struct Input: Sendable {
    let name: String
    var type: String
    var isSecret: Bool
    /// The known value, or nil.
    var defaultValue: String?
    /// The line of the answer with its value, or nil for a value of the requests.
    ///
    /// Such an input is written only if a request has the value, too.
    var answerLine: Int?
  }

  static let mostRequests = 10_000

  mutating func note(_ line: Int, _ message: String) {
    let note = ImportNote(line: line, message: message)
    if notes.last != note { notes.append(note) }
  }

  /// Notes an unsupported part, also in a comment at the step.
  mutating func leaveOut(_ what: String, of request: inout ImportedRequest, line: Int) {
    note(line, "\(what) is not supported")
    request.remarks.append("\(place(of: line)): \(what) is not supported")
  }

  /// Notes an unsupported condition, also in a comment at the other conditions.
  mutating func leaveOutCondition(_ what: String, of request: inout ImportedRequest, line: Int) {
    note(line, "\(what) is not supported")
    request.remark("\(place(of: line)): \(what) is not supported")
  }

  private func place(of line: Int) -> String {
    lines.place(of: line).map { "\($0.file.onOneLine), line \($0.line)" } ?? "line \(line)"
  }

  /// Sorts the notes by their lines.
  mutating func sortNotes() {
    notes = notes.enumerated()
      .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
  }

  /// The notes with the files and the lines there.
  var placedNotes: [ImportNote] {
    notes.map { note in
      guard let place = lines.place(of: note.line) else { return note }
      return ImportNote(file: place.file, line: place.line, message: note.message)
    }
  }

  /// Adds a request.
  ///
  /// - Throws: `ImportError` if the file has too many requests.
  mutating func append(_ request: ImportedRequest) throws(ImportError) {
    guard requests.count < Self.mostRequests else {
      throw ImportError(
        line: request.line, column: 1, message: "there are more than \(Self.mostRequests) requests")
    }
    var request = request
    request.settle()
    leaveOutRefusedParts(of: &request)
    let read = request.conditions.map(\.code) + request.captures.map(\.code)
    if read.contains(where: { $0.contains("steps.\(request.id).") }) { request.needsID = true }
    places[request.id] = requests.count
    requests.append(request)
  }

  /// Leaves out the parts that no client can send together, which `flow check` would refuse (F1220).
  private mutating func leaveOutRefusedParts(of request: inout ImportedRequest) {
    if request.method == "HEAD", request.body.isThere {
      request.body = .none
      request.absentHeaders.removeAll { $0 == "content-type" }
      leaveOut("the body of a HEAD request", of: &request, line: request.line)
    }
    if request.settings.needsServer, ScenarioText.parts(of: request.url) == nil {
      request.settings.remove { $0 == "unix_socket" }
      leaveOut("a socket of this address", of: &request, line: request.line)
    }
    if request.settings.needsServer, request.settings["proxy"] != nil {
      request.settings.remove { $0.hasPrefix("proxy") }
      leaveOut("a proxy beside a socket", of: &request, line: request.line)
    }
    for name in ["content-length", "transfer-encoding"] where request.header(name) != nil {
      request.removeHeader(name)
      leaveOut("the header '\(name)'", of: &request, line: request.line)
    }
    let broken = request.headers.filter(\.value.hasControlCharacter).map(\.name)
    for name in broken.map({ $0.lowercased() }).unique {
      request.removeHeader(name)
      leaveOut("the header '\(name)' with a control character", of: &request, line: request.line)
    }
    if let type = request.body.contentType, let given = request.header("content-type")?.literal,
      !given.lowercased().hasPrefix(type)
    {
      request.removeHeader("content-type")
      leaveOut("the type '\(given)' of this body", of: &request, line: request.line)
    }
  }

  /// Has a step keep its id, since an expression reads its answer.
  mutating func keepID(_ id: String) {
    if let index = places[id] { requests[index].needsID = true }
  }

  /// Hides a part of a step's answer, such as `json.token`.
  mutating func hide(_ place: String, ofStep id: String) {
    if let index = places[id] { requests[index].hide(place) }
  }

  /// Notes requests with several components that share their cookies in the file.
  mutating func noteComponents() {
    guard let first = requests.first,
      let other = requests.first(where: { $0.settings != first.settings })
    else { return }
    note(
      other.line,
      "this request has different settings, so it uses another component and does not share cookies"
        + " with the first"
    )
  }

  /// Has the requests ask for responses without compression, except some of them.
  mutating func acceptNoCodings(except coded: Set<Int>) {
    for index in requests.indices where !coded.contains(index) {
      // The component of a file is one, because it keeps the cookies.
      if coded.isEmpty {
        requests[index].settings.decompress = false
      } else {
        requests[index].absentHeaders.append("accept-encoding")
      }
    }
  }

  /// Lets the values of these variables have any type.
  mutating func loosen(_ names: Set<String>) {
    if names.isEmpty { return }
    for index in requests.indices { requests[index].loosen(names) }
  }

  // MARK: - Names

  private mutating func unused(_ name: String, in names: WritableKeyPath<Self, Set<String>>)
    -> String
  {
    // Without regard to case: 'token' and 'TOKEN' would be read from one variable of the environment.
    let key = name.lowercased()
    if self[keyPath: names].insert(key).inserted { return name }
    // Counted on from the last one: many requests go to one path.
    var number = nextNumber[key] ?? 2
    while !self[keyPath: names].insert("\(key)_\(number)").inserted { number += 1 }
    nextNumber[key] = number + 1
    return "\(name)_\(number)"
  }

  /// Returns a new id for the step of a request, such as `get_items`.
  mutating func newID(of request: ImportedRequest) -> String {
    let parts = request.url.pieces.enumerated().map { index, piece in
      // An expression at the beginning is the server.
      if case .literal(let text) = piece { text } else { index == 0 ? "server" : "" }
    }
    let text = parts.joined()
    let path = text.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    let last = path.count > 1 ? String(path[path.count - 1]) : ""
    let method = request.method.lowercased().scenarioName(or: "request")
    return unused(
      last.scenarioName(or: "").isEmpty
        ? method
        : method + "_"
          + last.scenarioName(or: ""), in: \.ids)
  }

  /// Returns a new id for a step before a request.
  mutating func newID(like name: String) -> String { unused(name, in: \.ids) }

  /// Returns a new id for another step.
  mutating func newStep(_ name: String) -> String { unused(name, in: \.ids) }

  // MARK: - Inputs

  /// Returns the input of this name, created at its first use, with type `any` if it is not text.
  mutating func input(_ name: String, isText: Bool = true) -> ImportedText {
    let known = variables[name] ?? unused(name.scenarioName(or: "input"), in: \.taken)
    if variables.updateValue(known, forKey: name) == nil {
      let isSecret = CredentialNames.isSecret(name)
      inputs.append(Input(name: known, type: "string", isSecret: isSecret))
    }
    if !isText, let index = inputs.firstIndex(where: { $0.name == known && !$0.isSecret }) {
      inputs[index].type = "any"
    }
    return ImportedText(expression: "inputs.\(known)")
  }

  /// Returns the input that all requests share with the same name, type and default.
  mutating func sharedInput(
    _ name: String, type: String = "string", isSecret: Bool = false, default value: String? = nil
  ) -> ImportedText {
    let key = "\(name)\n\(type)\n\(value ?? "")"
    if let known = variables[key] { return ImportedText(expression: "inputs.\(known)") }
    let input = unused(name.scenarioName(or: "input"), in: \.taken)
    variables[key] = input
    inputs.append(
      Input(
        name: input, type: isSecret ? "string" : type, isSecret: isSecret, defaultValue: value))
    return ImportedText(expression: "inputs.\(input)")
  }

  /// Sets the default of an input, unless it is secret.
  mutating func setDefault(_ value: String, of input: ImportedText) {
    guard let index = index(of: input), !inputs[index].isSecret else { return }
    inputs[index].defaultValue = value
  }

  /// Makes an input secret.
  mutating func hideInput(_ input: ImportedText) {
    if let index = index(of: input) { hideInput(at: index) }
  }

  /// Writes secrets of these names into the scenario, because only tests have them.
  mutating func show(_ names: Set<String>) {
    for index in inputs.indices where inputs[index].isSecret && names.contains(inputs[index].name) {
      guard let value = secrets.first(where: { $0.value == inputs[index].name })?.key else {
        continue
      }
      secrets[value] = nil
      (inputs[index].isSecret, inputs[index].defaultValue) = (false, value)
    }
  }

  /// Declares the parts of answers that differ from run to run, by the numbers of their requests.
  mutating func vary(_ places: [Int: [String]]) {
    for (number, places) in places where requests.indices.contains(number) {
      requests[number].volatilePlaces = places
    }
  }

  private func index(of input: ImportedText) -> Int? {
    inputs.firstIndex { "inputs.\($0.name)" == input.code }
  }

  private mutating func hideInput(at index: Int) {
    inputs[index].isSecret = true
    inputs[index].type = "string"
    guard let value = inputs[index].defaultValue else { return }
    inputs[index].defaultValue = nil
    if value.canBeHidden, secrets[value] == nil { secrets[value] = inputs[index].name }
  }

  /// Returns true if a variable has become an input.
  func hasInput(_ name: String) -> Bool { variables[name] != nil }

  /// Returns a secret value with its literals as secret inputs after their scheme, such as
  /// `Bearer`.
  ///
  /// The inputs read by the value become secret.
  mutating func hidden(_ value: ImportedText, of name: String, line: Int) -> ImportedText {
    for case .expression(let code) in value.pieces { hideInputs(readBy: code) }
    let isWhole = value.literal != nil
    let scheme = value.beginning.scheme
    let rest = value.dropFirst(scheme.utf8.count)
    return ImportedText(scheme)
      + rest.mapLiterals { literal in
        if literal.canBeHidden { return self.secret(name, literal, line: line) }
        // A literal beside an expression is a part of the value, and no secret alone.
        if isWhole { self.noteShort(name, literal, line) }
        return ImportedText(literal)
      }
  }

  /// Returns the value compared with a secret of this name.
  ///
  /// The value is secret as a whole, since literals beside expressions show its form.
  mutating func compared(_ value: ImportedText, of name: String, line: Int) -> ImportedText {
    let isMixed = value.dropFirst(value.beginning.scheme.utf8.count).pieces.count > 1
    guard isMixed, CredentialNames.isSecret(name) else {
      return self.value(value, of: name, line: line)
    }
    for case .expression(let code) in value.pieces { hideInputs(readBy: code) }
    return text(value, line: line)
  }

  private mutating func hideInputs(readBy code: String) {
    // An input in a path does not reveal the answer's value there.
    if code.contains("steps.") { return }
    let parts = code.split(separator: "inputs.", omittingEmptySubsequences: false)
    for part in parts.dropFirst() {
      let name = part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard let index = inputs.firstIndex(where: { $0.name == name }) else { continue }
      hideInput(at: index)
    }
  }

  /// Returns a secret input in place of a value, the same one for every occurrence of the value.
  private mutating func secret(_ name: String, _ value: String, line: Int) -> ImportedText {
    if let known = secrets[value] { return ImportedText(expression: "inputs.\(known)") }
    let input = unused(name.lowercased().scenarioName(or: "secret"), in: \.taken)
    secrets[value] = input
    inputs.append(Input(name: input, type: "string", isSecret: true))
    note(line, "the value of '\(name)' was removed; pass it with --secret \(input)=@FILE")
    return ImportedText(expression: "inputs.\(input)")
  }

  /// Hides a value of an answer wherever a request has it.
  mutating func know(secret value: String, named name: String, line: Int) {
    guard secrets[value] == nil, value.canBeHidden else { return }
    let input = unused(name, in: \.taken)
    secrets[value] = input
    inputs.append(Input(name: input, type: "string", isSecret: true, answerLine: line))
  }

  /// Hides a text that contains the secret of an input in an encoding.
  mutating func know(encoded text: String, of input: String, line: Int) {
    guard secrets[text] == nil, text.canBeHidden else { return }
    let name = unused(input, in: \.taken)
    secrets[text] = name
    inputs.append(Input(name: name, type: "string", isSecret: true))
    note(
      line,
      "a text with the value of '\(input)' in another encoding was removed; "
        + "pass it with --secret \(name)=@FILE")
  }

  /// Notes the inputs with values of answers that a scenario reads.
  mutating func noteAnswers(readBy text: String) {
    for input in inputs {
      guard let line = input.answerLine, text.contains("\n  \(input.name): {type") else { continue }
      note(
        line,
        "the value of '\(input.name)' was removed; pass it with --secret \(input.name)=@FILE")
    }
  }

  private mutating func noteShort(_ name: String, _ value: String, _ line: Int) {
    guard !value.trimmed.isEmpty, shortNames.insert(name).inserted else { return }
    note(
      line,
      "the value of '\(name)' stays in the scenario; with fewer than 4 bytes it cannot be hidden")
  }

  /// Returns the secret input for a number of a secret name, converted from text to a number.
  ///
  /// Nil for a harmless number.
  mutating func number(_ text: String, of name: String, line: Int) -> ImportedText? {
    guard CredentialNames.isSecretNumber(name) else { return nil }
    guard text.canBeHidden else {
      noteShort(name, text, line)
      return nil
    }
    let code = secret(name, text, line: line).code
    return ImportedText(expression: Int(text) == nil ? "double(\(code))" : "int(\(code))")
  }
}

extension String {
  /// True if a run hides the text as a secret, since shorter ones occur everywhere by chance
  /// (F1404).
  var canBeHidden: Bool { trimmed.utf8.count >= 4 }
}
