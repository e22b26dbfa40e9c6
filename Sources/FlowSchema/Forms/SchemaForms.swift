public import FlowCore

extension Schema: DescribedValues {
  /// Returns the other forms of each part of a value that the schema allows, by the part's place.
  ///
  /// Where no other form is allowed, any other value of the same type is one. The work is
  /// proportional to the size of the value: parts that are reached later have no place.
  public func otherForms(of value: Value) -> [FieldPath: [OtherForm]] {
    guard let plain = PlainValue.of(value) else { return [:] }
    var forms = SchemaForms(code, for: plain)
    // A limit ends the walk, and what was found before remains.
    _ = try? forms.visit(plain, [code.root])
    return forms.found
  }

  /// Returns the value with one part of it changed as the schema allows, or nil if it describes no
  /// part that can be changed.
  public func otherValue(of value: Value) -> Value? {
    guard let plain = PlainValue.of(value) else { return nil }
    var forms = SchemaForms(code, for: plain)
    // Without an answer for a value that is too large to be walked through.
    guard let other = try? forms.visit(plain, [code.root]) else { return nil }
    return (try? validate(other))?.all.isEmpty == true ? other : nil
  }
}

/// A walk through a value beside its schema, which collects other allowed values of each part.
private struct SchemaForms {
  private static let deepest = 64
  private static let deepestReference = 100
  private static let stepsOfPart = 256
  private static let leastSteps = 10_000

  /// A value around the part at hand, and the schemas that see more than one of its parts.
  private struct Around {
    let value: Value
    let nodes: [Int]
    /// The number of steps to it.
    let depth: Int
  }

  /// The other forms by the places of the parts.
  private(set) var found: [FieldPath: [OtherForm]] = [:]
  private let code: SchemaCode
  private var validator: Validator
  private var steps: [FieldPath.Step] = []
  /// The outermost value whose parts depend on each other, or nil.
  private var around: Around?

  init(_ code: SchemaCode, for value: Value) {
    var limits = code.limits
    limits.steps = min(limits.steps, Self.leastSteps + Self.stepsOfPart * value.partCount)
    self.code = SchemaCode(
      nodes: code.nodes, root: code.root, dynamicAnchors: code.dynamicAnchors, limits: limits)
    validator = Validator(self.code, isQuick: true)
  }

  /// Collects the forms of a part that these nodes describe.
  ///
  /// - Returns: The part with one alteration in it, or nil without any.
  mutating func visit(_ value: Value, _ nodes: [Int]) throws(SchemaError) -> Value? {
    guard !nodes.isEmpty, steps.count < Self.deepest else { return nil }
    let own = try applying(nodes, to: value)
    guard own.contains(where: \.isDescribed) else { return nil }
    let before = around
    if around == nil, value.hasParts, own.contains(where: \.relatesParts) {
      around = Around(value: value, nodes: nodes, depth: steps.count)
    }
    let altered: Value? =
      switch value {
      case .list(let elements): try visit(elements, nodes, own)
      case .map(let map): try visit(map, nodes, own)
      default: try visit(scalar: value, nodes, own)
      }
    around = before
    return altered
  }

  // MARK: - Values

  private mutating func visit(
    scalar value: Value, _ nodes: [Int], _ own: [SchemaNode]
  ) throws(SchemaError) -> Value? {
    let forms = ScalarForms(of: value, own)
    var allowed: [OtherForm] = []
    for group in forms.groups where group.isAlways || allowed.isEmpty {
      var count = 0
      for form in group.forms where count < group.limit {
        guard let other = form.value, try isAllowed(other, nodes) else { continue }
        (count, allowed) = (count + 1, allowed + [form])
      }
    }
    allowed = allowed.unlike(value)
    if allowed.isEmpty { allowed = value.otherForms(.dynamic) }
    found[FieldPath(steps)] = allowed + (try null(for: value, nodes))
    return allowed.first?.value
  }

  /// Returns null in place of a value, if the schema names it and allows it.
  ///
  /// A schema without `type` allows null as well, and does not mean it.
  private mutating func null(
    for value: Value, _ nodes: [Int]
  ) throws(SchemaError) -> [OtherForm] {
    guard value != .null, try applying(nodes, to: .null).contains(where: \.namesNull),
      try isAllowed(.null, nodes)
    else { return [] }
    return [OtherForm(.null, .null)]
  }

  /// Returns true if a value may stand in the place of the part at hand.
  private mutating func isAllowed(_ value: Value, _ nodes: [Int]) throws(SchemaError) -> Bool {
    try allows(value, nodes) ? try isAllowedAround(value) : false
  }

  /// Returns true if the values around allow another part, or none, in the place at hand.
  private mutating func isAllowedAround(_ part: Value?) throws(SchemaError) -> Bool {
    guard let around else { return true }
    guard let whole = around.value.replacing(steps[around.depth...], with: part) else {
      return false
    }
    return try allows(whole, around.nodes)
  }

  private mutating func allows(_ value: Value, _ nodes: [Int]) throws(SchemaError) -> Bool {
    for node in nodes {
      guard try allows(value, node) else { return false }
    }
    return true
  }

  private mutating func allows(_ value: Value, _ node: Int) throws(SchemaError) -> Bool {
    var none = Evaluated(isWanted: false)
    return try validator.allows(node, value, &none)
  }

  // MARK: - Lists and maps

  private mutating func visit(
    _ elements: [Value], _ nodes: [Int], _ own: [SchemaNode]
  ) throws(SchemaError) -> Value? {
    let shape = SchemaShape(ofKeywordsOf: own)
    var altered: Value?
    var last: Value?
    for (index, element) in elements.enumerated() {
      steps.append(.index(index))
      last = try visit(element, shape.nodes(at: index))
      steps.removeLast()
      if altered == nil, let last {
        altered = .list(elements[..<index] + [last] + elements[(index + 1)...])
      }
    }
    var forms: [OtherForm] = []
    for (change, others) in elements.otherLengths where shape.allows(count: others.count) {
      var others = others
      if change == .lengthened {
        if shape.isUnique, let last { others[elements.count] = last }
        let place = shape.nodes(at: elements.count)
        guard try allows(others[elements.count], place) else { continue }
      }
      if try isAllowedAround(.list(others)) { forms.append(OtherForm(change, .list(others))) }
    }
    found[FieldPath(steps)] = forms + (try null(for: .list(elements), nodes))
    return altered
  }

  private mutating func visit(
    _ map: ValueMap, _ nodes: [Int], _ own: [SchemaNode]
  ) throws(SchemaError) -> Value? {
    let shape = SchemaShape(ofKeywordsOf: own)
    let mayLose = map.count > shape.count(.minProperties) ?? 0
    let required = Set(shape.required)
    var altered: Value?
    let null = try null(for: .map(map), nodes)
    if !null.isEmpty { found[FieldPath(steps)] = null }
    for entry in map.entries {
      let name = entry.key.interpolated
      let inner = shape.nodes(of: name)
      steps.append(.field(name))
      let other = try visit(entry.value, inner)
      if mayLose, !inner.isEmpty, !required.contains(name), try isAllowedAround(nil) {
        let forms = found[FieldPath(steps)] ?? entry.value.otherForms(.dynamic)
        found[FieldPath(steps)] = forms + [OtherForm(.missing, nil)]
      }
      steps.removeLast()
      if altered == nil, let other {
        var copy = map
        copy[entry.key] = other
        altered = .map(copy)
      }
    }
    return altered
  }

  // MARK: - Nodes

  /// Returns the nodes that apply to a value beside these: those that they refer to, and those of
  /// their alternatives that allow it.
  ///
  /// All alternatives apply to a value without parts: each may name another value.
  private mutating func applying(
    _ nodes: [Int], to value: Value
  ) throws(SchemaError) -> [SchemaNode] {
    var (all, seen): ([SchemaNode], Set<Int>) = ([], [])
    for node in nodes { try add(node, to: &all, value, &seen, levels: Self.deepestReference) }
    return all
  }

  private mutating func add(
    _ number: Int, to all: inout [SchemaNode], _ value: Value, _ seen: inout Set<Int>, levels: Int
  ) throws(SchemaError) {
    guard levels > 0, seen.insert(number).inserted else { return }
    try validator.take(1, number)
    let node = code.nodes[number]
    all.append(node)
    for keyword in node.keywords {
      for inner in try inner(keyword, value) {
        try add(inner, to: &all, value, &seen, levels: levels - 1)
      }
    }
  }

  /// The nodes of a keyword that apply to the same value.
  private mutating func inner(
    _ keyword: Keyword, _ value: Value
  ) throws(SchemaError) -> [Int] {
    switch keyword {
    case .reference(let target), .dynamicReference(_, let target): return [target]
    case .allOf(let nodes): return nodes
    case .anyOf(let nodes), .oneOf(let nodes):
      if !value.hasParts { return nodes }
      var chosen: [Int] = []
      for node in nodes where try allows(value, node) { chosen.append(node) }
      return chosen
    case .condition(let condition):
      let branch = try allows(value, condition.condition) ? condition.then : condition.otherwise
      return branch.map { [$0] } ?? []
    case .dependentSchemas(let dependents):
      guard case .map(let map) = value else { return [] }
      return dependents.filter { map[$0.name] != nil }.map(\.node)
    default: return []
    }
  }
}

extension SchemaShape {
  /// The nodes of an element, none if nothing is demanded of it.
  fileprivate func nodes(at index: Int) -> [Int] {
    items.compactMap { index < $0.first.count ? $0.first[index] : $0.rest }
  }

  fileprivate func allows(count: Int) -> Bool {
    count >= self.count(.minItems) ?? 0 && count <= self.count(.maxItems) ?? .max
  }
}

extension SchemaNode {
  /// True if it says something of its values itself.
  fileprivate var isDescribed: Bool {
    if isNever || format != nil || !examples.isEmpty { return true }
    return keywords.contains { keyword in
      switch keyword {
      case .reference, .dynamicReference, .allOf, .anyOf, .oneOf, .subtypes: false
      default: true
      }
    }
  }

  /// True if null is among its types or values.
  fileprivate var namesNull: Bool {
    keywords.contains { keyword in
      switch keyword {
      case .type(let types): types.contains(.null)
      case .constant(let value): value == .null
      case .enumeration(let set): set.values.contains(.null)
      default: false
      }
    }
  }

  /// True if one part of a value may decide whether another one is allowed.
  fileprivate var relatesParts: Bool {
    keywords.contains { keyword in
      switch keyword {
      case .constant, .enumeration, .uniqueItems, .dependentRequired, .dynamicReference, .contains,
        .dependentSchemas, .anyOf, .oneOf, .not, .condition, .unevaluatedItems,
        .unevaluatedProperties:
        true
      default: false
      }
    }
  }
}

extension Value {
  fileprivate var hasParts: Bool {
    switch self {
    case .list, .map: true
    default: false
    }
  }

  /// The number of values in it, and of itself.
  fileprivate var partCount: Int {
    switch self {
    case .list(let elements): elements.reduce(1) { $0 + $1.partCount }
    case .map(let map): map.entries.reduce(1) { $0 + $1.value.partCount }
    default: 1
    }
  }

  /// Returns the value with another part at a place, or without a member, or nil without the place.
  fileprivate func replacing(_ path: ArraySlice<FieldPath.Step>, with part: Value?) -> Value? {
    guard let step = path.first else { return part }
    let rest = path.dropFirst()
    switch (step, self) {
    case (.field(let name), .map(var map)):
      guard let value = map[name] else { return nil }
      if rest.isEmpty {
        map[.string(name)] = part
      } else {
        guard let inner = value.replacing(rest, with: part) else { return nil }
        map[.string(name)] = inner
      }
      return .map(map)
    case (.index(let index), .list(var elements)) where elements.indices.contains(index):
      guard let inner = elements[index].replacing(rest, with: part) else { return nil }
      elements[index] = inner
      return .list(elements)
    default: return nil
    }
  }
}
