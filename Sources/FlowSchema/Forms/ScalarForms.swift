internal import FlowCore
internal import FlowSystem

/// Other values that a schema may allow in the place of a text, a number, a truth value or null.
struct ScalarForms {
  /// Some forms, the likeliest first.
  struct Group {
    let forms: [OtherForm]
    /// The greatest number of allowed forms that count.
    var limit = Int.max
    /// True if they are tried even if an earlier group has allowed ones.
    var isAlways = true
  }

  // Of an `enum` of hundreds, most are allowed, so the first ones are enough.
  private static let mostTried = 50

  /// The groups in the order of their alterations.
  let groups: [Group]

  /// Collects the forms in the keywords of the nodes that apply to a value.
  init(of value: Value, _ nodes: [SchemaNode]) {
    let named = Self.named(nodes).filter { $0 != value && $0 != .null }.prefix(Self.mostTried)
      .map { OtherForm(.named($0), $0) }
    let names = Group(forms: Array(named), limit: Value.mostNamedForms)
    switch value {
    case .string(let text):
      groups = [
        names, Group(forms: Self.past(before: text, nodes)),
        Group(forms: Self.texts(near: text), limit: 1, isAlways: false),
      ]
    case .null:
      groups = [names, Group(forms: Self.present(nodes), limit: 1, isAlways: false)]
    case .bool: groups = [Group(forms: value.otherForms(.dynamic))]
    default:
      groups = [
        Group(forms: Self.numbers(near: value, nodes)), Group(forms: Self.bounds(nodes)), names,
      ]
    }
  }

  /// The values of `enum`, `const`, `examples` and `example`, without those that have parts.
  private static func named(_ nodes: [SchemaNode]) -> [Value] {
    let values = nodes.flatMap { node -> [Value] in
      node.keywords.flatMap { keyword -> [Value] in
        switch keyword {
        case .constant(let value): [value]
        case .enumeration(let set): Array(set.values.prefix(mostTried))
        default: []
        }
      } + node.examples.prefix(mostTried)
    }
    return values.compactMap(PlainValue.of).filter { value in
      switch value {
      case .list, .map: false
      default: true
      }
    }
  }

  /// A value of each type that is allowed in place of null.
  private static func present(_ nodes: [SchemaNode]) -> [OtherForm] {
    let values: [Value] = [.string("x"), .int(0), .bool(false), .list([]), .map(ValueMap())]
    return values.map { OtherForm(.present, $0) }
  }

  // MARK: - Texts

  private static func past(before text: String, _ nodes: [SchemaNode]) -> [OtherForm] {
    guard let past = Timestamp.past(before: text) else { return [] }
    if nodes.contains(where: { $0.format == .dateTime }) {
      return [OtherForm(.past, .string(past))]
    }
    guard nodes.contains(where: { $0.format == .date }) else { return [] }
    return [OtherForm(.past, .string(String(past.prefix(10))))]
  }

  /// The text with a sign more, and with another letter or digit at its end or at its start.
  private static func texts(near text: String) -> [OtherForm] {
    let usual = Value.string(text).otherForms(.dynamic)
    let scalars = Array(text.unicodeScalars)
    let places = [
      scalars.lastIndex(where: \.isPlain), scalars.firstIndex(where: \.isPlain),
    ].compactMap(\.self)
    let near = places.flatMap { place in
      scalars[place].neighbours.map { neighbour in
        var scalars = scalars
        scalars[place] = neighbour
        return String(String.UnicodeScalarView(scalars))
      }
    }
    return usual + near.map { OtherForm(.text, .string($0)) }
  }

  // MARK: - Numbers

  /// The next number and the negated one, or the next multiple if only multiples are allowed.
  private static func numbers(near value: Value, _ nodes: [SchemaNode]) -> [OtherForm] {
    let steps = nodes.flatMap(\.keywords).compactMap { keyword -> OtherForm? in
      guard case .multiple(_, let step) = keyword, let sum = value.adding(step) else { return nil }
      return OtherForm(.next, sum)
    }
    let usual = value.otherForms(.dynamic)
    return steps.isEmpty ? usual : steps.prefix(1) + usual.filter { $0.change != .next }
  }

  /// The least and the greatest number, and zero.
  private static func bounds(_ nodes: [SchemaNode]) -> [OtherForm] {
    let forms = nodes.flatMap(\.keywords).compactMap { keyword -> OtherForm? in
      guard case .bound(let bound, let number, let value) = keyword else { return nil }
      switch bound {
      case .minimum: return OtherForm(.minimum, value)
      case .maximum: return OtherForm(.maximum, value)
      // Of numbers with a fraction, none is the least one above another.
      case .exclusiveMinimum:
        return number.integer.flatMap { $0 < .max ? OtherForm(.minimum, .int($0 + 1)) : nil }
      case .exclusiveMaximum:
        return number.integer.flatMap { $0 > .min ? OtherForm(.maximum, .int($0 - 1)) : nil }
      }
    }
    return forms + [OtherForm(.zero, .int(0))]
  }
}

extension Unicode.Scalar {
  private static let ranges: [ClosedRange<Unicode.Scalar>] = ["0"..."9", "a"..."z", "A"..."Z"]

  fileprivate var isPlain: Bool { Self.ranges.contains { $0 ~= self } }

  /// The letters or digits beside it.
  fileprivate var neighbours: [Unicode.Scalar] {
    guard let range = Self.ranges.first(where: { $0 ~= self }) else { return [] }
    return [value + 1, value - 1].compactMap(Unicode.Scalar.init).filter { range ~= $0 }
  }
}

extension Value {
  fileprivate func adding(_ step: Value) -> Value? {
    switch (self, step) {
    case (.int(let number), .int(let step)):
      let (sum, overflow) = number.addingReportingOverflow(step)
      return overflow ? nil : .int(sum)
    default: return nil
    }
  }
}
