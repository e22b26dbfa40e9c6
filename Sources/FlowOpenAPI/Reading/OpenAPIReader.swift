internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// Reads a description: its version, components, paths and operations.
struct OpenAPIReader {
  private var parts: OpenAPIPartReader
  private var title = ""
  private var operations: [OpenAPIOperation] = []
  private var dialect = Dialect.openAPI31
  private var ids: [String: OpenAPIPlace] = [:]
  private var shapes: [String: String] = [:]
  private var keys: [String: String] = [:]
  private var security: OpenAPIPart?

  private static let mostOperations = 20_000
  private static let mostAddresses = 100

  init(_ files: OpenAPIFiles) { parts = OpenAPIPartReader(files) }

  /// Reads everything; problems are collected.
  mutating func readDescription() {
    let root = parts.files.rootPart
    guard readVersion(root) else { return }
    parts.note(root, OpenAPIKeys.description)
    if let title = root.member("info")?.member("title") { self.title = parts.text(title) ?? "" }
    security = root.member("security")
    readComponents(root)
    let servers = serverPaths(root) ?? [""]
    guard let paths = root.member("paths") else { return }
    guard case .map = paths.value else { return parts.wrong(paths, "a map of paths") }
    for (path, item) in paths.members where !path.hasPrefix("x-") {
      readPath(path, item, servers)
    }
  }

  /// Shares the files with the schemas.
  ///
  /// - Throws: `OpenAPIError` for any problem.
  func finish() throws(OpenAPIError) -> Content {
    guard parts.files.problems.isEmpty else {
      throw OpenAPIError(problems: parts.files.sorted(parts.files.problems))
    }
    let documents = parts.files.schemaDocuments(identified: parts.survey.identified)
    parts.store.fill(documents, parts.files.files, dialect)
    return Content(
      title: title, operations: operations, warnings: parts.warnings,
      faults: parts.files.sorted(parts.files.localProblems))
  }

  /// A description that was read.
  struct Content {
    let title: String
    let operations: [OpenAPIOperation]
    let warnings: [OpenAPIProblem]
    let faults: [OpenAPIProblem]
  }

  // MARK: - The version

  private mutating func readVersion(_ root: OpenAPIPart) -> Bool {
    guard case .map(let map) = root.value else {
      parts.files.report(.noDescription(root.value), at: root.place)
      return false
    }
    if let version = map["swagger"] {
      parts.files.report(.swagger(version.interpolated), at: root.place.appending("swagger"))
      return false
    }
    guard let version = map["openapi"] else {
      parts.files.report(.noVersion, at: root.place)
      return false
    }
    let numbers = version.interpolated.split(separator: ".", omittingEmptySubsequences: false)
    switch numbers.prefix(2) {
    case ["3", "0"]: dialect = .openAPI30
    case ["3", "1"]: readDialect(root)
    default:
      parts.files.report(.version(version), at: root.place.appending("openapi"))
      return false
    }
    parts.survey = SchemaSurvey(dialect)
    return true
  }

  private mutating func readDialect(_ root: OpenAPIPart) {
    guard let part = root.member("jsonSchemaDialect"), let uri = parts.text(part) else { return }
    guard let dialect = Dialect(metaschema: URIReference(uri).withoutFragment.text),
      dialect.draft == .draft2020
    else { return parts.files.report(.dialect(uri), at: part.place) }
  }

  // MARK: - Components

  /// Visits every schema, also one that nothing refers to.
  private mutating func readComponents(_ root: OpenAPIPart) {
    guard let components = root.member("components") else { return }
    parts.note(components, OpenAPIKeys.components)
    func members(_ name: String) -> [(name: String, part: OpenAPIPart)] {
      (components.member(name)?.members ?? []).filter { !$0.name.hasPrefix("x-") }
    }
    let outer = parts.files.openPart()
    // They are told again for each operation with the part.
    defer { _ = parts.files.closePart(outer) }
    for (_, schema) in members("schemas") { parts.survey.visit(schema, &parts.files) }
    for (_, part) in members("parameters") { _ = parts.parameter(part) }
    for (_, part) in members("requestBodies") { _ = parts.body(part) }
    for (_, part) in members("responses") { _ = parts.response(part, .default) }
    for (name, part) in members("headers") { _ = parts.header(name, part) }
    for (name, part) in members("securitySchemes") { readScheme(name, part) }
  }

  /// Notes the query's name of a key: it is no parameter.
  private mutating func readScheme(_ name: String, _ given: OpenAPIPart) {
    guard let part = parts.files.resolved(given), part.member("type")?.value.text == "apiKey",
      part.member("in")?.value.text == "query", let key = part.member("name")?.value.text
    else { return }
    keys[name] = key
  }

  /// The query's names of the keys that an operation may need.
  private func keyNames(_ part: OpenAPIPart) -> [String] {
    let needs = (part.member("security") ?? security)?.elements.flatMap(\.members) ?? []
    return needs.compactMap { keys[$0.name] }.unique
  }

  private func serverPaths(_ part: OpenAPIPart) -> [String]? {
    guard let servers = part.member("servers") else { return nil }
    return servers.elements.flatMap { server in
      urls(server).map { url in
        let path = URIReference(url).path
        return path.hasSuffix("/") ? String(path.dropLast()) : path
      }
    }.unique
  }

  /// The addresses of a server, one for each choice of its variables.
  private func urls(_ server: OpenAPIPart) -> [String] {
    guard let url = server.member("url")?.value.text else { return [] }
    return (server.member("variables")?.members ?? []).reduce([url]) { urls, variable in
      let values =
        [variable.part.member("default")].compactMap { $0?.value }
        + (variable.part.member("enum")?.elements.map(\.value) ?? [])
      let texts = values.isEmpty ? [""] : values.map(\.interpolated).unique
      return Array(
        urls.flatMap { url in
          url.contains("{\(variable.name)}")
            ? texts.map { url.replacing("{\(variable.name)}", with: $0) } : [url]
        }.prefix(Self.mostAddresses))
    }
  }

  // MARK: - Paths

  private mutating func readPath(_ path: String, _ item: OpenAPIPart, _ servers: [String]) {
    let outer = parts.files.openPart()
    defer { _ = parts.files.closePart(outer) }
    let sent = String(path.prefix { $0 != "#" })
    guard path.hasPrefix("/"), let template = PathTemplate(sent) else {
      return parts.files.report(.path(path), at: item.place)
    }
    if let other = shapes.updateValue(path, forKey: template.shape), path == sent {
      parts.doubt(.samePath(path, other), at: item.place)
    }
    guard case .map = item.value else { return parts.wrong(item, "a map of methods") }
    parts.note(item, OpenAPIKeys.pathItem)
    let target = item.member("$ref") == nil ? item : parts.files.resolved(item)
    guard let target else { return }
    // Members beside `$ref` come first.
    let servers = serverPaths(item) ?? serverPaths(target) ?? servers
    var common = parts.parameters(target)
    if target.place != item.place { common += parts.parameters(item) }
    let faults = parts.files.problemsOfPart
    let own = target.place == item.place ? [] : item.members
    for (name, part) in target.members + own where OpenAPIKeys.methods.contains(name) {
      read(
        part,
        Route(
          method: name.uppercased(), path: path, template: template, servers: servers,
          parameters: common, faults: faults, place: item.place))
    }
  }

  /// What an operation has from its path.
  private struct Route {
    let method: String
    let path: String
    let template: PathTemplate
    let servers: [String]
    let parameters: [OpenAPIParameter]
    let faults: [OpenAPIProblem]
    let place: OpenAPIPlace
  }

  /// Reads an operation, which many descriptions put into a file of its own.
  private mutating func read(_ given: OpenAPIPart, _ route: Route) {
    guard let part = given.member("$ref") == nil ? given : parts.files.resolved(given) else {
      return
    }
    guard case .map = part.value else { return parts.wrong(part, "a map") }
    parts.note(part, OpenAPIKeys.operation)
    guard operations.count < Self.mostOperations else {
      return parts.files.report(.tooMany("operations", Self.mostOperations), at: part.place)
    }
    let outer = parts.files.openPart()
    var operation = operation(part, given, route)
    operation.partFaults = route.faults + parts.files.closePart(outer)
    operations.append(operation)
  }

  private mutating func operation(
    _ part: OpenAPIPart, _ given: OpenAPIPart, _ route: Route
  ) -> OpenAPIOperation {
    let id = part.member("operationId").flatMap { parts.text($0) }
    if let id, let first = ids.updateValue(part.place, forKey: id), first != part.place {
      parts.doubt(.twice(id, first.pointer), at: part.place.appending("operationId"))
    }
    let own = parts.parameters(part)
    let all = route.parameters.filter { old in !own.contains { $0.isSame(as: old) } } + own
    checkTemplate(route, all, part)
    let summary = part.member("summary").flatMap { parts.text($0) }
    let outer = parts.files.openPart()
    let responses = parts.responses(part)
    let faults = parts.files.closePart(outer)
    return OpenAPIOperation(
      method: route.method, path: route.path, id: id,
      summary: summary ?? parts.firstLine(part), isDeprecated: parts.isTrue(part, "deprecated"),
      parameters: all, body: part.member("requestBody").flatMap { parts.body($0) },
      responses: responses, serverPaths: serverPaths(part) ?? route.servers,
      keyNames: keyNames(part), template: route.template, store: parts.store, place: part.place,
      origin: (given.place, route.place), coverage: CoverageCache(), answerFaults: faults,
      partFaults: [])
  }

  private mutating func checkTemplate(
    _ route: Route, _ parameters: [OpenAPIParameter], _ part: OpenAPIPart
  ) {
    let declared = parameters.filter { $0.place == .path }.map(\.name)
    for name in route.template.names where !declared.contains(where: name.isIdentical) {
      parts.doubt(.undeclared(name, route.path, declared), at: part.place)
    }
    for name in declared where !route.template.names.contains(where: name.isIdentical) {
      parts.doubt(.notInPath(name, route.path, route.template.names), at: part.place)
    }
  }
}
