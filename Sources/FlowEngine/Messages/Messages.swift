public import FlowCore
public import FlowPlan
internal import FlowRedaction

// Every message of this module, and its stable code.
extension RunReport.Failure {
  /// The failure as diagnostics at its place in the scenario, or in the included file.
  public func diagnostics(of plan: Plan) -> [Diagnostic] {
    let chain = inclusion?.places.map { "included from \($0)" } ?? []
    let name = name.map { ["the step's name is \(Value.string($0).summary())"] } ?? []
    let attempt = attempt.map { ["attempt \($0.number) of \($0.limit)"] } ?? []
    let caseNote = caseName.map { "the case is \(Value.string($0).summary())" }
    let around = caseNote.map { [$0] } ?? []
    let follows = follows.map { ["it is an invariant, checked after the step '\($0)'"] } ?? []
    let file = inclusion?.file ?? plan.file
    let facts = facts(in: file)
    let context = context(in: file)
    return diagnostics(in: file).map {
      var shown = $0.noting(attempt + around + name + follows + chain).showing(context)
      shown.caseNote = caseNote
      return shown.stating(facts)
    }
  }

  /// The context lines: `input: {amount: 30}`, `answer: {balance: 70}`, `in 'rows', iteration 3:
  /// row is {...}`.
  private func context(in file: String) -> [String] {
    if case .boundary = failure { return [] }
    let limit = Self.longestValue
    var lines: [String] = []
    if let input = input?.withoutAbsentFields, failure.isOfCall, !input.isEmptyRecord {
      lines.append("input: \(input.summary(limit: limit))")
      lines += inputLines(in: file)
    }
    if let answer = failure.answer {
      lines += answer.withoutOtherForms(keeping: failure.namedFields)
        .answerLines(failure.mismatches)
    }
    return lines + surroundings.reversed().map { $0.line(limit: limit) }
  }

  /// The longest text of a value, in characters, and the most lines about origins.
  private static let (longestValue, mostOrigins) = (1_000, 6)

  /// The origins of the input's computed fields: `  amount: total (30), set at line 11`.
  private func inputLines(in file: String) -> [String] {
    let lines = inputOrigins.flatMap { field, origins in
      origins.filter(\.isWorthALine).flatMap { origin in
        let lines = origin.lines(in: file)
        return ["  \(field): \(lines[0])"] + lines.dropFirst().map { "  " + $0 }
      }
    }
    let shown = lines.prefix(Self.mostOrigins)
    return shown + (lines.count > shown.count ? ["  …"] : [])
  }

  fileprivate func diagnostics(in file: String) -> [Diagnostic] {
    let at = { (place: Place?) in (place ?? self.place)?.span(in: file) }
    switch failure {
    case .unexpectedAnswer(let mismatches, _, let place):
      return [
        Diagnostic(
          .unexpectedAnswer, "'\(address)' did not answer as expected",
          at: at(mismatches.first?.place ?? place),
          notes: mismatches.notes(in: file))
      ]
    case .brokenContract(let mismatches, let description, let answer, let place):
      let side = answer == nil ? "the request of" : "the answer to"
      let message = "\(side) '\(address)' contradicts '\(description.escaped)'"
      return [
        Diagnostic(
          .brokenContract, message, at: at(place), notes: mismatches.notes(in: file))
      ]
    case .componentError(let error, let place):
      let message = "'\(address)' failed with the error '\(error.code.name)'"
      return [Diagnostic(.unexpectedError, message, at: at(place), notes: [error.message])]
    case .otherError(let expected, let error, let place):
      let message =
        "'\(address)' failed with the error '\(error.code.name)', expected '\(expected)'"
      return [Diagnostic(.missingError, message, at: at(place), notes: [error.message])]
    case .otherMessage(let mismatches, let error, let place):
      let message = "'\(address)' failed with the error '\(error.code.name)' and another message"
      return [
        Diagnostic(
          .unexpectedAnswer, message, at: at(mismatches.first?.place ?? place),
          notes: mismatches.notes(in: file))
      ]
    case .noError(let expected, _, let place):
      let message = "'\(address)' succeeded, expected the error '\(expected)'"
      return [Diagnostic(.missingError, message, at: at(place))]
    case .notOpened(let error, let place):
      let message = "'\(address)' could not be opened: \(error.message)"
      let note = "the error is '\(error.code.name)'"
      return [Diagnostic(.unopenedComponent, message, at: at(place), notes: [note])]
    case .assertions(let assertions):
      return assertions.map { assertion in
        Diagnostic(
          assertion.problem == nil ? .failedAssertion : .failedExpression,
          "'\(address)'" + (assertion.problem.map { ": \($0)" } ?? ": assertion failed"),
          at: at(assertion.place), notes: assertion.operands.notes(in: file))
      }
    case .evaluation(let failure):
      return [
        Diagnostic(
          .failedExpression, "'\(address)': \(failure.message)", at: at(failure.place),
          notes: failure.origins.flatMap { $0.lines(in: file) })
      ]
    case .limit(let limit, let isUntil, let operands, let place):
      let reason = isUntil ? "'until' was false after each iteration" : "'while' was still true"
      return [
        Diagnostic(
          .exhaustedRepeat, "'\(address)' reached its limit of \(limit) iterations", at: at(place),
          notes: [reason] + operands.notes(in: file))
      ]
    case .boundary(let failure):
      return [Diagnostic(failure.code, failure.message, at: at(nil), notes: failure.notes)]
    case .timeout(let limit):
      return [
        Diagnostic(.timedOut, "'\(address)' did not end within \(limit.flowText)", at: at(nil))
      ]
    case .cancelled: return [Diagnostic(.cancelled, "'\(address)' was cancelled", at: at(nil))]
    case .inner: return []
    }
  }
}

extension StepFailure {
  /// The first problem of the step at an address with its first note, on one line, or nil if an
  /// inner step reports it.
  package func reason(at address: Address) -> String? {
    diagnostic(at: address)?.sentence
  }

  /// The first problem of the step at an address, or nil if an inner step reports it.
  func diagnostic(at address: Address) -> Diagnostic? {
    RunReport.Failure(address: address, place: nil, failure: self).diagnostics(in: "").first
  }
}

extension Diagnostic {
  /// The message with its first note, on one line.
  var sentence: String { ([message] + notes.prefix(1)).joined(separator: ": ") }
}

extension RunReport.Surrounding {
  fileprivate func line(limit: Int) -> String {
    let title = name.map { " (\($0.escaped))" } ?? ""
    let time = iteration.map { ", iteration \($0)" } ?? ""
    let value = variable.map { ": \($0.name) is \($0.value.summary(limit: limit))" } ?? ""
    return "in '\(path)'\(title)\(time)\(value)"
  }
}

extension StepFailure {
  /// The names of the answer's fields that are not as expected.
  package var namedFields: Set<String> {
    Set(
      mismatches.compactMap { mismatch -> String? in
        guard case .field(let name)? = mismatch.path.steps.first else { return nil }
        return name
      })
  }

  /// The answer that was not expected, or nil.
  fileprivate var answer: Value? {
    switch self {
    case .unexpectedAnswer(_, let answer, _), .noError(_, let answer, _): answer
    case .brokenContract(_, _, let answer, _): answer
    case .componentError, .otherError, .otherMessage, .assertions, .evaluation, .limit, .notOpened,
      .boundary, .timeout, .cancelled, .inner:
      nil
    }
  }

  /// True if the result of a call is the failure.
  var isOfCall: Bool {
    switch self {
    case .unexpectedAnswer, .brokenContract, .componentError, .otherError, .otherMessage, .noError,
      .timeout:
      true
    case .assertions, .evaluation, .limit, .notOpened, .boundary, .cancelled, .inner: false
    }
  }
}

extension Value {
  fileprivate var isEmptyRecord: Bool {
    guard case .record(let record) = self else { return false }
    return record.values.isEmpty
  }
}

extension PlannedComponent {
  /// The reason why a call of the component's role cannot be made.
  func reason(against requirement: RoleRequirement) -> String {
    let role = requirement.role.name
    guard roles.contains(where: { $0.name == role }) else {
      return "the role '\(role)' is not filled"
    }
    return "'\(requirement.name)' is not in the 'uses' of the plugin '\(plugin.plugin.name)'"
  }
}

extension BoundaryFailure {
  /// The failure in lines, as a report outside of flow shows it.
  var text: String { (["\(message) [\(code)]"] + notes).joined(separator: "\n  ") }

  static func noted(
    _ error: ComponentError, by component: String, notes: [String] = []
  ) -> BoundaryFailure {
    BoundaryFailure(
      code: .notedFailure,
      message: "'\(component)' notes the error '\(error.code.name)': \(error.message)",
      notes: notes)
  }

  static func lateCall(_ message: String) -> BoundaryFailure {
    BoundaryFailure(
      code: .unexpectedError, message: message,
      notes: ["make the call in a task of context.spawn, with the context passed to it"])
  }
}
