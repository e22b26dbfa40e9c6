package import FlowCore

/// A place in an answer or an input, as `volatile`, `secret` and `varies` name it: `json.items[*].id`.
public struct ValuePath: Sendable, Hashable {
  /// One step inwards.
  public enum Step: Sendable, Hashable {
    /// To the field or key of this name.
    case field(String)
    /// To the element at this index, from 0.
    case index(Int)
    /// To every element.
    case every
    /// To the value itself and to all values inside of it, at any depth.
    case anywhere
    /// To the named parts of a text.
    case part(TextTemplate)
  }

  /// The steps, from the outside in.
  ///
  /// Not empty.
  public let steps: [Step]
  /// The path as it is written.
  public let text: String

  /// Reads names joined by points, with indices and `[*]` after them.
  ///
  /// `**` before a name stands for any way to it: `json.**.id`. A template behind `=` stands for its
  /// named parts: `path=/orders/{id}`.
  ///
  /// Nil for another text.
  public init?(_ text: String) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let template = sides.count == 2 ? TextTemplate(String(sides[1])) : nil
    let place = template == nil ? text[...] : sides[0]
    var steps: [Step] = []
    for (number, part) in place.split(separator: ".", omittingEmptySubsequences: false).enumerated()
    {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      guard let name = pieces.first, !name.isEmpty || number == 0 && pieces.count > 1 else {
        return nil
      }
      if name == "**", part != "**" || steps.last == .anywhere { return nil }
      if steps.last == .anywhere, name.isEmpty { return nil }
      if part == "**" {
        steps.append(.anywhere)
        continue
      }
      if !name.isEmpty { steps.append(.field(String(name))) }
      for piece in pieces.dropFirst() {
        guard piece.last == "]", let step = Self.element(piece.dropLast()) else { return nil }
        steps.append(step)
      }
    }
    if steps.last == .anywhere { return nil }
    if let template { steps.append(.part(template)) }
    self.steps = steps
    self.text = text
  }

  /// Returns paths as a list of YAML on one line, `[json.id, 'json.items[*].id']`.
  package static func list(_ paths: [String]) -> String {
    "[" + paths.map(quoted).joined(separator: ", ") + "]"
  }

  /// Returns a path as a string of YAML.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || [0x2D, 0x2E, 0x5F].contains($0)
    }
    // A number would not be text.
    let isText = path.utf8.first.map { $0 > UInt8(ascii: "9") } ?? false
    return isPlain && isText ? path : "'\(path.replacing("'", with: "''"))'"
  }

  private static func element(_ text: Substring) -> Step? {
    if text == "*" { return .every }
    return UInt32(text).map { .index(Int($0)) }
  }

  /// A step to nothing.
  package struct Misstep {
    /// The part of the path before it, may be empty.
    package let place: String
    /// Its text.
    package let name: String
    /// The existing fields.
    package let fields: [String]
    /// The type that it takes for a list, or nil for a field.
    package var noList: ValueType? = nil
  }

  /// The end of a path in values of a type.
  package enum End {
    /// A value of this type, `dynamic` if only the run knows it.
    case value(ValueType)
    /// Nothing, because of this step.
    case nothing(Misstep)
  }

  /// Follows the path in values of a type.
  package func end(in type: ValueType) -> End { Self.end(of: steps[...], in: type, after: "") }

  private static func end(
    of steps: ArraySlice<Step>, in type: ValueType, after place: String
  ) -> End {
    guard let step = steps.first else { return .value(type) }
    let (rest, unwrapped) = (steps.dropFirst(), type.unwrapped)
    let isJoined = place.isEmpty || step.text.hasPrefix("[")
    let next = isJoined ? place + step.text : "\(place).\(step.text)"
    switch (step, unwrapped) {
    case (.anywhere, _): return anyEnd(of: rest, in: unwrapped, after: next)
    case (.field(let name), .record(let record)):
      guard let field = record.field(name) else {
        return .nothing(Misstep(place: place, name: name, fields: record.fields.map(\.name)))
      }
      return end(of: rest, in: field.type, after: next)
    case (.field, .map(let element)), (.index, .list(let element)), (.every, .list(let element)):
      return end(of: rest, in: element, after: next)
    case (_, .dynamic): return .value(.dynamic)
    case (.part, .string): return .value(.string)
    case (.field(let name), _): return .nothing(Misstep(place: place, name: name, fields: []))
    default:
      return .nothing(Misstep(place: place, name: step.text, fields: [], noList: type))
    }
  }

  /// The common end of a path in a type and in those inside of it, `dynamic` for several.
  private static func anyEnd(
    of steps: ArraySlice<Step>, in type: ValueType, after place: String
  ) -> End {
    var (found, furthest, names) = ([ValueType](), Misstep?.none, Set<String>())
    for inner in type.withAllInside {
      if case .record(let record) = inner { names.formUnion(record.fields.map(\.name)) }
      switch end(of: steps, in: inner, after: place) {
      case .value(let end): found.append(end)
      case .nothing(let misstep) where misstep.place.utf8.count > place.utf8.count:
        furthest = furthest ?? misstep
      case .nothing: break
      }
    }
    if let first = found.first {
      return .value(found.allSatisfy { $0 == first } ? first : .dynamic)
    }
    return .nothing(
      furthest ?? Misstep(place: place, name: steps.first?.text ?? "", fields: names.sorted()))
  }

  /// Returns the values at the path in a value, none for a missing one.
  package func values(in value: Value) -> [Value] {
    steps.reduce([value]) { values, step in values.flatMap { step.values(in: $0) } }
  }

  /// The innermost field of the path.
  package var field: String {
    for case .field(let name) in steps.reversed() { return name }
    return ""
  }
}

extension ValuePath.Step {
  fileprivate var text: String {
    switch self {
    case .field(let name): name
    case .index(let index): "[\(index)]"
    case .every: "[*]"
    case .anywhere: "**"
    case .part(let template): template.text
    }
  }

  /// The values one step inwards.
  fileprivate func values(in value: Value) -> [Value] {
    switch (self, value) {
    case (.anywhere, _): value.withAllInside
    case (_, .optional(let value)): value.map(values) ?? []
    case (.field(let name), .record(let record)):
      record.type.index(of: name).map { [record.values[$0]] } ?? []
    case (.field(let name), .map(let map)): map[.string(name)].map { [$0] } ?? []
    case (.index(let index), .list(let list)): index < list.count ? [list[index]] : []
    case (.every, .list(let list)): list
    case (.part(let template), .string(let text)):
      (template.parts(of: text) ?? []).map(Value.string)
    default: []
    }
  }
}

extension ValueType {
  /// The type and all types inside of it, each record once.
  fileprivate var withAllInside: [ValueType] {
    var (all, waiting, records) = ([ValueType](), [self], Set<ObjectIdentifier>())
    while let type = waiting.popLast()?.unwrapped {
      switch type {
      case .list(let element), .map(let element): waiting.append(element)
      case .record(let record):
        guard records.insert(ObjectIdentifier(record)).inserted else { continue }
        waiting += record.fields.map(\.type)
      default: break
      }
      all.append(type)
    }
    return all
  }
}

extension Value {
  /// The value and all values inside of it.
  fileprivate var withAllInside: [Value] {
    switch self {
    case .record(let record): [self] + record.values.flatMap(\.withAllInside)
    case .map(let map): [self] + map.entries.flatMap(\.value.withAllInside)
    case .list(let values): [self] + values.flatMap(\.withAllInside)
    case .optional(let value): value?.withAllInside ?? []
    default: [self]
    }
  }
}
