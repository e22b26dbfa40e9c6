internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// Visits schemas without compiling them: reads the files that they refer to, and notes unknown
/// keywords.
struct SchemaSurvey {
  private let dialect: Dialect
  private var visited: Set<OpenAPIPlace> = []
  private var waiting: [OpenAPIPart] = []
  /// The keywords that nothing checks, with their places.
  private(set) var unchecked: [(fault: OpenAPIFault, place: OpenAPIPlace)] = []
  /// The schemas that have a URI or an anchor.
  private(set) var identified: [OpenAPIPlace] = []
  private let keywords: [String]

  private static let identifiers = ["$id", "$anchor", "$dynamicAnchor"]
  private static let mostUnchecked = 100

  init(_ dialect: Dialect) {
    self.dialect = dialect
    keywords = dialect.keywords
  }

  /// True if nothing beside `$ref` counts.
  var ignoresSiblings: Bool { dialect.ignoresSiblings }

  /// Visits a schema with all that it refers to.
  mutating func visit(_ schema: OpenAPIPart, _ files: inout OpenAPIFiles) {
    waiting.append(schema)
    let isOutermost = files.enterSchema()
    defer { if isOutermost { files.leaveSchema() } }
    while let part = waiting.popLast() {
      guard visited.insert(part.place).inserted else { continue }
      var path: [String] = []
      walk(part.value, from: part.place, &path, &files)
    }
  }

  // The pointers of the many places without a problem are never built.
  private mutating func walk(
    _ value: Value, from start: OpenAPIPlace, _ path: inout [String], _ files: inout OpenAPIFiles
  ) {
    guard case .map(let map) = value else {
      if case .bool = value, dialect.draft != .openAPI30 { return }
      return files.report(.shape("a schema", value), at: start.appending(path))
    }
    if dialect.draft == .draft2020, Self.identifiers.contains(where: { map[$0] != nil }) {
      identified.append(start.appending(path))
    }
    // Another URI or dialect is the compiler's business.
    if dialect.draft == .draft2020, map["$id"] != nil || hasOtherDialect(map) { return }
    if case .string(let text)? = map["$ref"] {
      refer(text, at: start.appending(path + ["$ref"]), &files)
      if dialect.ignoresSiblings { return }
    }
    for entry in map.entries {
      guard case .string(let name) = entry.key else { continue }
      guard let rule = dialect.rule(of: name) else {
        if !dialect.allows(name) { note(.unknownKeyword(name, keywords), start, path + [name]) }
        continue
      }
      notePatterns(name, entry.value, start, path)
      path.append(name)
      walk(entry.value, rule.shape, from: start, &path, &files)
      path.removeLast()
    }
  }

  private mutating func walk(
    _ value: Value, _ shape: KeywordRule.Shape, from start: OpenAPIPlace, _ path: inout [String],
    _ files: inout OpenAPIFiles
  ) {
    switch (shape, value) {
    case (.plain, _): return
    case (.list, .list(let values)), (.schemaOrList, .list(let values)):
      for (index, value) in values.enumerated() {
        path.append("\(index)")
        walk(value, from: start, &path, &files)
        path.removeLast()
      }
    case (.map, .map(let map)), (.mapOfSchemasOrNames, .map(let map)):
      for entry in map.entries {
        if case .list = entry.value, case .mapOfSchemasOrNames = shape { continue }
        path.append(entry.key.interpolated)
        walk(entry.value, from: start, &path, &files)
        path.removeLast()
      }
    case (.schema, .bool), (.schemaOrList, .bool): return
    case (.schema, _), (.schemaOrList, _): walk(value, from: start, &path, &files)
    case (.list, _): files.report(.shape("a list", value), at: start.appending(path))
    case (.map, _), (.mapOfSchemasOrNames, _):
      files.report(.shape("a map", value), at: start.appending(path))
    }
  }

  private mutating func refer(
    _ text: String, at place: OpenAPIPlace, _ files: inout OpenAPIFiles
  ) {
    let fragment = URIReference(text).fragment?.percentDecoded ?? ""
    if dialect.draft == .draft2020, !fragment.isEmpty, !fragment.hasPrefix("/") {
      // An anchor is found by the compiler.
      _ = files.load(text, at: place)
    } else if let target = files.target(of: text, at: place) {
      waiting.append(target)
    }
  }

  private func hasOtherDialect(_ map: ValueMap) -> Bool {
    guard case .string(let uri)? = map["$schema"] else { return false }
    return Dialect(metaschema: URIReference(uri).withoutFragment.text)?.draft != .draft2020
  }

  private mutating func note(_ fault: OpenAPIFault, _ start: OpenAPIPlace, _ path: [String]) {
    guard unchecked.count < Self.mostUnchecked else { return }
    unchecked.append((fault, start.appending(path)))
  }

  /// Notes the patterns that are right, but not supported.
  private mutating func notePatterns(
    _ keyword: String, _ value: Value, _ start: OpenAPIPlace, _ path: [String]
  ) {
    switch (keyword, value) {
    case ("pattern", .string(let source)):
      guard let reason = SchemaPattern.limitation(of: source) else { return }
      note(.uncheckedPattern(reason), start, path + [keyword])
    case ("patternProperties", .map(let map)):
      for entry in map.entries {
        let source = entry.key.interpolated
        guard let reason = SchemaPattern.limitation(of: source) else { continue }
        note(.uncheckedPattern(reason), start, path + [keyword, source])
      }
    default: return
    }
  }
}

extension OpenAPIPlace {
  /// The place behind some steps.
  fileprivate func appending(_ path: [String]) -> OpenAPIPlace {
    path.reduce(self) { $0.appending($1) }
  }
}
