internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowRedaction

// The origins of the values behind a failure. They are found when it fails, since the values that
// tell them do not outlive the step.

extension Execution {
  /// Returns a failure with the origins of the values behind it.
  func explained(_ failure: StepFailure, at address: Address) -> StepFailure {
    let moment = moment(at: address)
    switch failure {
    case .unexpectedAnswer(let mismatches, let answer, let place):
      return .unexpectedAnswer(
        mismatches.map { $0.explained(by: moment) }, answer: answer, at: place)
    case .otherMessage(let mismatches, let error, let place):
      return .otherMessage(mismatches.map { $0.explained(by: moment) }, error, at: place)
    case .assertions(let assertions):
      return .assertions(assertions.map { $0.explained(by: moment) })
    case .limit(let limit, let isUntil, let operands, let place):
      return .limit(
        limit, isUntil: isUntil, operands: operands.map { $0.explained(by: moment) }, at: place)
    case .evaluation(var failure):
      failure.origins += moment.origins(of: failure.reads)
      failure.reads = []
      return .evaluation(failure)
    case .brokenContract, .componentError, .otherError, .noError, .notOpened, .boundary, .timeout,
      .cancelled, .inner:
      return failure
    }
  }

  /// Does something, and explains its failure at an address.
  func explaining<Result>(
    at address: @autoclosure () -> Address, _ body: () throws(StepFailure) -> Result
  ) throws(StepFailure) -> Result {
    do throws(StepFailure) { return try body() } catch { throw explained(error, at: address()) }
  }

  /// The origins of the computed fields of an input, each with the name of its field.
  func origins(
    of input: Template, at address: Address
  ) -> [(field: String, origins: [ValueOrigin])] {
    guard case .record(let type, let fields) = input else { return [] }
    let moment = moment(at: address)
    return zip(type.fields, fields).compactMap { field, value in
      let origins = value.expressions.isEmpty ? [] : moment.origins(of: value.reads)
      return origins.isEmpty ? nil : (field.name, origins)
    }
  }
}

extension Mismatch {
  fileprivate func explained(by moment: OriginScope) -> Mismatch {
    var copy = self
    copy.operands = operands.map { $0.explained(by: moment) }
    guard case .value = expected, let secret = copy.operands.lazy.compactMap(\.secret).first else {
      return copy
    }
    copy.expected = .value(.string(Redactor.placeholder(for: secret)))
    return copy
  }
}

extension FailedAssertion {
  fileprivate func explained(by moment: OriginScope) -> FailedAssertion {
    var copy = self
    copy.operands = operands.map { $0.explained(by: moment) }
    return copy
  }
}

extension OperandText {
  /// The secret input behind it, or nil.
  fileprivate var secret: String? { origins.lazy.compactMap(\.secret).first }

  fileprivate func explained(by moment: OriginScope) -> OperandText {
    var copy = self
    copy.origins += moment.origins(of: reads)
    copy.reads = []
    // What an expression makes of a secret is not found by its text.
    if let secret = copy.secret, !["true", "false"].contains(value) {
      copy.value = Redactor.placeholder(for: secret)
    }
    return copy
  }
}
