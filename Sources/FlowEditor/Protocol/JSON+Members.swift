internal import FlowSystem

extension JSON {
  /// An object of the members with values.
  static func fields(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    fields(members.map { ($0.key, $0.value) })
  }

  /// An object of the members with values.
  static func fields(_ members: [(String, JSON?)]) -> JSON {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  static func int(_ number: Int) -> JSON { .number("\(number)") }

  /// The whole number of 32 bits, as those of the protocols are, or nil for any other value.
  var int: Int? { if case .number(let text) = self { Int32(text).map(Int.init) } else { nil } }

  /// The truth value, or nil for any other value.
  var truth: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The elements of an array, empty for any other value.
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

  /// The members of an object, or nil for any other value.
  var objectMembers: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The part of a tree below some names, or nil.
  func at(_ names: String...) -> JSON? {
    var json: JSON? = self
    for name in names { json = json?[name] }
    return json
  }
}
