internal import FlowCore
internal import FlowSystem

/// Reads the parts of a description, except schemas, which are only visited.
struct OpenAPIReader {
  var files: OpenAPIFiles
  private(set) var title = ""
  private(set) var operations: [OpenAPIOperation] = []
  private var survey = SchemaSurvey(.openAPI31)
  private var dialect = Dialect.openAPI31
  private let store = SchemaStore()
  private var unknown: [(fault: OpenAPIFault, place: OpenAPIPlace)] = []
  private var ids: [String: OpenAPIPlace] = [:]
  private var shapes: [String: String] = [:]

  init(_ files: OpenAPIFiles) { self.files = files }

  /// Reads everything; problems are collected.
  mutating func readDescription() {
    let root = files.rootPart
    guard readVersion(root) else { return }
    note(root, OpenAPIKeys.description)
    if let title = root.member("info")?.member("title") { self.title = text(title) ?? "" }
    readComponents(root)
    let servers = serverPaths(root) ?? [""]
    guard let paths = root.member("paths") else { return }
    guard case .map = paths.value else { return wrong(paths, "a map of paths") }
    for (path, item) in paths.members where !path.hasPrefix("x-") {
      readPath(path, item, servers)
    }
  }

  /// Shares the files with the schemas.
  ///
  /// - Throws: `OpenAPIError` for any problem.
  func finish() throws(OpenAPIError) {
    guard files.problems.isEmpty else {
      throw OpenAPIError(problems: files.sorted(files.problems))
    }
    store.fill(files, dialect)
  }

  /// Unknown keywords of schemas and of all other parts.
  var unknownKeywords: [OpenAPIProblem] {
    let faults = unknown + survey.unknown.map { (survey.fault($0.name), $0.place) }
    return files.sorted(faults.prefix(100).map { files.problem($0.0, at: $0.1) })
  }

  // MARK: - The version

  private mutating func readVersion(_ root: OpenAPIPart) -> Bool {
    guard case .map(let map) = root.value else {
      files.report(.noDescription(root.value), at: root.place)
      return false
    }
    if let version = map["swagger"] {
      files.report(.swagger(version.interpolated), at: root.place.appending("swagger"))
      return false
    }
    guard let version = map["openapi"] else {
      files.report(.noVersion, at: root.place)
      return false
    }
    let parts = version.interpolated.split(separator: ".", omittingEmptySubsequences: false)
    switch parts.prefix(2) {
    case ["3", "0"]: dialect = .openAPI30
    case ["3", "1"]: readDialect(root)
    default:
      files.report(.version(version), at: root.place.appending("openapi"))
      return false
    }
    survey = SchemaSurvey(dialect)
    return true
  }

  private mutating func readDialect(_ root: OpenAPIPart) {
    guard let part = root.member("jsonSchemaDialect"), let uri = text(part) else { return }
    guard let dialect = Dialect(metaschema: URIReference(uri).withoutFragment.text),
      dialect.draft == .draft2020
    else { return files.report(.dialect(uri), at: part.place) }
  }

  // MARK: - Components

  /// Visits every schema, also one that nothing refers to.
  private mutating func readComponents(_ root: OpenAPIPart) {
    guard let components = root.member("components") else { return }
    note(components, OpenAPIKeys.components)
    for (_, schema) in components.member("schemas")?.members ?? [] { survey.visit(schema, &files) }
    for (_, part) in components.member("parameters")?.members ?? [] { _ = parameter(part) }
    for (_, part) in components.member("requestBodies")?.members ?? [] { _ = body(part) }
    for (_, part) in components.member("responses")?.members ?? [] { _ = response(part, .default) }
    for (name, part) in components.member("headers")?.members ?? [] { _ = header(name, part) }
  }

  private func serverPaths(_ part: OpenAPIPart) -> [String]? {
    guard let servers = part.member("servers") else { return nil }
    return servers.elements.compactMap { server in
      guard var url = server.member("url")?.value.text else { return nil }
      for (name, variable) in server.member("variables")?.members ?? [] {
        let value = variable.member("default")?.value.interpolated ?? ""
        url = url.replacing("{\(name)}", with: value)
      }
      let path = URIReference(url).path
      return path.hasSuffix("/") ? String(path.dropLast()) : path
    }.unique
  }

  // MARK: - Paths

  private mutating func readPath(_ path: String, _ item: OpenAPIPart, _ servers: [String]) {
    guard path.hasPrefix("/"), let template = PathTemplate(path) else {
      return files.report(.path(path), at: item.place)
    }
    if let other = shapes.updateValue(path, forKey: template.shape) {
      files.report(.samePath(path, other), at: item.place)
    }
    guard case .map = item.value else { return wrong(item, "a map of methods") }
    note(item, OpenAPIKeys.pathItem)
    let target = item.member("$ref") == nil ? item : files.resolved(item)
    guard let target else { return }
    // Members beside `$ref` come first.
    let servers = serverPaths(item) ?? serverPaths(target) ?? servers
    let common = parameters(target) + (target.place == item.place ? [] : parameters(item))
    for (name, part) in target.members where OpenAPIKeys.methods.contains(name) {
      read(
        part,
        Route(
          method: name.uppercased(), path: path, template: template, servers: servers,
          parameters: common))
    }
  }

  /// What an operation has from its path.
  private struct Route {
    let method: String
    let path: String
    let template: PathTemplate
    let servers: [String]
    let parameters: [OpenAPIParameter]
  }

  private mutating func read(_ part: OpenAPIPart, _ route: Route) {
    guard case .map = part.value else { return wrong(part, "a map") }
    note(part, OpenAPIKeys.operation)
    let id = part.member("operationId").flatMap { text($0) }
    if let id, let first = ids.updateValue(part.place, forKey: id) {
      files.report(.twice(id, first.pointer), at: part.place.appending("operationId"))
    }
    let own = parameters(part)
    let all = route.parameters.filter { old in !own.contains { $0.isSame(as: old) } } + own
    checkTemplate(route, all, part)
    let summary = part.member("summary").flatMap { text($0) }
    operations.append(
      OpenAPIOperation(
        method: route.method, path: route.path, id: id,
        summary: summary ?? firstLine(part), isDeprecated: isTrue(part, "deprecated"),
        parameters: all, body: part.member("requestBody").flatMap { body($0) },
        responses: responses(part), serverPaths: serverPaths(part) ?? route.servers,
        template: route.template, store: store, place: part.place, coverage: CoverageCache()))
  }

  private mutating func checkTemplate(
    _ route: Route, _ parameters: [OpenAPIParameter], _ part: OpenAPIPart
  ) {
    let declared = parameters.filter { $0.place == .path }.map(\.name)
    for name in route.template.names where !declared.contains(where: name.isIdentical) {
      files.report(.undeclared(name, route.path, declared), at: part.place)
    }
    for name in declared where !route.template.names.contains(where: name.isIdentical) {
      files.report(.notInPath(name, route.path, route.template.names), at: part.place)
    }
  }

  // MARK: - Parameters

  private mutating func parameters(_ part: OpenAPIPart) -> [OpenAPIParameter] {
    guard let list = part.member("parameters") else { return [] }
    guard case .list = list.value else {
      wrong(list, "a list of parameters")
      return []
    }
    var all: [OpenAPIParameter] = []
    for element in list.elements {
      guard let parameter = parameter(element) else { continue }
      if all.contains(where: { $0.isSame(as: parameter) }) {
        files.report(.sameParameter(parameter.place.rawValue, parameter.name), at: element.place)
      } else {
        all.append(parameter)
      }
    }
    return all
  }

  private mutating func parameter(_ given: OpenAPIPart) -> OpenAPIParameter? {
    guard let part = files.resolved(given), isMap(part, "a parameter") else { return nil }
    note(part, OpenAPIKeys.parameter)
    guard let name = required("name", part), let place = required("in", part) else { return nil }
    guard let place = OpenAPIParameter.Place(rawValue: place) else {
      files.report(
        .choice(place, OpenAPIParameter.Place.allCases.map(\.rawValue)),
        at: part.place.appending("in"))
      return nil
    }
    let usual: OpenAPIParameter.Style =
      place == .query || place == .cookie ? .form : .simple
    let style = part.member("style").flatMap { self.style($0, of: place) } ?? usual
    let (schema, mediaType) = form(part)
    return OpenAPIParameter(
      name: name, place: place, isRequired: place == .path || isTrue(part, "required"),
      isDeprecated: isTrue(part, "deprecated"), summary: firstLine(part), style: style,
      explodes: bool(part, "explode") ?? (style == .form || style == .deepObject),
      allowsEmptyValue: isTrue(part, "allowEmptyValue"), mediaType: mediaType, schema: schema)
  }

  private mutating func style(
    _ part: OpenAPIPart, of place: OpenAPIParameter.Place
  ) -> OpenAPIParameter.Style? {
    guard let name = text(part) else { return nil }
    let allowed = OpenAPIKeys.styles(of: place)
    guard let style = OpenAPIParameter.Style(rawValue: name), allowed.contains(style) else {
      files.report(.choice(name, allowed.map(\.rawValue)), at: part.place)
      return nil
    }
    return style
  }

  /// Returns the schema of a parameter or header, and the media type of its text.
  private mutating func form(_ part: OpenAPIPart) -> (OpenAPISchema?, String?) {
    if let schema = part.member("schema") { return (self.schema(schema), nil) }
    guard let content = part.member("content"), let first = contents(content).first else {
      return (nil, nil)
    }
    return (first.schema, first.mediaType)
  }

  private mutating func schema(_ part: OpenAPIPart) -> OpenAPISchema {
    survey.visit(part, &files)
    return OpenAPISchema(location: part.place.reference, store: store)
  }

  // MARK: - Bodies and responses

  private mutating func body(_ given: OpenAPIPart) -> OpenAPIBody? {
    guard let part = files.resolved(given), isMap(part, "a request body") else { return nil }
    note(part, OpenAPIKeys.body)
    return OpenAPIBody(
      isRequired: isTrue(part, "required"), summary: firstLine(part),
      contents: part.member("content").map { contents($0) } ?? [])
  }

  private mutating func contents(_ part: OpenAPIPart) -> [OpenAPIContent] {
    guard isMap(part, "a map of media types") else { return [] }
    return part.members.filter { !$0.name.hasPrefix("x-") }.map { name, given in
      guard let media = files.resolved(given), isMap(media, "a map") else {
        return OpenAPIContent(mediaType: name, schema: nil)
      }
      note(media, OpenAPIKeys.mediaType)
      return OpenAPIContent(
        mediaType: name, schema: media.member("schema").map { schema($0) })
    }
  }

  private mutating func responses(_ operation: OpenAPIPart) -> [OpenAPIResponse] {
    guard let part = operation.member("responses") else { return [] }
    guard isMap(part, "a map of statuses") else { return [] }
    return part.members.filter { !$0.name.hasPrefix("x-") }.compactMap { name, given in
      guard let status = OpenAPIResponse.Status(name) else {
        files.report(.status(name), at: given.place)
        return nil
      }
      return response(given, status)
    }
  }

  private mutating func response(
    _ given: OpenAPIPart, _ status: OpenAPIResponse.Status
  ) -> OpenAPIResponse? {
    guard let part = files.resolved(given), isMap(part, "a response") else { return nil }
    note(part, OpenAPIKeys.response)
    var headers: [OpenAPIHeader] = []
    for (name, header) in part.member("headers")?.members ?? [] {
      if let header = self.header(name, header) { headers.append(header) }
    }
    return OpenAPIResponse(
      status: status, summary: firstLine(part), headers: headers,
      contents: part.member("content").map { contents($0) })
  }

  private mutating func header(_ name: String, _ given: OpenAPIPart) -> OpenAPIHeader? {
    guard let part = files.resolved(given), isMap(part, "a header") else { return nil }
    note(part, OpenAPIKeys.header)
    let (schema, mediaType) = form(part)
    return OpenAPIHeader(
      name: name, isRequired: isTrue(part, "required"), summary: firstLine(part),
      explodes: isTrue(part, "explode"), mediaType: mediaType, schema: schema)
  }

  // MARK: - Values

  private mutating func note(_ part: OpenAPIPart, _ known: [String]) {
    guard case .map(let map) = part.value else { return }
    for entry in map.entries {
      let name = entry.key.interpolated
      guard !known.contains(name), !name.hasPrefix("x-"), unknown.count < 100 else { continue }
      unknown.append((.unknownKeyword(name, known), part.place.appending(name)))
    }
  }

  private mutating func wrong(_ part: OpenAPIPart, _ expected: String) {
    files.report(.shape(expected, part.value), at: part.place)
  }

  private mutating func isMap(_ part: OpenAPIPart, _ expected: String) -> Bool {
    if case .map = part.value { return true }
    wrong(part, expected)
    return false
  }

  private mutating func text(_ part: OpenAPIPart) -> String? {
    if case .string(let text) = part.value { return text }
    wrong(part, "a text")
    return nil
  }

  private mutating func required(_ name: String, _ part: OpenAPIPart) -> String? {
    if let member = part.member(name) { return text(member) }
    files.report(.missing(name), at: part.place)
    return nil
  }

  private mutating func bool(_ part: OpenAPIPart, _ name: String) -> Bool? {
    guard let member = part.member(name) else { return nil }
    if case .bool(let isTrue) = member.value { return isTrue }
    wrong(member, "true or false")
    return nil
  }

  private mutating func isTrue(_ part: OpenAPIPart, _ name: String) -> Bool {
    bool(part, name) ?? false
  }

  private mutating func firstLine(_ part: OpenAPIPart) -> String {
    guard let text = part.member("description").flatMap({ text($0) }) else { return "" }
    return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }
}

extension OpenAPIParameter {
  /// True for a parameter of the same name and place; names of headers have no case.
  fileprivate func isSame(as other: OpenAPIParameter) -> Bool {
    guard place == other.place else { return false }
    return place == .header
      ? name.lowercased() == other.name.lowercased() : name.isIdentical(to: other.name)
  }
}

extension OpenAPIResponse.Status {
  /// Reads `404`, `4XX` or `default`, or returns nil.
  init?(_ text: String) {
    if text == "default" {
      self = .default
      return
    }
    guard text.utf8.count == 3, let digit = text.first?.wholeNumberValue, 1...5 ~= digit else {
      return nil
    }
    if text.hasSuffix("XX") || text.hasSuffix("xx") {
      self = .class(digit)
    } else if let status = Int(text), status >= 100 {
      self = .exact(status)
    } else {
      return nil
    }
  }
}
