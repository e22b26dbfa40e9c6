internal import FlowCore
internal import FlowPlan
internal import FlowSystem

extension RunReport.Failure {
  /// Returns the failure as data, with the edits of a file that accept it.
  func facts(in file: String) -> DiagnosticFacts {
    var facts = DiagnosticFacts()
    facts.address = "\(address)"
    facts.differences = failure.differences
    facts.edits = failure.mismatches.compactMap { $0.acceptance(in: file) }
    return facts
  }
}

extension StepFailure {
  /// The differences of values, or none for other failures.
  var mismatches: [Mismatch] {
    switch self {
    case .unexpectedAnswer(let mismatches, _, _), .brokenContract(let mismatches, _, _, _),
      .otherMessage(let mismatches, _, _):
      mismatches
    default: []
    }
  }

  /// The differences of values and of errors.
  fileprivate var differences: [DiagnosticFacts.Difference] {
    switch self {
    case .componentError(let error, _): [.error("an answer", error.code.name)]
    case .otherError(let expected, let error, _): [.error(expected, error.code.name)]
    case .noError(let expected, _, _): [.error(expected, "an answer")]
    default:
      mismatches.map { mismatch in
        let sides = mismatch.sides(limit: Mismatch.longestSide)
        return DiagnosticFacts.Difference(
          path: "\(mismatch.path)", expected: sides.expected, got: sides.actual)
      }
    }
  }
}

extension DiagnosticFacts.Difference {
  fileprivate static func error(_ expected: String, _ got: String) -> Self {
    Self(path: "error", expected: expected, got: got)
  }
}

extension Mismatch {
  fileprivate static let longestSide = 4_000

  /// Returns the edit that writes the actual value in place of an expected one, or nil if the
  /// expected value is no literal or the actual one cannot be a literal.
  fileprivate func acceptance(in file: String) -> SourceEdit? {
    guard case .value = expected, operands.isEmpty, let place, let text = actual?.literal else {
      return nil
    }
    return SourceEdit(.accept, place.span(in: file), text, after: path.lastField)
  }
}

extension Value {
  /// The value in YAML, or nil for a list, a map and anything that is not written as a scalar.
  fileprivate var literal: String? {
    switch self {
    case .bool, .int, .decimal, .double, .number: description
    case .string(let text): JSON.string(text).text
    case .optional(let value?): value.literal
    default: nil
    }
  }
}

extension FieldPath {
  /// The name of the field at its end, or nil for an element of a list.
  fileprivate var lastField: String? {
    if case .field(let name)? = steps.last { name } else { nil }
  }
}
