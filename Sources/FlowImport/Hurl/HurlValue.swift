internal import FlowCore

/// What a query of Hurl reads from an answer, as an expression.
struct HurlValue: Equatable {
  enum Kind { case any, text, int, double, list, bytes, duration }

  /// What a comparison of bytes reads.
  struct Bytes: Equatable {
    /// The bytes themselves.
    let code: String
    /// The same as a text, and its size in bytes; nil for what is no body.
    var text: (code: String, size: String)?

    static func == (left: Bytes, right: Bytes) -> Bool { left.code == right.code }
  }

  /// The value; an error where there is none.
  var code: String
  var kind: Kind
  /// A short condition for there being such a value; nil where there always is one.
  var found: String?
  /// Conditions that hold together exactly if there is one; never an error, and empty for always.
  var exact: [String] = []
  /// The same for the predicate `exists`, if that asks for more.
  var exists: [String]?
  /// What a filter or a predicate demands of the value, also of one that is negated.
  var requirements: [String] = []
  /// Conditions that tell an answer that cannot be read from one that has no such value.
  var guards: [String] = []
  /// The name of what it is, for values that are secrets.
  var name = ""
  /// What is between the values of a header.
  var separator: String?
  var bytes: Bytes?
  /// True for the result of a filter.
  var isFiltered = false
  /// True for what was read of a header that is taken for several ones.
  var isSplit = false

  /// What is between the values of headers of one name.
  static let comma = "', '"

  init(_ code: String, _ kind: Kind, found: String? = nil, name: String = "") {
    self.code = code
    self.kind = kind
    self.found = found
    exact = found.map { [$0] } ?? []
    self.name = name
  }

  /// The value as a list, for a filter of lists.
  func list(for filter: String) throws(HurlProblem) -> String {
    if let separator { return "\(code).split(\(separator))" }
    guard kind == .any || kind == .list else { throw .gap("the filter '\(filter)' of this value") }
    return code
  }

  /// The result of a filter of this value, which was there.
  func result(_ code: String, _ kind: Kind, requiring requirement: String? = nil) -> HurlValue {
    var result = HurlValue(code, kind)
    result.requirements = requirements + (requirement.map { [$0] } ?? [])
    result.guards = guards
    result.isFiltered = true
    result.isSplit = isSplit || separator == Self.comma
    return result
  }

  /// The condition that there is such a value, by which a capture is judged; nil where there always is one.
  var captured: String? {
    let there = found ?? (isFiltered ? "size([\(code)]) == 1" : nil)
    let all = requirements + (there.map { [$0] } ?? [])
    return all.isEmpty ? nil : all.joined(separator: " && ")
  }
}
