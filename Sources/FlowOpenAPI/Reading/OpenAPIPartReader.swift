internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// Reads the objects that operations and components have in common.
///
/// Schemas are only visited.
struct OpenAPIPartReader {
  var files: OpenAPIFiles
  var survey = SchemaSurvey(.openAPI31)
  let store = SchemaStore()
  private var unknown: [(name: String, known: [String], place: OpenAPIPlace)] = []
  private var doubts: [(fault: OpenAPIFault, place: OpenAPIPlace)] = []
  private var noted: Set<OpenAPIPlace> = []
  // Operations share what components have.
  private var bodies: [OpenAPIPlace: Faulty<OpenAPIBody>] = [:]
  private var answers: [OpenAPIPlace: Faulty<OpenAPIResponse>] = [:]

  /// A part with the mistakes in it, which are those of each operation with the part.
  private struct Faulty<Part> {
    let part: Part?
    let faults: [OpenAPIProblem]
  }

  private static let mostUnknown = 100
  private static let mostParameters = 1_000

  init(_ files: OpenAPIFiles) { self.files = files }

  /// Mistakes that leave the rest of the description usable, which may be another's.
  mutating func doubt(_ fault: OpenAPIFault, at place: OpenAPIPlace) {
    if doubts.count < Self.mostUnknown { doubts.append((fault, place)) }
  }

  /// Mistakes in parts that others can do without, mistakes that can be lived with, and keywords that
  /// nothing checks, of schemas and of all other parts.
  var warnings: [OpenAPIProblem] {
    let faults =
      doubts.map { ($0.fault, $0.place) }
      + unknown.map { (OpenAPIFault.unknownKeyword($0.name, $0.known), $0.place) }
      + survey.unchecked.map { ($0.fault, $0.place) }
    let found = files.localProblems + faults.map { files.problem($0.0, at: $0.1) }
    return files.sorted(Array(found.prefix(Self.mostUnknown)))
  }

  // MARK: - Parameters

  mutating func parameters(_ part: OpenAPIPart) -> [OpenAPIParameter] {
    guard let list = part.member("parameters") else { return [] }
    guard case .list = list.value else {
      wrong(list, "a list of parameters")
      return []
    }
    var all: [OpenAPIParameter] = []
    for element in list.elements {
      guard let parameter = parameter(element), !parameter.isIgnored else { continue }
      guard all.count < Self.mostParameters else {
        files.report(.tooMany("parameters", Self.mostParameters), at: list.place)
        break
      }
      if all.contains(where: { $0.isSame(as: parameter) }) {
        files.report(.sameParameter(parameter.place.rawValue, parameter.name), at: element.place)
      } else {
        all.append(parameter)
      }
    }
    return all
  }

  mutating func parameter(_ given: OpenAPIPart) -> OpenAPIParameter? {
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
    if part.member("schema") == nil, part.member("content") == nil {
      files.report(.missing("schema"), at: part.place)
    }
    let (schema, mediaType) = form(part)
    return OpenAPIParameter(
      name: name, place: place, isRequired: place == .path || isTrue(part, "required"),
      isDeprecated: isTrue(part, "deprecated"), summary: firstLine(part), style: style,
      explodes: bool(part, "explode") ?? (style == .form || style == .deepObject),
      allowsEmptyValue: isTrue(part, "allowEmptyValue"),
      allowsReserved: place == .query && isTrue(part, "allowReserved"), mediaType: mediaType,
      schema: schema, origin: part.place)
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
    // The survey has told what is wrong with it.
    let isOutermost = files.enterSchema()
    defer { if isOutermost { files.leaveSchema() } }
    return OpenAPISchema(place: (alias(part) ?? part).place, store: store)
  }

  /// The schema that another one only refers to: operations share it.
  private mutating func alias(_ part: OpenAPIPart) -> OpenAPIPart? {
    guard case .map(let map) = part.value, let text = map["$ref"]?.text,
      map.count == 1 || survey.ignoresSiblings,
      let fragment = URIReference(text).fragment, fragment.hasPrefix("/")
    else { return nil }
    return files.target(of: text, at: part.place.appending("$ref"))
  }

  // MARK: - Bodies and responses

  mutating func body(_ given: OpenAPIPart) -> OpenAPIBody? {
    guard let part = files.resolved(given), isMap(part, "a request body") else { return nil }
    if let known = bodies[part.place] {
      files.repeatProblems(known.faults)
      return known.part
    }
    let outer = files.openPart()
    let body = newBody(part)
    bodies[part.place] = Faulty(part: body, faults: files.closePart(outer))
    return body
  }

  private mutating func newBody(_ part: OpenAPIPart) -> OpenAPIBody? {
    note(part, OpenAPIKeys.body)
    guard let content = part.member("content") else {
      files.report(.missing("content"), at: part.place)
      return nil
    }
    let contents = contents(content)
    return OpenAPIBody(
      isRequired: isTrue(part, "required"), summary: firstLine(part),
      contents: contents, origin: part.place)
  }

  private mutating func contents(_ part: OpenAPIPart) -> [OpenAPIContent] {
    guard isMap(part, "a map of media types") else { return [] }
    return part.members.filter { !$0.name.hasPrefix("x-") }.map { name, given in
      guard let media = files.resolved(given), isMap(media, "a map") else {
        return OpenAPIContent(mediaType: name, schema: nil, origin: given.place)
      }
      note(media, OpenAPIKeys.mediaType)
      return OpenAPIContent(
        mediaType: name, schema: media.member("schema").map { schema($0) }, origin: media.place)
    }
  }

  mutating func responses(_ operation: OpenAPIPart) -> [OpenAPIResponse] {
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

  mutating func response(
    _ given: OpenAPIPart, _ status: OpenAPIResponse.Status
  ) -> OpenAPIResponse? {
    guard let part = files.resolved(given), isMap(part, "a response") else { return nil }
    if let known = answers[part.place] {
      files.repeatProblems(known.faults)
      var response = known.part
      response?.status = status
      return response
    }
    let outer = files.openPart()
    let response = newResponse(part, status)
    answers[part.place] = Faulty(part: response, faults: files.closePart(outer))
    return response
  }

  private mutating func newResponse(
    _ part: OpenAPIPart, _ status: OpenAPIResponse.Status
  ) -> OpenAPIResponse {
    note(part, OpenAPIKeys.response)
    var headers: [OpenAPIHeader] = []
    for (name, header) in part.member("headers")?.members ?? [] {
      if let header = self.header(name, header) { headers.append(header) }
    }
    return OpenAPIResponse(
      status: status, summary: firstLine(part), headers: headers,
      contents: part.member("content").map { contents($0) }, origin: part.place)
  }

  mutating func header(_ name: String, _ given: OpenAPIPart) -> OpenAPIHeader? {
    guard let part = files.resolved(given), isMap(part, "a header") else { return nil }
    note(part, OpenAPIKeys.header)
    let (schema, mediaType) = form(part)
    return OpenAPIHeader(
      name: name, isRequired: isTrue(part, "required"), summary: firstLine(part),
      explodes: isTrue(part, "explode"), mediaType: mediaType, schema: schema,
      origin: part.place)
  }

  // MARK: - Values

  /// Notes the members that OpenAPI does not know.
  mutating func note(_ part: OpenAPIPart, _ known: [String]) {
    guard case .map(let map) = part.value, noted.insert(part.place).inserted else { return }
    for entry in map.entries {
      let name = entry.key.interpolated
      guard !known.contains(name), !name.hasPrefix("x-"), unknown.count < Self.mostUnknown else {
        continue
      }
      unknown.append((name, known, part.place.appending(name)))
    }
  }

  mutating func wrong(_ part: OpenAPIPart, _ expected: String) {
    files.report(.shape(expected, part.value), at: part.place)
  }

  mutating func isMap(_ part: OpenAPIPart, _ expected: String) -> Bool {
    if case .map = part.value { return true }
    wrong(part, expected)
    return false
  }

  mutating func text(_ part: OpenAPIPart) -> String? {
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

  mutating func isTrue(_ part: OpenAPIPart, _ name: String) -> Bool {
    bool(part, name) ?? false
  }

  mutating func firstLine(_ part: OpenAPIPart) -> String {
    guard let text = part.member("description").flatMap({ text($0) }) else { return "" }
    return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }
}

extension OpenAPIParameter {
  // The specification ignores headers of these names.
  private static let ignored = ["accept", "content-type", "authorization"]

  /// True for a parameter without a meaning.
  var isIgnored: Bool { place == .header && Self.ignored.contains(name.lowercased()) }

  /// True for a parameter of the same name and place; names of headers have no case.
  func isSame(as other: OpenAPIParameter) -> Bool {
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
