internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowRedaction
internal import FlowSchema

/// A compiled schema of the project's files, as a scenario names it.
struct CompiledSchema: Sendable {
  /// The path and the part as they are written.
  var text: String
  let schema: Schema
  /// The paths of the files from the folder of the main scenario, by the URIs of their documents.
  let files: [String: String]

  private var expectation: String { "{\(SchemaReference.key): \(text)}" }

  /// Returns a mismatch for each violation of the schema, empty for a value that fits.
  ///
  /// A value that cannot be checked is a mismatch as well.
  private func mismatches(_ actual: Value?, at path: FieldPath) -> [Mismatch] {
    guard let actual else { return [Mismatch(path, .condition(expectation), nil)] }
    let violations: Violations
    do throws(SchemaError) { violations = try schema.validate(actual) } catch {
      return [Mismatch(path, .condition(expectation, problem: problem(of: error)), actual)]
    }
    let mismatches = violations.all.map { violation in
      // With the record, whose type says which fields are secret.
      let violation = violation.replacing { pointer, value in
        if case .record(let record)? = actual.part(at: pointer) { .record(record) } else { value }
      }
      return Mismatch(
        FieldPath(path.steps + actual.path(of: violation.instance).steps),
        .schema(SchemaMismatch(violation, at: location(violation.location))), violation.value)
    }
    if violations.more == 0 { return mismatches }
    let rest = Problem.furtherViolations(violations.more)
    return mismatches + [Mismatch(path, .condition(expectation, problem: rest), actual)]
  }

  /// The schema for the plan.
  var planned: PlannedSchema {
    PlannedSchema(expectation: expectation, type: schema.valueType, values: schema) {
      mismatches($0, at: $1)
    }
  }

  /// The schema for expressions.
  var named: NamedSchema {
    NamedSchema(
      accepts: { value in
        do throws(SchemaError) { return try schema.accepts(value) } catch {
          throw UncheckedValue(description: problem(of: error))
        }
      },
      violations: { value in
        // The failure itself reports a value that cannot be checked.
        guard let violations = try? schema.validate(value).all else { return [] }
        return violations.prefix(Self.mostShown).map {
          Problem.violation($0, at: "\(value.path(of: $0.instance))")
        }
      })
  }

  /// The most violations in the message of a failed assertion.
  private static let mostShown = 3

  /// Returns a location with the path of the file in place of the document's URI.
  func location(_ location: String) -> String {
    let parts = location.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard let uri = parts.first, let file = files[String(uri)] else { return location }
    return ([file] + parts.dropFirst().map(String.init)).joined(separator: "#")
  }

  /// The limit that a validation exceeds, as each of its errors is one.
  private func problem(of error: SchemaError) -> String {
    error.problems.first.map { "\($0.message) (\(location($0.location)))" } ?? ""
  }
}

/// The reason that a value was not checked.
private struct UncheckedValue: Error, CustomStringConvertible {
  let description: String
}

extension SchemaMismatch {
  /// Creates the mismatch of a violation of the keyword at a place.
  fileprivate init(_ violation: Violation, at location: String) {
    self.init(
      message: violation.message, expectation: violation.expectation, location: location
    ) { redactor in
      SchemaMismatch(
        violation.replacing { redactor.redacted($1) }.replacing(names: redactor.redacted),
        at: location)
    }
  }
}

extension Value {
  /// The path to the part at a pointer.
  fileprivate func path(of pointer: JSONPointer) -> FieldPath {
    var (steps, value): ([FieldPath.Step], Value?) = ([], self)
    for token in JSONPointer.tokens(of: pointer.description) ?? [] {
      if case .list? = value, let index = Int(token) {
        steps.append(.index(index))
      } else {
        steps.append(.field(token))
      }
      value = value?.part(at: token)
    }
    return FieldPath(steps)
  }

  /// Returns the part at a pointer, or nil without one.
  fileprivate func part(at pointer: JSONPointer) -> Value? {
    (JSONPointer.tokens(of: pointer.description) ?? []).reduce(Optional(self)) {
      $0?.part(at: $1)
    }
  }

  private func part(at token: String) -> Value? {
    let part: Value? =
      switch self {
      case .list(let elements):
        Int(token).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      case .map(let map): map[token]
      case .record(let record): record[token]
      default: nil
      }
    if case .optional(let wrapped)? = part { return wrapped }
    return part
  }
}
