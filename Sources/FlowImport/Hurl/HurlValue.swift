internal import FlowCore

/// The value of a Hurl query on an answer, as an expression.
struct HurlValue: Equatable {
  enum Kind { case any, text, int, double, list, bytes, duration }

  /// The operands of a comparison of bytes.
  struct Bytes: Equatable {
    /// The bytes themselves.
    let code: String
    /// The bytes as a text, and their size, or nil for anything other than a body.
    var text: (code: String, size: String)?

    static func == (left: Bytes, right: Bytes) -> Bool { left.code == right.code }
  }

  /// The code of the value.
  ///
  /// It fails without a value.
  var code: String
  var kind: Kind
  /// A short condition for the value's existence, or nil if it always exists.
  var found: String?
  /// The conditions that together hold exactly if it exists.
  ///
  /// Never an error, and empty for always.
  var exact: [String] = []
  /// The conditions for the predicate `exists`, if it tests for more.
  var exists: [String]?
  /// The requirements of a filter or a predicate for the value, also of a negated one.
  var requirements: [String] = []
  /// The conditions that distinguish an unreadable answer from an answer without such a value.
  var guards: [String] = []
  /// The name of its meaning, for secret values.
  var name = ""
  /// The separator of the values of a header.
  var separator: String?
  var bytes: Bytes?
  /// The hexadecimal digits of bytes that are a digest, which the code has in their place.
  var isDigest = false
  /// The format of a date written as a text.
  var dateFormat: String?
  /// The field of the answer, if the value is one, with the names on the way.
  var place: [String]?
  /// True for the result of a filter.
  var isFiltered = false
  /// True for a value read from a header that is treated as several headers.
  var isSplit = false

  /// The separator of the values of headers with one name.
  static let comma = "', '"

  init(_ code: String, _ kind: Kind, found: String? = nil, name: String = "") {
    self.code = code
    self.kind = kind
    self.found = found
    exact = found.map { [$0] } ?? []
    self.name = name
  }

  /// Returns the value as a list, for a filter of lists.
  func list(for filter: String) throws(HurlProblem) -> String {
    if let separator { return "\(code).split(\(separator))" }
    guard kind == .any || kind == .list else { throw .gap("the filter '\(filter)' of this value") }
    return code
  }

  /// Returns the result of a filter of this existing value.
  func result(_ code: String, _ kind: Kind, requiring requirement: String? = nil) -> HurlValue {
    var result = HurlValue(code, kind)
    result.requirements = requirements + (requirement.map { [$0] } ?? [])
    result.guards = guards
    result.isFiltered = true
    result.isSplit = isSplit || separator == Self.comma
    return result
  }

  /// The condition for the value's existence, by which a capture is judged, or nil if it always
  /// exists.
  var captured: String? {
    let there = found ?? (isFiltered ? "size([\(code)]) == 1" : nil)
    let all = requirements + (there.map { [$0] } ?? [])
    return all.isEmpty ? nil : all.joined(separator: " && ")
  }
}
