public import FlowCore

extension Value {
  /// The member of a map, or nil.
  public subscript(name: String) -> Value? {
    if case .map(let map) = self { map[name] } else { nil }
  }

  /// The string, or nil.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The elements of a list, or nil.
  public var list: [Value]? { if case .list(let elements) = self { elements } else { nil } }
  /// The map, or nil.
  public var map: ValueMap? { if case .map(let map) = self { map } else { nil } }
}
