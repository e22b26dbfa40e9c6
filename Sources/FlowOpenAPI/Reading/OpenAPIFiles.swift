internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// A value with its place.
struct OpenAPIPart: Sendable {
  let place: OpenAPIPlace
  let value: Value

  /// The member of a map, or nil.
  func member(_ name: String) -> OpenAPIPart? {
    guard case .map(let map) = value, let value = map[name] else { return nil }
    return OpenAPIPart(place: place.appending(name), value: value)
  }

  /// The members of a map, none for another value.
  var members: [(name: String, part: OpenAPIPart)] {
    guard case .map(let map) = value else { return [] }
    return map.entries.map { entry in
      let name = entry.key.interpolated
      return (name, OpenAPIPart(place: place.appending(name), value: entry.value))
    }
  }

  /// The elements of a list, none for another value.
  var elements: [OpenAPIPart] {
    guard case .list(let values) = value else { return [] }
    return values.enumerated().map { OpenAPIPart(place: place.appending($0), value: $1) }
  }
}

/// The files of a description, each read once.
struct OpenAPIFiles {
  private static let mostFiles = 10_000
  private static let mostProblems = 100
  private static let longestChain = 100

  private let read: (String) throws -> Document
  private(set) var files: [String: OpenAPIFile] = [:]
  /// The files that cannot be read, with the reasons.
  private var missing: [String: String] = [:]
  /// The problems of the whole description, in the order in which they were found.
  private(set) var problems: [OpenAPIProblem] = []
  /// The problems of parts that others can do without.
  private(set) var localProblems: [OpenAPIProblem] = []
  /// The problems of the part that is read, or nil outside of parts.
  private var ofPart: [OpenAPIProblem]?
  /// True within schemas, whose problems their compiler finds again.
  private var isInSchema = false
  // A part with a problem may be read several times.
  private var known: Set<OpenAPIProblem> = []
  /// The first file.
  let root: OpenAPIPlace

  init(_ first: Document, at path: String, reading read: @escaping (String) throws -> Document) {
    self.read = read
    let uri = Self.uri(ofFile: path)
    root = OpenAPIPlace(uri: uri, pointer: .root)
    add(first, uri, path)
  }

  /// The first file's content.
  var rootPart: OpenAPIPart {
    OpenAPIPart(place: root, value: files[root.uri]?.value ?? .null)
  }

  /// Returns the documents that schemas refer to.
  func schemaDocuments(identified: [OpenAPIPlace]) -> SchemaDocuments {
    let places = Dictionary(grouping: identified, by: \.uri)
    var documents = SchemaDocuments()
    for (uri, file) in files {
      let pointers = places[uri]?.map(\.pointer.description) ?? []
      documents.insert(plain: file.value, uri, identified: pointers)
    }
    return documents
  }

  // MARK: - References

  /// Returns a part, or the target of its `$ref`, or nil after reporting a problem.
  mutating func resolved(_ part: OpenAPIPart) -> OpenAPIPart? {
    var (part, seen) = (part, Set<OpenAPIPlace>())
    while let reference = part.member("$ref") {
      guard case .string(let text) = reference.value else {
        report(.shape("a text", reference.value), at: reference.place)
        return nil
      }
      guard seen.insert(part.place).inserted, seen.count <= Self.longestChain else {
        report(.reference(.circle(text)), at: reference.place)
        return nil
      }
      guard let target = target(of: text, at: reference.place) else { return nil }
      part = target
    }
    return part
  }

  /// Returns the target of a reference with a pointer, or nil after reporting a problem.
  mutating func target(of text: String, at place: OpenAPIPlace) -> OpenAPIPart? {
    guard let (file, target) = load(text, at: place) else { return nil }
    let uri = target.withoutFragment.text
    guard let fragment = (target.fragment ?? "").percentDecoded,
      let tokens = JSONPointer.tokens(of: fragment)
    else {
      report(.reference(.badPointer(text)), at: place)
      return nil
    }
    var part = OpenAPIPart(
      place: OpenAPIPlace(uri: uri, pointer: .root), value: file.value)
    for token in tokens {
      guard let value = part.value.part(token) else {
        report(
          .reference(.noPart(text, token, self.place(of: part, in: file), part.value.names)),
          at: place)
        return nil
      }
      part = OpenAPIPart(place: part.place.appending(token), value: value)
    }
    return part
  }

  private func place(of part: OpenAPIPart, in file: OpenAPIFile) -> String {
    file.path + (part.place.pointer == .root ? "" : "#\(part.place.pointer)")
  }

  /// Reads the file of a reference, or returns nil after reporting a problem.
  mutating func load(
    _ text: String, at place: OpenAPIPlace
  ) -> (file: OpenAPIFile, target: URIReference)? {
    let reference = URIReference(text)
    guard reference.scheme == nil, reference.authority == nil else {
      report(.reference(.remote(text)), at: place)
      return nil
    }
    let target = reference.resolved(against: URIReference(place.uri))
    return file(target.withoutFragment.text, named: text, at: place).map { ($0, target) }
  }

  private mutating func file(_ uri: String, named text: String, at place: OpenAPIPlace)
    -> OpenAPIFile?
  {
    if let file = files[uri] { return file }
    if let reason = missing[uri] {
      noteOfPart(problem(.reference(.unreadable(text, reason)), at: place))
      return nil
    }
    guard let path = uri.percentDecoded else { return nil }
    guard files.count < Self.mostFiles else {
      report(.reference(.tooManyFiles(Self.mostFiles)), at: place)
      return nil
    }
    do {
      add(try read(path), uri, path)
    } catch {
      missing[uri] = "\(error)"
      report(.reference(.unreadable(text, "\(error)")), at: place)
    }
    return files[uri]
  }

  private mutating func add(_ document: Document, _ uri: String, _ path: String) {
    let plain = PlainValue.of(document.value)
    files[uri] = OpenAPIFile(
      path: path, document: document, value: (plain ?? .null).withoutSchemaOfEditors,
      order: files.count)
    if plain == nil { report(.depth, at: OpenAPIPlace(uri: uri, pointer: .root)) }
  }

  /// The URI of a file, whose path may have signs with a meaning in URIs.
  private static func uri(ofFile path: String) -> String {
    path.replacing("%", with: "%25").replacing("#", with: "%23").replacing("?", with: "%3F")
      .replacing(":", with: "%3A")
  }

  // MARK: - Problems

  mutating func report(_ reason: OpenAPIFault, at place: OpenAPIPlace) {
    let problem = problem(reason, at: place)
    noteOfPart(problem)
    guard problems.count + localProblems.count < Self.mostProblems,
      known.insert(problem).inserted
    else { return }
    if isInSchema || ofPart != nil {
      localProblems.append(problem)
    } else {
      problems.append(problem)
    }
  }

  private mutating func noteOfPart(_ problem: OpenAPIProblem) {
    guard !isInSchema, let count = ofPart?.count, count < Self.mostProblems else { return }
    ofPart?.append(problem)
  }

  /// Begins a part, and returns the problems of the one around it.
  mutating func openPart() -> [OpenAPIProblem]? {
    defer { ofPart = [] }
    return ofPart
  }

  /// Ends a part, and returns its problems, which are also those of the one around it.
  mutating func closePart(_ outer: [OpenAPIProblem]?) -> [OpenAPIProblem] {
    let own = ofPart ?? []
    ofPart = outer
    repeatProblems(own)
    return own
  }

  /// The problems of the part that is read, as far as it was.
  var problemsOfPart: [OpenAPIProblem] { ofPart ?? [] }

  /// Adds the problems of a part that was read before.
  mutating func repeatProblems(_ problems: [OpenAPIProblem]) {
    for problem in problems { noteOfPart(problem) }
  }

  /// Begins a schema, and returns true if it is not inside of another one.
  mutating func enterSchema() -> Bool {
    defer { isInSchema = true }
    return !isInSchema
  }

  /// Ends the outermost schema.
  mutating func leaveSchema() { isInSchema = false }

  func problem(_ reason: OpenAPIFault, at place: OpenAPIPlace) -> OpenAPIProblem {
    let file = files[place.uri]
    return OpenAPIProblem(
      file: file?.path ?? place.uri, position: file?.position(of: place.pointer.description),
      pointer: place.pointer, message: reason.message)
  }

  /// The problems in the order of the files and of the places in them.
  func sorted(_ problems: [OpenAPIProblem]) -> [OpenAPIProblem] {
    let orders = Dictionary(files.values.map { ($0.path, $0.order) }) { first, _ in first }
    func isBefore(_ left: OpenAPIProblem, _ right: OpenAPIProblem) -> Bool {
      let (a, b) = (orders[left.file] ?? 0, orders[right.file] ?? 0)
      if a != b { return a < b }
      guard let c = left.position, let d = right.position else { return false }
      return c < d
    }
    return problems.enumerated().sorted {
      isBefore($0.element, $1.element)
        || !isBefore($1.element, $0.element) && $0.offset < $1.offset
    }.map(\.element)
  }
}

extension Value {
  /// The keys of a map, none for another value.
  fileprivate var names: [String] {
    guard case .map(let map) = self else { return [] }
    return map.entries.map(\.key.interpolated)
  }

  /// A description without `$schema`, which is for editors: it is no schema itself.
  fileprivate var withoutSchemaOfEditors: Value {
    guard case .map(var map) = self, map["openapi"] != nil, map["$schema"] != nil else {
      return self
    }
    map[.string("$schema")] = nil
    return .map(map)
  }
}
