internal import FlowCore

extension ValueType {
  /// What an optional type wraps; every other is itself.
  var unwrapped: ValueType {
    if case .optional(let wrapped) = self { return wrapped.unwrapped }
    return self
  }

  /// The type of the elements, where it is known.
  var element: ValueType {
    if case .list(let element) = unwrapped { return element }
    return .dynamic
  }

  /// The type of a member, where it is known.
  func member(_ name: String) -> ValueType {
    switch unwrapped {
    case .map(let element): element
    case .record(let record): record.index(of: name).map { record.fields[$0].type } ?? .dynamic
    default: .dynamic
    }
  }
}
