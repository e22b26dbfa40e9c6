public import FlowCore
public import FlowExpression
package import FlowRedaction

/// What an answer must look like: deep, and partial in its records and maps.
public enum ExpectedValue: Sendable {
  /// Equal to a value.
  case equal(Template)
  /// Fulfils a condition, which reads it as `it`, the only variable of a level within the step's.
  case condition(PlannedExpression)
  /// Has these fields, by their position in the record, each as its matcher says.
  case fields(RecordType, [(index: Int, matcher: ExpectedValue)])
  /// Has these keys, each as its matcher says.
  case entries([(key: String, matcher: ExpectedValue)])
  /// Has exactly these elements.
  case elements([ExpectedValue])
  /// What a field, a key or an element must be, and where that is written.
  indirect case written(ExpectedValue, at: Place)

  /// The name of what a condition is about.
  static let subject = "it"

  /// Every place where a value differs, in the matcher's order; empty when it matches.
  ///
  /// - Throws: `EvaluationFailure` when an expression of the matcher has no value.
  public func mismatches(
    _ actual: Value?, at path: FieldPath = FieldPath(), _ activation: Activation
  ) throws(EvaluationFailure) -> [Mismatch] {
    switch self {
    case .equal(let template):
      let expected = try template.evaluate(activation)
      if expected == actual || template.isSpelling(of: actual) { return [] }
      return [
        Mismatch(path, .value(expected), actual, operands: template.operands(activation))
      ]
    case .condition(let condition):
      return Self.mismatch(with: condition, actual, path, activation).map { [$0] } ?? []
    case .fields(let type, let fields):
      return try Self.fields(fields, of: type, actual, at: path, activation)
    case .entries(let entries): return try Self.entries(entries, actual, at: path, activation)
    case .elements(let matchers): return try Self.elements(matchers, actual, at: path, activation)
    case .written(let matcher, let place):
      return try matcher.mismatches(actual, at: path, activation).map { $0.placed(at: place) }
    }
  }

  /// The same for the answer of an operation, in which a field that is null or empty may have no value.
  ///
  /// `reason` says why by the field's name, nil where null or the empty text is its value.
  package func mismatches(
    _ answer: Value, _ activation: Activation, withoutValue reason: (String) -> String?
  ) throws(EvaluationFailure) -> [Mismatch] {
    guard case .fields(let type, let fields) = self, let values = KeyedValues(answer) else {
      return try mismatches(answer, activation)
    }
    var result: [Mismatch] = []
    for field in fields {
      let name = type.fields[field.index].name
      let path = FieldPath().appending(.field(name))
      let value = values.value(name, of: type, at: field.index)
      if value?.isNullOrEmpty == true, let reason = reason(name) {
        result += try field.matcher.mismatches(nil, at: path, activation).map {
          $0.explained(by: reason)
        }
      } else {
        result += try field.matcher.mismatches(value, at: path, activation)
      }
    }
    return result
  }

  /// A condition that has no value for what stands there does not hold for it, either.
  private static func mismatch(
    with condition: PlannedExpression, _ actual: Value?, _ path: FieldPath,
    _ activation: Activation
  ) -> Mismatch? {
    guard let actual else { return Mismatch(path, .condition(condition.text), nil) }
    var inner = activation
    inner.levels.append([actual])
    do throws(EvaluationFailure) {
      if try condition.evaluate(inner, as: .bool) == .bool(true) { return nil }
      let operands = condition.operands(inner).filter { $0.text != subject }
      return Mismatch(path, .condition(condition.text), actual, operands: operands)
    } catch {
      return Mismatch(path, .condition(condition.text, problem: error.message), actual)
    }
  }

  private static func fields(
    _ fields: [(index: Int, matcher: ExpectedValue)], of type: RecordType, _ actual: Value?,
    at path: FieldPath, _ activation: Activation
  ) throws(EvaluationFailure) -> [Mismatch] {
    guard let actual, let values = KeyedValues(actual) else {
      return [Mismatch(path, .record, actual)]
    }
    var result: [Mismatch] = []
    for field in fields {
      let name = type.fields[field.index].name
      result += try field.matcher.mismatches(
        values.value(name, of: type, at: field.index), at: path.appending(.field(name)), activation)
    }
    return result
  }

  private static func entries(
    _ entries: [(key: String, matcher: ExpectedValue)], _ actual: Value?, at path: FieldPath,
    _ activation: Activation
  ) throws(EvaluationFailure) -> [Mismatch] {
    guard let actual, let values = KeyedValues(actual) else {
      return [Mismatch(path, .record, actual)]
    }
    var result: [Mismatch] = []
    var unmet: [(place: Int, key: String)] = []
    for entry in entries {
      let value = values[entry.key]
      let found = try entry.matcher.mismatches(
        value, at: path.appending(.field(entry.key)), activation)
      if value == nil { unmet += found.indices.map { (result.count + $0, entry.key) } }
      result += found
    }
    if unmet.isEmpty { return result }
    // One that is expected as well was not meant.
    let expected = Set(entries.map(\.key))
    let keys = values.keys.filter { !expected.contains($0) }
    for (place, key) in unmet.prefix(mostSuggestions) {
      result[place] = result[place].suggesting(key, among: keys)
    }
    return result
  }

  /// Keys at which nothing stands that are compared with those that are there.
  private static let mostSuggestions = 100

  private static func elements(
    _ matchers: [ExpectedValue], _ actual: Value?, at path: FieldPath, _ activation: Activation
  ) throws(EvaluationFailure) -> [Mismatch] {
    guard case .list(let values)? = actual, values.count == matchers.count else {
      return [Mismatch(path, .count(matchers.count), actual)]
    }
    var result: [Mismatch] = []
    for (index, pair) in zip(matchers, values).enumerated() {
      result += try pair.0.mismatches(pair.1, at: path.appending(.index(index)), activation)
    }
    return result
  }

  /// The matcher on one line, as `expect` writes it: `{balance: ${{ inputs.amount }}}`.
  package func text(limit: Int = 80) -> String {
    switch self {
    case .equal(let template): template.text(limit: limit)
    case .condition(let condition): condition.text
    case .fields(let type, let fields):
      Template.braced(fields.map { (type.fields[$0.index].name, $0.matcher.text(limit: limit)) })
    case .entries(let entries):
      Template.braced(entries.map { ($0.key, $0.matcher.text(limit: limit)) })
    case .elements(let matchers):
      "[" + matchers.map { $0.text(limit: limit) }.joined(separator: ", ") + "]"
    case .written(let matcher, _): matcher.text(limit: limit)
    }
  }

  /// Every expression in it, in file order.
  package var expressions: [PlannedExpression] {
    switch self {
    case .equal(let template): template.expressions
    case .condition(let condition): [condition]
    case .fields(_, let fields): fields.flatMap(\.matcher.expressions)
    case .entries(let entries): entries.flatMap(\.matcher.expressions)
    case .elements(let matchers): matchers.flatMap(\.expressions)
    case .written(let matcher, _): matcher.expressions
    }
  }
}

/// One difference between what a step expects and what it got.
public struct Mismatch: Sendable, Hashable {
  /// What was expected.
  public enum Expected: Sendable, Hashable {
    /// This value.
    case value(Value)
    /// What fulfils this condition, as it is written; or why it is neither true nor false.
    case condition(String, problem: String? = nil)
    /// A record or a map.
    case record
    /// A list of this many elements.
    case count(Int)
  }

  /// Where in the answer.
  public let path: FieldPath
  /// What was expected there.
  public internal(set) var expected: Expected
  /// What stands there; nil when nothing does.
  public internal(set) var actual: Value?
  /// The keys that were probably meant where nothing stands; empty where none is like the one that was written.
  package private(set) var near: [String] = []
  /// Why nothing stands there; nil where the operation does not say.
  package private(set) var reason: String?
  /// What the expected value was computed from; empty when it was written down.
  public internal(set) var operands: [OperandText]
  /// Where the expected value is written; nil for the whole expectation.
  public private(set) var place: Place?

  init(_ path: FieldPath, _ expected: Expected, _ actual: Value?, operands: [OperandText] = []) {
    self.path = path
    self.expected = expected
    self.actual = actual
    self.operands = operands
  }

  /// The same difference with the keys that are like the one at which nothing stands.
  fileprivate func suggesting(_ key: String, among keys: [String]) -> Mismatch {
    var copy = self
    // By the number of changes every letter is like every other one.
    copy.near =
      key.utf8.count < 3
      ? keys.filter { $0.lowercased() == key.lowercased() }
      : Suggestion.nearest(to: key, among: keys)
    return copy
  }

  /// The same difference with the reason why nothing stands there.
  fileprivate func explained(by reason: String) -> Mismatch {
    var copy = self
    copy.reason = reason
    return copy
  }

  /// The same difference at a place, unless a narrower one is known.
  fileprivate func placed(at place: Place) -> Mismatch {
    var copy = self
    copy.place = self.place ?? place
    return copy
  }

  /// The same difference with placeholders for what must not be seen.
  package func redacted(by redactor: Redactor) -> Mismatch {
    var copy = self
    switch expected {
    case .value(let value): copy.expected = .value(redactor.redacted(value))
    case .condition(let text, let problem):
      copy.expected = .condition(
        redactor.redacted(text), problem: problem.map(redactor.redacted))
    case .record, .count: break
    }
    copy.actual = actual.map(redactor.redacted)
    copy.near = near.map(redactor.redacted)
    copy.reason = reason.map(redactor.redacted)
    copy.operands = operands.map { $0.redacted(by: redactor) }
    return copy
  }
}

extension Template {
  /// Whether it is a number as it is written whose nearest double is the value: `15.8` of a column that holds doubles.
  fileprivate func isSpelling(of value: Value?) -> Bool {
    guard case .constant(.decimal(let decimal)) = self, case .double(let double)? = value else {
      return false
    }
    return decimal.double == double
  }
}

extension Value {
  /// Whether it may stand for no value.
  fileprivate var isNullOrEmpty: Bool {
    switch self {
    case .null, .optional(nil): true
    case .string(let text): text.isEmpty
    case .optional(let value?): value.isNullOrEmpty
    default: false
    }
  }
}

private struct KeyedValues {
  private let value: Value

  /// The keys that are texts.
  var keys: [String] {
    switch value {
    case .record(let record): record.type.fields.map(\.name)
    case .map(let map):
      map.entries.compactMap { if case .string(let key) = $0.key { key } else { nil } }
    default: []
    }
  }

  init?(_ value: Value) {
    switch value {
    case .record, .map: self.value = value
    default: return nil
    }
  }

  /// The value of a field, which in a record that was laid out by the type is at an index.
  func value(_ name: String, of type: RecordType, at index: Int) -> Value? {
    if case .record(let record) = value, record.type === type { return record.values[index] }
    return self[name]
  }

  subscript(key: String) -> Value? {
    switch value {
    case .record(let record): record[key]
    case .map(let map): map[key]
    default: nil
    }
  }
}

/// What a call must answer.
public enum Expectation: Sendable {
  /// Its output, as far as the matcher says.
  case output(ExpectedValue)
  /// The error of this code.
  case error(String)

  /// The expectation on one line: what the answer must look like, or `{error: insufficient}`.
  package func text(limit: Int = 80) -> String {
    switch self {
    case .output(let matcher): matcher.text(limit: limit)
    case .error(let code): "{error: \(code)}"
    }
  }

  /// Every expression in it, in file order.
  package var expressions: [PlannedExpression] {
    switch self {
    case .output(let matcher): matcher.expressions
    case .error: []
    }
  }
}

extension OperandText {
  /// The same value with placeholders for what must not be seen.
  package func redacted(by redactor: Redactor) -> OperandText {
    var copy = self
    copy.text = redactor.redacted(text)
    copy.value = redactor.redacted(value)
    // What an expression makes of a secret is not found by its text.
    if let name = redactor.secretInput(in: text), copy.value == value,
      !["true", "false"].contains(value)
    {
      copy.value = Redactor.placeholder(for: name)
    }
    return copy
  }
}
