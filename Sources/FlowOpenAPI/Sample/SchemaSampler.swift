package import FlowCore
internal import FlowSchema
internal import FlowSystem

extension OpenAPISchema {
  /// Returns a valid value of a request: an example, or else a small one made of the keywords.
  ///
  /// Nil if none was found.
  package func sample() -> Value? {
    guard let code = (try? schema(in: .request))?.code else { return nil }
    for isBare in [false, true] {
      var sampler = SchemaSampler(code, store, isBare: isBare)
      if let value = sampler.sample([code.root]) { return value }
    }
    return nil
  }

  /// The examples in the schema, and its default and its values if they are wanted too.
  package func examples(orDefaults: Bool) -> [Value] {
    guard let code = (try? schema(in: .request))?.code else { return [] }
    let sampler = SchemaSampler(code, store, isBare: true)
    return sampler.examples(of: code.root, orDefaults: orDefaults)
      + (orDefaults ? SchemaShape(of: [code.root], in: code, choice: 0).values ?? [] : [])
  }

  /// Returns the value that the schema allows: an example itself, or read as text, or nil.
  ///
  /// A text is none for a schema with properties or elements, even if it allows one because it has no
  /// type: descriptions have JSON in texts there.
  package func allowed(_ example: Value) -> Value? {
    guard let schema = try? schema(in: .request) else { return nil }
    if case .string(let text) = example, schema.valueType.hasParts {
      guard let value = try? Value(json: Array(text.utf8)), !value.isString else { return nil }
      return (try? schema.accepts(value)) == true ? value : nil
    }
    if (try? schema.accepts(example)) == true { return example }
    let read = TextReader(code: schema.code).value(of: example.interpolated, schema.code.root)
    return (try? schema.accepts(read)) == true ? read : nil
  }
}

extension ValueType {
  fileprivate var hasParts: Bool {
    switch unwrapped {
    case .record, .list, .map: true
    default: false
    }
  }
}

extension Value {
  fileprivate var isString: Bool { if case .string = self { true } else { false } }
}

/// A search for a valid value of a compiled schema, within bounds.
struct SchemaSampler {
  private static let deepest = 12
  private static let mostChoices = 20
  private static let mostElements = 50

  private let code: SchemaCode
  private let store: SchemaStore
  /// True for the least that is valid.
  private let isBare: Bool
  private var budget = 3_000
  private var depth = 0

  init(_ code: SchemaCode, _ store: SchemaStore, isBare: Bool) {
    (self.code, self.store, self.isBare) = (code, store, isBare)
  }

  /// Returns a value that is valid for all of these nodes, or nil.
  mutating func sample(_ nodes: [Int]) -> Value? {
    budget -= 1
    guard budget > 0, depth < Self.deepest, !nodes.contains(where: { code.nodes[$0].isNever })
    else { return nil }
    depth += 1
    defer { depth -= 1 }
    let examples = nodes.flatMap { self.examples(of: $0, orDefaults: true) }
    if let example = examples.first(where: { isAllowed($0, nodes) }) { return example }
    var choice = 0
    repeat {
      let shape = SchemaShape(of: nodes, in: code, choice: choice)
      for value in candidates(shape) where isAllowed(value, nodes) {
        return discriminated(value, nodes, choice)
      }
      choice += 1
      if choice >= min(shape.choices, Self.mostChoices) { return nil }
    } while budget > 0
    return nil
  }

  /// Returns a value whose discriminator has the name of the chosen alternative: to the schema alone any
  /// text is right, and to a service only such a name.
  private func discriminated(_ value: Value, _ nodes: [Int], _ choice: Int) -> Value {
    guard case .map(var map) = value else { return value }
    for part in nodes.flatMap(raw) {
      guard let names = DiscriminatorNames(part), case .string(let text)? = map[names.property],
        let name = names.name(ofChoice: choice), !names.all.contains(text)
      else { continue }
      map[.string(names.property)] = .string(name)
    }
    return isAllowed(.map(map), nodes) ? .map(map) : value
  }

  private func isAllowed(_ value: Value, _ nodes: [Int]) -> Bool {
    nodes.allSatisfy { isAllowed(value, $0) }
  }

  private func isAllowed(_ value: Value, _ node: Int) -> Bool {
    let part = SchemaCode(
      nodes: code.nodes, root: node, dynamicAnchors: code.dynamicAnchors, limits: code.limits)
    var validator = Validator(part, isQuick: true)
    // A value that takes too long to check is none.
    return (try? validator.run(value)) ?? false
  }

  // MARK: - The text of the schema

  /// The examples of a node and of the schemas that it refers to, and possibly their defaults.
  func examples(of node: Int, orDefaults: Bool) -> [Value] {
    let parts = raw(node)
    let defaults = orDefaults ? parts.compactMap { $0.member("default")?.value } : []
    return (parts.flatMap(\.examples) + defaults).filter { $0 != .null }
  }

  /// The parts of the file for a node and for the schemas that it refers to.
  private func raw(_ node: Int) -> [RawPart] {
    var (parts, next, levels) = ([RawPart](), Optional(node), 8)
    while let node = next, levels > 0 {
      if let part = part(node) { parts.append(part) }
      levels -= 1
      next =
        code.nodes[node].keywords.lazy.compactMap { keyword in
          switch keyword {
          case .reference(let target): target
          case .allOf(let nodes) where nodes.count == 1: nodes.first
          default: nil
          }
        }.first
    }
    return parts
  }

  private func part(_ node: Int) -> RawPart? {
    let location = code.nodes[node].location
    guard let sign = location.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let uri = String(location[..<sign])
    let tokens = JSONPointer.tokens(of: String(location[sign...].dropFirst())) ?? []
    let pointer = tokens.reduce(JSONPointer.root) { $0.appending($1) }
    return RawPart(at: OpenAPIPlace(uri: uri, pointer: pointer), store)
  }

  func isFile(_ node: Int) -> Bool {
    raw(node).contains { part in
      part.member("format")?.value.text == "binary" || part.member("contentMediaType") != nil
    }
  }

  func isPassword(_ node: Int) -> Bool {
    raw(node).contains { $0.member("format")?.value.text == "password" }
  }

  private func isReadOnly(_ node: Int) -> Bool {
    raw(node).contains { $0.member("readOnly")?.value == .bool(true) }
  }

  // MARK: - Values

  /// Returns values that may be valid, the likeliest first.
  private mutating func candidates(_ shape: SchemaShape) -> [Value] {
    if let values = shape.values { return values.filter { $0 != .null } + values }
    switch type(of: shape) {
    case .object: return objects(shape)
    case .array: return lists(shape)
    case .integer, .number: return numbers(shape)
    case .boolean: return [.bool(true), .bool(false)]
    case .null: return [.null]
    default: return texts(shape)
    }
  }

  /// The type that the keywords speak of, among the allowed ones.
  private func type(of shape: SchemaShape) -> TypeSet {
    var wanted: [TypeSet] = []
    if !shape.properties.isEmpty || !shape.required.isEmpty { wanted.append(.object) }
    if !shape.items.isEmpty { wanted.append(.array) }
    if shape.formats.isEmpty, !shape.numbers.isEmpty || !shape.multiples.isEmpty {
      wanted += [.integer, .number]
    }
    wanted += [.string, .integer, .number, .boolean, .object, .array, .null]
    return wanted.first { shape.types.contains($0) } ?? .string
  }

  private func texts(_ shape: SchemaShape) -> [Value] {
    let (least, most) = (shape.count(.minLength) ?? 0, shape.count(.maxLength) ?? .max)
    guard least <= 10_000 else { return [] }
    var texts = shape.formats.compactMap(\.sample)
    for pattern in shape.patterns { texts += PatternSample.texts(for: pattern, least: least) }
    var text = "text"
    while text.unicodeScalars.count < least { text += " text" }
    texts.append(text)
    let cut = texts.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(max(most, 0)))) }
    return (texts + cut).map(Value.string)
  }

  private func numbers(_ shape: SchemaShape) -> [Value] {
    let isWhole = !shape.types.contains(.number)
    let bounds = shape.numbers.compactMap(SchemaNumber.init).compactMap(\.integer)
    var whole = [1, 0] + bounds + bounds.flatMap { [$0 &+ 1, $0 &- 1] }
    for step in shape.multiples.compactMap({ SchemaNumber($0)?.integer }) where step != 0 {
      let starts = whole
      whole += [step] + starts.map { $0 / step &* step } + starts.map { ($0 / step &+ 1) &* step }
    }
    if bounds.count > 1 { whole.append((bounds[0] &+ bounds[1]) / 2) }
    let exact = isWhole ? [] : shape.numbers + shape.multiples + Self.means(shape.numbers)
    return whole.map(Value.int) + exact
  }

  /// Returns the numbers between two bounds with a fraction.
  private static func means(_ bounds: [Value]) -> [Value] {
    let numbers = bounds.compactMap { value -> Double? in Double(value.interpolated) }
    guard let least = numbers.min(), let most = numbers.max() else { return [] }
    return [(least + most) / 2, least + 0.5, most - 0.5].compactMap {
      Decimal("\($0)").map(Value.decimal)
    }
  }

  // MARK: - Collections

  private mutating func lists(_ shape: SchemaShape) -> [Value] {
    let least = shape.count(.minItems) ?? 0
    guard least <= Self.mostElements else { return [] }
    var values: [Value] = []
    for part in shape.contains {
      for _ in 0..<min(part.minimum, Self.mostElements) {
        if let value = sample([part.node]) { values.append(value) }
      }
    }
    let wanted = max(least, isBare ? 0 : min(1, shape.count(.maxItems) ?? 1))
    while values.count < wanted, let value = element(shape, at: values.count, after: values) {
      values.append(value)
    }
    return [.list(values)] + (least == 0 ? [.list([])] : [])
  }

  private mutating func element(_ shape: SchemaShape, at index: Int, after others: [Value])
    -> Value?
  {
    let node = shape.items.lazy.compactMap { items in
      index < items.first.count ? items.first[index] : items.rest
    }.first
    guard let node else { return .string(shape.isUnique ? "text\(index + 1)" : "text") }
    let value = sample([node])
    guard shape.isUnique, let value, others.contains(value) else { return value }
    let variants = candidates(SchemaShape(of: [node], in: code, choice: 0)) + value.variants(index)
    return variants.first { !others.contains($0) && isAllowed($0, node) }
  }

  private mutating func objects(_ shape: SchemaShape) -> [Value] {
    var required: [(String, Value)] = []
    for name in shape.required {
      guard let value = property(name, shape) else { return [] }
      required.append((name, value))
    }
    fill(&required, shape)
    if isBare { return [.map(ValueMap(required))] }
    let full = required + examples(besides: required.map(\.0), shape)
    return [.map(ValueMap(full)), .map(ValueMap(required))]
  }

  private mutating func property(_ name: String, _ shape: SchemaShape) -> Value? {
    let nodes = shape.nodes(of: name)
    return nodes.isEmpty ? .string("text") : sample(nodes)
  }

  /// Adds members until there are enough of them.
  private mutating func fill(_ members: inout [(String, Value)], _ shape: SchemaShape) {
    let least = min(shape.count(.minProperties) ?? 0, Self.mostElements)
    let others = (0..<least).map { "key\($0 + 1)" }
    for name in shape.properties.flatMap(\.names.names) + others where members.count < least {
      let isKnown = members.contains { $0.0.isIdentical(to: name) }
      if !isKnown, let value = property(name, shape) { members.append((name, value)) }
    }
  }

  /// The other properties of which the description has an example.
  private mutating func examples(
    besides names: [String], _ shape: SchemaShape
  ) -> [(String, Value)] {
    var members: [(String, Value)] = []
    for properties in shape.properties {
      for (name, node) in zip(properties.names.names, properties.nodes) {
        let isKnown = (names + members.map(\.0)).contains { $0.isIdentical(to: name) }
        guard !isKnown, !isReadOnly(node),
          let value = examples(of: node, orDefaults: false).first(where: { isAllowed($0, node) })
        else { continue }
        members.append((name, value))
      }
    }
    return members
  }
}

extension Value {
  /// Values near this one, for a list without equal elements.
  fileprivate func variants(_ index: Int) -> [Value] {
    switch self {
    case .string(let text): [.string(text + String(index + 1)), .string(text + text)]
    case .int(let number): [.int(number &+ index)]
    case .bool(let isTrue): [.bool(!isTrue)]
    default: []
    }
  }
}

extension SchemaFormat {
  /// A text in the format, or nil for one without a usual text.
  fileprivate var sample: String? {
    switch self {
    case .dateTime: "2024-01-31T12:00:00Z"
    case .date: "2024-01-31"
    case .time: "12:00:00Z"
    case .duration: "P1D"
    case .email, .idnEmail: "ann@example.org"
    case .hostname, .idnHostname: "example.org"
    case .ipv4: "192.0.2.1"
    case .ipv6: "2001:db8::1"
    case .uri, .uriReference, .iri, .iriReference, .uriTemplate: "https://example.org/"
    case .uuid: "123e4567-e89b-12d3-a456-426614174000"
    case .jsonPointer: "/a"
    case .relativeJSONPointer: "0"
    case .regex: "a"
    }
  }
}
