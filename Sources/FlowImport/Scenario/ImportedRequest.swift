/// A request of the file, with the expectations of its answer.
struct ImportedRequest: Sendable {
  /// The line of its start, from 1.
  var line: Int
  var method: String
  var url: ImportedText
  var query: [(name: String, value: ImportedText)] = []
  private(set) var headers: [(name: String, value: ImportedText)] = []
  /// The headers that the request does not have, though the component would add them.
  var absentHeaders: [String] = []
  /// The index of each header's first value by its name in small letters.
  private var headerPlaces: [String: Int] = [:]
  var body = Body.none
  /// A file for the answer's body.
  var output: String?
  /// True to send the path as it is written.
  var keepsPath = false
  /// The authentication of this request alone, as `auth` has it, or nil for that of its component.
  var authentication: ImportedValue?
  var settings = Settings()
  /// The id of its step, written only if an expression uses it.
  var id = ""
  var needsID = false
  /// The steps before it, whose answers it reads.
  var preparations: [Preparation] = []
  /// The name of its step, empty for none.
  var name = ImportedText()
  /// The delay before it, empty for none.
  var delay = ""
  var timeout = ""
  var retry: (attempts: Int, backoff: String)?
  /// The number of its repetitions, and the id of their loop, or nil for a single request.
  var repetition: (count: Int, id: String)?
  var expected: [ImportedValue.Entry] = []
  /// The names of the exactly expected fields.
  private(set) var exact: Set<String> = []
  /// The conditions on the answer, which they read as `subject`.
  private(set) var conditions: [Condition] = []
  /// The variables set from the answer.
  private(set) var captures: [Capture] = []
  /// The parts of its answer to hide.
  private(set) var secretPlaces: [String] = []
  /// The parts of its answer that differ from run to run.
  var volatilePlaces: [String] = []
  /// True if its conditions and variables are written in their order, and not all variables first.
  var keepsOrder = false
  /// The unsupported parts, for a comment at the step.
  var remarks: [String] = []
  /// The same, for a comment at the next condition.
  private var remarksOfNext: [String] = []

  struct Condition: Sendable {
    let remarks: [String]
    let code: String
    /// The number of variables that are set before it.
    let setsBefore: Int
    /// The conditions that it assumes.
    var guards: [String] = []
    /// The field that it compares with a plain value, with the names on the way.
    var equality: (place: [String], value: ImportedValue)?
  }

  /// A step that sets a variable.
  struct Capture: Sendable {
    let remarks: [String]
    let name: String
    var code: String
  }

  /// A call before the request.
  struct Preparation: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case uuid
      case file(ImportedText)
      /// An operation that answers with a random value or with the time, and its fields.
      case draw(plugin: String, operation: String, with: [Field])
      /// A condition on what is known before.
      case check(String)
      /// A variable set to the value of an expression.
      case set(name: String, code: String)
    }

    struct Field: Sendable, Hashable {
      let name: String
      let value: String
    }

    let id: String
    let kind: Kind
  }

  enum Body: Sendable {
    case none
    case json(ImportedValue)
    case form([(name: String, value: ImportedText)])
    case text(ImportedText)
    case file(ImportedText)
    case bytes([UInt8])
    case multipart([ImportedValue])

    /// True if something is sent.
    var isThere: Bool {
      if case .none = self { false } else { true }
    }

    /// The beginning of the content type that the form of the body determines, or nil.
    var contentType: String? {
      switch self {
      case .multipart: "multipart/"
      case .form: "application/x-www-form-urlencoded"
      case .none, .json, .text, .file, .bytes: nil
      }
    }

    /// Adds a field of a form.
    mutating func add(_ name: String, _ value: ImportedText) {
      var fields: [(name: String, value: ImportedText)] = []
      if case .form(let known) = self { fields = known }
      // The list has one owner when it grows.
      self = .none
      fields.append((name, value))
      self = .form(fields)
    }

    /// Adds a part of a form with files.
    mutating func add(part: ImportedValue) {
      var parts: [ImportedValue] = []
      if case .multipart(let known) = self { parts = known }
      self = .none
      parts.append(part)
      self = .multipart(parts)
    }
  }

  /// The settings of one component, shared by all of its requests.
  struct Settings: Sendable, Hashable {
    var follow = true
    var insecure = false
    /// False if a response is not to be compressed.
    var decompress = true
    /// The most redirects followed, or nil for the component's own limit.
    var mostRedirects: Int?
    /// The most bytes of a body, or nil for the component's own limit.
    var mostBytes: Int?
    /// The authentication, as `auth` has it.
    var authentication: ImportedValue?
    /// The only server of the component, if all requests of the file do not have the same one.
    var server: ImportedText?
    /// The other settings, in the order of their names.
    var others: [Other] = []

    struct Other: Sendable, Hashable {
      let name: String
      let value: ImportedText

      /// The name by which it is sorted: a password stands behind its user.
      fileprivate var key: String { name.replacing("password", with: "user_") }
    }

    /// The others as a component takes them.
    ///
    /// As curl has it: a certificate is in one file with its key unless that is given, and a key alone is of no use.
    var complete: [Other] {
      if others.contains(where: { $0.name == "client_pkcs12" }) {
        return others.filter { !["client_cert", "client_key"].contains($0.name) }
      }
      let certificate = others.first { $0.name == "client_cert" }
      if certificate == nil { return others.filter { !$0.name.hasPrefix("client_key") } }
      if others.contains(where: { $0.name == "client_key" }) { return others }
      let key = certificate.map { Other(name: "client_key", value: $0.value) }
      return (others + (key.map { [$0] } ?? [])).sorted { $0.key < $1.key }
    }

    /// Limits the redirects, none for a negative number, and returns a note on a limit that differs.
    mutating func limitRedirects(to count: Int) -> String? {
      let isPossible = (0...1000).contains(count)
      mostRedirects = isPossible ? count : 1000
      return isPossible ? nil : "redirects are limited to 1000"
    }

    /// True if the component has to know its server, which the socket stands for.
    var needsServer: Bool { self["unix_socket"] != nil }

    /// The value of one of the others, or nil.
    subscript(name: String) -> ImportedText? { others.first { $0.name == name }?.value }

    /// Removes others by their names.
    mutating func remove(where isRemoved: (String) -> Bool) {
      others.removeAll { isRemoved($0.name) }
    }

    mutating func set(_ name: String, _ value: ImportedText) {
      others.removeAll { $0.name == name }
      others.append(Other(name: name, value: value))
      others.sort { $0.key < $1.key }
    }
  }

  init(line: Int, method: String, url: ImportedText) {
    self.line = line
    self.method = method
    self.url = url
  }

  /// Sets the authentication, of the component if it reads nothing that only a step knows.
  mutating func identify(_ kind: String, _ entries: [ImportedValue.Entry]) {
    let value = ImportedValue.map([.init(name: kind, value: .map(entries))])
    settings.remove { $0 == "user" || $0 == "password" }
    if value.readsInputsAlone {
      settings.authentication = value
    } else {
      authentication = value
    }
  }

  /// The expression for the answer in a condition.
  ///
  /// A retried request is judged by its `expect`.
  var subject: String { retry == nil ? "steps.\(id)" : "it" }

  func header(_ name: String) -> ImportedText? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  /// True if the request has the header with this value alone.
  func has(_ header: (name: String, value: ImportedText)) -> Bool {
    let key = header.name.lowercased()
    return headers.filter { $0.name.lowercased() == key }.map(\.value) == [header.value]
  }

  mutating func removeHeader(_ name: String) {
    headers.removeAll { $0.name.lowercased() == name }
    headerPlaces = [:]
    for (index, header) in headers.enumerated().reversed() {
      headerPlaces[header.name.lowercased()] = index
    }
  }

  /// Adds a header.
  ///
  /// A second one of its name is sent separately, in the spelling of the first. Cookies are sent in
  /// one, and a body has one type.
  mutating func addHeader(_ name: String, _ value: ImportedText) {
    let key = name.lowercased()
    guard let index = headerPlaces[key] else {
      headerPlaces[key] = headers.count
      headers.append((name, value))
      return
    }
    switch key {
    case "cookie": headers[index].value.append(ImportedText("; ") + value)
    case "content-type": headers[index].value.append(ImportedText(", ") + value)
    default: headers.append((headers[index].name, value))
    }
  }

  /// Hides a part of the answer, such as `json.token`.
  mutating func hide(_ place: String) {
    if !secretPlaces.contains(place) { secretPlaces.append(place) }
  }

  mutating func demand(
    _ code: String, assuming guards: [String] = [],
    equality: (place: [String], value: ImportedValue)? = nil
  ) {
    conditions.append(
      Condition(
        remarks: remarksOfNext, code: code, setsBefore: captures.count, guards: guards,
        equality: equality))
    remarksOfNext = []
  }

  /// Adds a variable to be set after the request.
  mutating func capture(_ name: String, _ code: String) {
    captures.append(Capture(remarks: remarksOfNext, name: name, code: code))
    remarksOfNext = []
  }

  /// Lets the values of these variables have any type, since another step sets one of another type.
  mutating func loosen(_ names: Set<String>) {
    for index in captures.indices where names.contains(captures[index].name) {
      captures[index].code = captures[index].code.loosened
    }
    preparations = preparations.map { preparation in
      guard case .set(let name, let code) = preparation.kind, names.contains(name) else {
        return preparation
      }
      return Preparation(id: preparation.id, kind: .set(name: name, code: code.loosened))
    }
  }

  /// Moves plain equalities into the expectations, and adds the conditions that the others assume.
  ///
  /// - Precondition: The request is complete.
  mutating func settle() {
    if !settings.follow { settings.mostRedirects = nil }
    var (known, settled) = (Set<String>(), [Condition]())
    for condition in conditions {
      if retry == nil, let (place, value) = condition.equality, expect(value, at: place) {
        remarks += condition.remarks
        continue
      }
      for code in condition.guards where known.insert(code).inserted {
        settled.append(Condition(remarks: [], code: code, setsBefore: condition.setsBefore))
      }
      settled.append(condition)
    }
    conditions = settled
  }

  /// Expects the value of a field.
  ///
  /// Returns false if something else is expected there, or the field is expected as a whole.
  private mutating func expect(_ value: ImportedValue, at place: [String]) -> Bool {
    guard let name = place.first, !exact.contains(name) else { return false }
    let index = expected.firstIndex { $0.name == name }
    guard let index else {
      expected.append(.init(name: name, value: ImportedValue(value, at: place.dropFirst())))
      return true
    }
    guard let merged = expected[index].value.merged(value, at: place.dropFirst())
    else { return false }
    expected[index] = .init(name: name, value: merged)
    return true
  }

  /// Adds a remark on an unsupported part to the next condition.
  mutating func remark(_ text: String) { remarksOfNext.append(text) }

  /// The comments at the step, including those without a condition.
  var stepRemarks: [String] {
    let others = retry == nil ? [] : conditions.flatMap(\.remarks)
    return remarks + others + remarksOfNext
  }

  /// Expects a field of the answer.
  ///
  /// If exact, a mapping may have no other members.
  mutating func expect(_ name: String, _ value: ImportedValue, isExact: Bool = false) {
    expected.removeAll { $0.name == name }
    expected.append(.init(name: name, value: value))
    if isExact { exact.insert(name) } else { exact.remove(name) }
  }
}

extension String {
  /// The expression with a type that is known only in a run.
  fileprivate var loosened: String { hasPrefix("dyn(") ? self : "dyn(\(self))" }
}
