package import FlowCore
internal import FlowSchema
internal import FlowSystem

/// A value of a request with one change.
package struct ValueVariant: Sendable {
  /// The whole value.
  package let value: Value
  /// The JSON pointer to the changed part, empty for the whole.
  package let pointer: String
  /// The change: `is left out`, `is -1`.
  package let change: String
  /// True for a bound that the schema names: if it is valid, the description promises it.
  package let isBound: Bool
}

extension OpenAPISchema {
  /// Returns variants of a valid value, each with one change: bounds and their neighbours, other
  /// choices, members left out or added, and values of another type.
  ///
  /// Some are valid, and others are not. At most 400, in the order of the value.
  package func variants(of value: Value) -> [ValueVariant] {
    guard let code = (try? schema(in: .request))?.code else { return [] }
    var variants = SchemaVariants(code, store)
    variants.vary(value, [code.root], in: [], at: .root)
    return variants.found
  }

  /// Returns true for a valid value of a request, and also if the schema cannot tell.
  package func allows(_ value: Value) -> Bool {
    guard let schema = try? schema(in: .request) else { return true }
    return (try? schema.accepts(value)) ?? true
  }

  /// Returns a valid value of a request with no more than it needs, or nil.
  package func leastSample() -> Value? {
    guard let code = (try? schema(in: .request))?.code else { return nil }
    var sampler = SchemaSampler(code, store, isBare: true)
    return sampler.sample([code.root])
  }
}

/// A walk through a value beside its schema, which changes one place after the other.
private struct SchemaVariants {
  private static let most = 400
  private static let deepest = 6
  private static let mostChoices = 4
  private static let longest = 2_000

  /// A map or a list around the part that is varied.
  ///
  /// A closure in its place would be compiled once for each closure that it captures, and these once more.
  enum Layer {
    case member(Value, of: ValueMap)
    case first(of: [Value])

    /// The map or list with a part in its place.
    func with(_ part: Value) -> Value {
      switch self {
      case .member(let key, var map):
        map[key] = part
        return .map(map)
      case .first(let values): return .list([part] + values.dropFirst())
      }
    }
  }

  private let code: SchemaCode
  private let store: SchemaStore
  private(set) var found: [ValueVariant] = []

  init(_ code: SchemaCode, _ store: SchemaStore) { (self.code, self.store) = (code, store) }

  /// Varies the part of a value, with what is around it, innermost last.
  mutating func vary(
    _ value: Value, _ nodes: [Int], in layers: [Layer], at pointer: JSONPointer
  ) {
    let shapes = shapes(nodes)
    var known: [Value] = [value]
    for shape in shapes {
      let bounds = bounds(of: value, shape)
      for other in edges(of: value, shape) where !known.contains(other) {
        known.append(other)
        add(
          other, in: layers, pointer, "is \(other.summary(limit: 40))",
          isBound: bounds.contains(other))
      }
    }
    guard layers.count < Self.deepest else { return }
    switch value {
    case .map(let map): vary(map, shapes, in: layers, at: pointer)
    case .list(let values): vary(values, shapes, in: layers, at: pointer)
    default: break
    }
  }

  private mutating func add(
    _ part: Value, in layers: [Layer], _ pointer: JSONPointer, _ change: String,
    isBound: Bool = false
  ) {
    guard found.count < Self.most else { return }
    let value = layers.reversed().reduce(part) { part, layer in layer.with(part) }
    found.append(
      ValueVariant(value: value, pointer: "\(pointer)", change: change, isBound: isBound))
  }

  /// The demands on a value, one of them for each alternative.
  private func shapes(_ nodes: [Int]) -> [SchemaShape] {
    let first = SchemaShape(of: nodes, in: code, choice: 0)
    let others = (1..<max(1, min(first.choices, Self.mostChoices))).map {
      SchemaShape(of: nodes, in: code, choice: $0)
    }
    return [first] + others
  }

  // MARK: - Members and elements

  private mutating func vary(
    _ map: ValueMap, _ shapes: [SchemaShape], in layers: [Layer], at pointer: JSONPointer
  ) {
    for entry in map.entries {
      let name = entry.key.interpolated
      var without = map
      without[entry.key] = nil
      add(.map(without), in: layers, pointer.appending(name), "is left out")
      let nodes = shapes.lazy.map { $0.nodes(of: name) }.first { !$0.isEmpty } ?? []
      let inside = layers + [.member(entry.key, of: map)]
      vary(entry.value, nodes, in: inside, at: pointer.appending(name))
    }
    for name in shapes.flatMap({ $0.properties.flatMap(\.names.names) }).unique
    where map[name] == nil {
      let nodes = shapes.lazy.map { $0.nodes(of: name) }.first { !$0.isEmpty } ?? []
      guard let value = sample(nodes) else { continue }
      let inside = layers + [.member(.string(name), of: map)]
      add(value, in: inside, pointer.appending(name), "is \(value.summary(limit: 40))")
      vary(value, nodes, in: inside, at: pointer.appending(name))
    }
    guard map["unexpected"] == nil else { return }
    let inside = layers + [.member(.string("unexpected"), of: map)]
    add(.int(1), in: inside, pointer.appending("unexpected"), "is 1")
  }

  private mutating func vary(
    _ values: [Value], _ shapes: [SchemaShape], in layers: [Layer], at pointer: JSONPointer
  ) {
    guard let first = values.first, let items = shapes.lazy.compactMap(\.items.first).first,
      let node = items.first.first ?? items.rest
    else { return }
    vary(first, [node], in: layers + [.first(of: values)], at: pointer.appending(0))
  }

  private func sample(_ nodes: [Int]) -> Value? {
    if nodes.isEmpty { return nil }
    var sampler = SchemaSampler(code, store, isBare: true)
    return sampler.sample(nodes)
  }

  // MARK: - Values

  /// The bounds of a number, and texts and lists of a length that is a bound.
  private func bounds(of value: Value, _ shape: SchemaShape) -> [Value] {
    switch value {
    case .string(let text) where shape.patterns.isEmpty && shape.formats.isEmpty:
      [Keyword.Count.minLength, .maxLength].compactMap(shape.count)
        .filter { 1...Self.longest ~= $0 }.map { .string(text.padded(to: $0)) }
    case .string, .list, .map, .bool, .null: []
    default: shape.numbers
    }
  }

  private func edges(of value: Value, _ shape: SchemaShape) -> [Value] {
    let own = shape.values.map { Array($0.prefix(8)) } ?? []
    let near: [Value] =
      switch value {
      case .string(let text): texts(text, shape)
      case .list(let values): lists(values, shape)
      case .bool(let isTrue): [.bool(!isTrue)]
      case .map: []
      case .null: []
      default: numbers(shape)
      }
    return own + near + others(value)
  }

  /// Values of other types.
  ///
  /// None that a lenient reader would take for the wanted one, as `"1"` for 1 or 1 for true.
  private func others(_ value: Value) -> [Value] {
    switch value {
    case .string: [.null, .map(ValueMap()), .int(7)]
    case .map: [.null, .list([]), .string("text")]
    case .list: [.null, .map(ValueMap()), .string("text")]
    default: [.null, .string("text"), .list([])]
    }
  }

  private func numbers(_ shape: SchemaShape) -> [Value] {
    let bounds = shape.numbers.compactMap(SchemaNumber.init).compactMap(\.integer)
    let near = bounds.flatMap { [$0, $0 &- 1, $0 &+ 1] }
    let steps = shape.multiples.compactMap { SchemaNumber($0)?.integer }.flatMap { [$0, $0 &+ 1] }
    let ends = [0, -1, 1, 2_147_483_648, Int.max, -2_147_483_649]
    let parts: [Value] = Decimal("0.5").map { [.decimal($0)] } ?? []
    return (near + steps + ends).unique.map(Value.int) + shape.numbers + parts
  }

  private func texts(_ text: String, _ shape: SchemaShape) -> [Value] {
    var texts = ["", "text", " ", "é🙂", "a'\"<b>", "\u{0}"]
    for count in [Keyword.Count.minLength, .maxLength].compactMap(shape.count) {
      for length in [count - 1, count, count + 1] where 0...Self.longest ~= length {
        texts.append(String(repeating: "a", count: length))
        texts.append(text.padded(to: length))
      }
    }
    if shape.count(.maxLength) == nil { texts.append(String(repeating: "a", count: 300)) }
    for pattern in shape.patterns { texts += PatternSample.texts(for: pattern, least: 0) }
    return texts.unique.map(Value.string)
  }

  private func lists(_ values: [Value], _ shape: SchemaShape) -> [Value] {
    let node = shape.items.first.flatMap { $0.first.first ?? $0.rest }
    guard let first = values.first ?? node.flatMap({ sample([$0]) }) else { return [.list([])] }
    let counts = [Keyword.Count.minItems, .maxItems].compactMap(shape.count)
    let lengths = counts.flatMap { [$0 - 1, $0, $0 + 1] } + [1, 2]
    return [.list([])]
      + lengths.unique.filter { 1...100 ~= $0 }.map { .list(Array(repeating: first, count: $0)) }
  }
}

extension String {
  /// The text cut to a number of scalars, or repeated up to it.
  fileprivate func padded(to count: Int) -> String {
    let scalars = unicodeScalars
    guard !scalars.isEmpty, count > 0 else { return "" }
    var text = String.UnicodeScalarView()
    while text.count < count { text.append(contentsOf: scalars.prefix(count - text.count)) }
    return String(text)
  }
}
