public import FlowCore
public import FlowExpression
package import FlowRedaction

/// The expected form of an answer, deep, and partial in its records and maps.
public enum ExpectedValue: Sendable {
  /// Equal to a value.
  case equal(Template)
  /// Fulfils a condition, which reads it as `it`, the only variable of a level within the step's.
  case condition(PlannedExpression)
  /// Has these fields, by their position among all of the record, each as its matcher says.
  case fields(RecordType, [(index: Int, matcher: ExpectedValue)])
  /// Has these keys, each as its matcher says.
  case entries([(key: String, matcher: ExpectedValue)])
  /// Has exactly these elements.
  case elements([ExpectedValue])
  /// Fits a schema, and is as the other matcher says.
  indirect case schema(PlannedSchema, and: ExpectedValue?)
  /// The expected form of a field, a key or an element, and its place in the file.
  indirect case written(ExpectedValue, at: Place)

  /// The name of a condition's subject.
  package static let subject = "it"

  /// The names of the fields that it says something about, or nil if it is about the whole.
  package var fieldNames: Set<String>? {
    switch self {
    case .fields(let type, let fields): Set(fields.map { type.field(at: $0.index).name })
    case .entries(let entries): Set(entries.map(\.key))
    case .written(let matcher, _): matcher.fieldNames
    case .equal, .condition, .elements, .schema: nil
    }
  }

  /// Returns every place at which a value differs, in the matcher's order, empty if it matches.
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
    case .schema(let schema, let rest):
      return schema.mismatches(actual, at: path)
        + (try rest?.mismatches(actual, at: path, activation) ?? [])
    case .written(let matcher, let place):
      return try matcher.mismatches(actual, at: path, activation).map { $0.placed(at: place) }
    }
  }

  /// Returns the mismatches of an operation's answer, in which a field that is null or empty may
  /// have no value.
  ///
  /// `reason` returns the reason by the field's name, or nil if null or the empty string is its
  /// value.
  package func mismatches(
    _ answer: Value, _ activation: Activation, withoutValue reason: (String) -> String?
  ) throws(EvaluationFailure) -> [Mismatch] {
    guard case .fields(let type, let fields) = self, let values = KeyedValues(answer) else {
      return try mismatches(answer, activation)
    }
    var result: [Mismatch] = []
    for field in fields {
      let name = type.field(at: field.index).name
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

  /// Checks a condition.
  ///
  /// It also fails if it cannot be evaluated for the value.
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
      let name = type.field(at: field.index).name
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
    // A key that is expected as well was not meant.
    let expected = Set(entries.map(\.key))
    let keys = values.keys.filter { !expected.contains($0) }
    for (place, key) in unmet.prefix(mostSuggestions) {
      result[place] = result[place].suggesting(key, among: keys)
    }
    return result
  }

  /// The most keys to compare with a missing one.
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
      Template.braced(fields.map { (type.field(at: $0.index).name, $0.matcher.text(limit: limit)) })
    case .entries(let entries):
      Template.braced(entries.map { ($0.key, $0.matcher.text(limit: limit)) })
    case .elements(let matchers):
      "[" + matchers.map { $0.text(limit: limit) }.joined(separator: ", ") + "]"
    case .schema(let schema, nil): schema.expectation
    case .schema(let schema, let rest?):
      "\(schema.expectation.dropLast()), \(rest.text(limit: limit).dropFirst())"
    case .written(let matcher, _): matcher.text(limit: limit)
    }
  }

  /// Returns its parts with expressions, each with its place in an answer that fulfils it and the
  /// value there.
  package func computedParts(
    _ actual: Value?, at path: FieldPath = FieldPath()
  ) -> [(path: FieldPath, matcher: ExpectedValue, actual: Value?)] {
    switch self {
    case .equal(let template): return template.expressions.isEmpty ? [] : [(path, self, actual)]
    case .condition: return [(path, self, actual)]
    case .schema(_, let rest): return rest?.computedParts(actual, at: path) ?? []
    case .written(let matcher, _): return matcher.computedParts(actual, at: path)
    case .fields(let type, let fields):
      let values = actual.flatMap(KeyedValues.init)
      return fields.flatMap { field in
        let name = type.field(at: field.index).name
        return field.matcher.computedParts(
          values?.value(name, of: type, at: field.index), at: path.appending(.field(name)))
      }
    case .entries(let entries):
      let values = actual.flatMap(KeyedValues.init)
      return entries.flatMap {
        $0.matcher.computedParts(values?[$0.key], at: path.appending(.field($0.key)))
      }
    case .elements(let matchers):
      guard case .list(let values)? = actual else { return [] }
      return zip(matchers, values).enumerated().flatMap {
        $1.0.computedParts($1.1, at: path.appending(.index($0)))
      }
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
    case .schema(_, let rest): rest?.expressions ?? []
    case .written(let matcher, _): matcher.expressions
    }
  }
}

extension Template {
  /// Returns true for a written number whose nearest double is the value: `15.8` for a column of
  /// doubles.
  fileprivate func isSpelling(of value: Value?) -> Bool {
    guard case .constant(.decimal(let decimal)) = self, case .double(let double)? = value else {
      return false
    }
    return decimal.double == double
  }
}

extension Value {
  /// True if it may represent a missing value.
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

  /// The keys that are strings.
  var keys: [String] {
    switch value {
    case .record(let record): (record.type.fields + record.type.computedFields).map(\.name)
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

  /// Returns the value of a field, at a known index in a record laid out by the type.
  func value(_ name: String, of type: RecordType, at index: Int) -> Value? {
    if case .record(let record) = value, record.type === type, index < record.values.count {
      return record.values[index]
    }
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

/// The expected outcome of a call.
public enum Expectation: Sendable {
  /// Its output, as far as the matcher says.
  case output(ExpectedValue)
  /// The error of this code, with such a message, or with any if it is nil.
  case error(String, message: ExpectedValue?)

  /// Returns the expectation on one line, as the expected answer or `{error: insufficient}`.
  package func text(limit: Int = 80) -> String {
    switch self {
    case .output(let matcher): matcher.text(limit: limit)
    case .error(let code, let message):
      Template.braced(
        [("error", code)] + (message.map { [("message", $0.text(limit: limit))] } ?? []))
    }
  }

  /// Every expression in it, in file order.
  package var expressions: [PlannedExpression] {
    switch self {
    case .output(let matcher): matcher.expressions
    case .error(_, let message): message?.expressions ?? []
    }
  }
}

extension OperandText {
  /// Returns the operand with placeholders for hidden text.
  package func redacted(by redactor: Redactor) -> OperandText {
    var copy = self
    copy.text = redactor.redacted(text)
    copy.value = redactor.redacted(value)
    copy.origins = origins.map { $0.redacted(by: redactor) }
    // What an expression makes of a secret is not found by its text.
    if let name = redactor.secretInput(in: text), copy.value == value,
      !["true", "false"].contains(value)
    {
      copy.value = Redactor.placeholder(for: name)
    }
    return copy
  }
}
