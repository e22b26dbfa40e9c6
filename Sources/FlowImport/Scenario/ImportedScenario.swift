internal import FlowCore

/// Something that the reader of an imported scenario has to know.
package struct ImportNote: Sendable, Hashable {
  /// The line in the file that was read, from 1.
  package let line: Int
  /// What it is: lower case, no full stop.
  package let message: String
}

/// A file that cannot be read as what it is taken for.
package struct ImportError: Error, Sendable, Hashable {
  /// The line, from 1.
  package let line: Int
  /// The column, from 1, in unicode scalars.
  package let column: Int
  /// What is wrong: lower case, no full stop.
  package let message: String
}

/// What was read from a file of requests.
struct ImportedScenario: Sendable {
  private(set) var requests: [ImportedRequest] = []
  private(set) var inputs: [Input] = []
  private(set) var notes: [ImportNote] = []
  /// The inputs of secrets by their values.
  private(set) var secrets: [String: String] = [:]
  /// The names of values that are too short to be secrets.
  private var shortNames: Set<String> = []
  private var variables: [String: String] = [:]
  private var taken: Set<String> = []
  private var ids: Set<String> = []
  /// The requests by their ids.
  private var places: [String: Int] = [:]
  private var nextNumber: [String: Int] = [:]

  struct Input: Sendable {
    let name: String
    var type: String
    var isSecret: Bool
  }

  static let mostRequests = 10_000

  mutating func note(_ line: Int, _ message: String) {
    let note = ImportNote(line: line, message: message)
    if notes.last != note { notes.append(note) }
  }

  /// Notes what is not supported, and has the step say it too.
  mutating func leaveOut(_ what: String, of request: inout ImportedRequest, line: Int) {
    note(line, "\(what) is not supported")
    request.remarks.append("line \(line): \(what) is not supported")
  }

  /// The same of a condition, beside the others.
  mutating func leaveOutCondition(_ what: String, of request: inout ImportedRequest, line: Int) {
    note(line, "\(what) is not supported")
    request.remark("line \(line): \(what) is not supported")
  }

  /// Adds a request.
  ///
  /// - Throws: `ImportError` when there are too many of them.
  mutating func append(_ request: ImportedRequest) throws(ImportError) {
    guard requests.count < Self.mostRequests else {
      throw ImportError(
        line: request.line, column: 1, message: "there are more than \(Self.mostRequests) requests")
    }
    var request = request
    leaveOutRefusedParts(of: &request)
    places[request.id] = requests.count
    requests.append(request)
  }

  /// Leaves out the parts that no client can send together, which `flow check` would refuse (F1220).
  private mutating func leaveOutRefusedParts(of request: inout ImportedRequest) {
    if request.method == "HEAD", request.body.isThere {
      request.body = .none
      leaveOut("the body of a HEAD request", of: &request, line: request.line)
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

  /// Notes where requests that share their cookies in the file have several components.
  mutating func noteComponents() {
    guard let first = requests.first,
      let other = requests.first(where: { $0.settings != first.settings })
    else { return }
    note(
      other.line,
      "this request has other settings, so it uses another component and does not share cookies"
        + " with the first"
    )
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

  /// An id for the step of a request, such as `get_items`.
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

  /// An id for a step that makes a UUID.
  mutating func newUUID() -> String { unused("uuid", in: \.ids) }

  // MARK: - Inputs

  /// An input of this name, made when it is read first; `any` where it stands for a value that is not text.
  mutating func input(_ name: String, isText: Bool = true) -> ImportedText {
    let known = variables[name] ?? unused(name.scenarioName(or: "input"), in: \.taken)
    if variables.updateValue(known, forKey: name) == nil {
      let isSecret = SecretNames.isSecret(name)
      inputs.append(Input(name: known, type: "string", isSecret: isSecret))
    }
    if !isText, let index = inputs.firstIndex(where: { $0.name == known && !$0.isSecret }) {
      inputs[index].type = "any"
    }
    return ImportedText(expression: "inputs.\(known)")
  }

  /// True if an input stands for a variable.
  func hasInput(_ name: String) -> Bool { variables[name] != nil }

  /// The value of a secret: what is written becomes a secret input behind its scheme, such as `Bearer`, and inputs
  /// that are read become secret.
  mutating func hidden(_ value: ImportedText, of name: String, line: Int) -> ImportedText {
    for case .expression(let code) in value.pieces { hideInputs(readBy: code) }
    let isWhole = value.literal != nil
    let scheme = value.beginning.scheme
    let rest = value.dropFirst(scheme.utf8.count)
    return ImportedText(scheme)
      + rest.mapLiterals { literal in
        if literal.canBeHidden { return self.secret(name, literal, line: line) }
        // What is written beside an expression is a part of the value, and no secret alone.
        if isWhole { self.noteShort(name, literal, line) }
        return ImportedText(literal)
      }
  }

  /// The value that one of this name is compared with: a secret as a whole, since what is written beside expressions
  /// says how it looks.
  mutating func compared(_ value: ImportedText, of name: String, line: Int) -> ImportedText {
    let isMixed = value.dropFirst(value.beginning.scheme.utf8.count).pieces.count > 1
    guard isMixed, SecretNames.isSecret(name) else {
      return self.value(value, of: name, line: line)
    }
    for case .expression(let code) in value.pieces { hideInputs(readBy: code) }
    return text(value, line: line)
  }

  private mutating func hideInputs(readBy code: String) {
    // An input in a path does not say what the answer has there.
    if code.contains("steps.") { return }
    let parts = code.split(separator: "inputs.", omittingEmptySubsequences: false)
    for part in parts.dropFirst() {
      let name = part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard let index = inputs.firstIndex(where: { $0.name == name }) else { continue }
      inputs[index].isSecret = true
      inputs[index].type = "string"
    }
  }

  /// A secret input in place of a value; the same one wherever the value stands.
  private mutating func secret(_ name: String, _ value: String, line: Int) -> ImportedText {
    if let known = secrets[value] { return ImportedText(expression: "inputs.\(known)") }
    let input = unused(name.lowercased().scenarioName(or: "secret"), in: \.taken)
    secrets[value] = input
    inputs.append(Input(name: input, type: "string", isSecret: true))
    note(line, "the value of '\(name)' was removed; pass it with --secret \(input)=@FILE")
    return ImportedText(expression: "inputs.\(input)")
  }

  private mutating func noteShort(_ name: String, _ value: String, _ line: Int) {
    guard !value.trimmed.isEmpty, shortNames.insert(name).inserted else { return }
    note(
      line,
      "the value of '\(name)' stays in the scenario; with fewer than 4 bytes it cannot be hidden")
  }

  /// A number of a secret name as a secret input, which is a text, made a number again; nil for one that stays.
  mutating func number(_ text: String, of name: String, line: Int) -> ImportedText? {
    guard SecretNames.isSecretNumber(name) else { return nil }
    guard text.canBeHidden else {
      noteShort(name, text, line)
      return nil
    }
    let code = secret(name, text, line: line).code
    return ImportedText(expression: Int(text) == nil ? "double(\(code))" : "int(\(code))")
  }
}

extension String {
  /// Whether a run hides the text as a secret: shorter ones stand everywhere by chance (F1404).
  fileprivate var canBeHidden: Bool { trimmed.utf8.count >= 4 }
}
