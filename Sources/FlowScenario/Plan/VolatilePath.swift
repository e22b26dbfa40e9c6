internal import FlowCore

/// A place in an answer that differs from run to run, as `volatile` on a step names it: `json.items[*].id`.
public struct VolatilePath: Sendable, Hashable {
  /// One step inwards.
  public enum Step: Sendable, Hashable {
    /// To the field or key of this name.
    case field(String)
    /// To the element at this index, from 0.
    case index(Int)
    /// To every element.
    case every
  }

  /// The steps, from the outside in.
  ///
  /// Not empty.
  public let steps: [Step]
  /// The path as it is written.
  public let text: String

  /// Reads names joined by points, with indices and `[*]` after them.
  ///
  /// Nil for another text.
  public init?(_ text: String) {
    var steps: [Step] = []
    for (number, part) in text.split(separator: ".", omittingEmptySubsequences: false).enumerated()
    {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      guard let name = pieces.first, !name.isEmpty || number == 0 && pieces.count > 1 else {
        return nil
      }
      if !name.isEmpty { steps.append(.field(String(name))) }
      for piece in pieces.dropFirst() {
        guard piece.last == "]", let step = Self.element(piece.dropLast()) else { return nil }
        steps.append(step)
      }
    }
    self.steps = steps
    self.text = text
  }

  private static func element(_ text: Substring) -> Step? {
    if text == "*" { return .every }
    return UInt32(text).map { .index(Int($0)) }
  }

  /// A step to nothing.
  struct Misstep {
    /// The part of the path before it, may be empty.
    let place: String
    /// Its text.
    let name: String
    /// The existing fields.
    let fields: [String]
    /// The type that it takes for a list, or nil for a field.
    var noList: ValueType? = nil
  }

  /// Returns the first step to nothing in values of a type, or nil.
  func misstep(in type: ValueType) -> Misstep? {
    var (type, place) = (type, "")
    for step in steps {
      switch (step, type.unwrapped) {
      case (.field(let name), .record(let record)):
        guard let index = record.index(of: name) else {
          return Misstep(place: place, name: name, fields: record.fields.map(\.name))
        }
        type = record.fields[index].type
      case (.field, .map(let element)), (.index, .list(let element)), (.every, .list(let element)):
        type = element
      case (_, .dynamic): return nil
      case (.field(let name), _): return Misstep(place: place, name: name, fields: [])
      default: return Misstep(place: place, name: step.text, fields: [], noList: type)
      }
      place += place.isEmpty || step.text.hasPrefix("[") ? step.text : "." + step.text
    }
    return nil
  }
}

extension VolatilePath.Step {
  fileprivate var text: String {
    switch self {
    case .field(let name): name
    case .index(let index): "[\(index)]"
    case .every: "[*]"
    }
  }
}
