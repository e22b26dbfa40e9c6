internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowRedaction

// The surroundings of a failure and the origins of the values behind it. They are found when it
// fails, since the values that tell them do not outlive the step.

extension RunReport.Failure {
  /// Creates the failure of a step, or of another part of a scenario, with its surroundings.
  ///
  /// `name` is the step's name if it contains values, or nil.
  init(
    _ failure: StepFailure, of step: PlannedStep?, at address: Address, _ place: Place?,
    name: String? = nil, in values: ScenarioValues
  ) {
    self.init(
      address: address, place: place, failure: failure, inclusion: values.parent?.inclusion,
      name: name)
    guard let step else { return }
    // The input has no other value now: nothing was set since it was given.
    if let call = step.action.call {
      input = try? values.evaluate(call.input)
      inputOrigins = values.moment(at: address).origins(ofFields: call.input)
    }
    surroundings = values.surroundings(of: step, address)
  }
}

extension ScenarioValues {
  /// The loops, and the steps with names, around a step of this scenario.
  fileprivate func surroundings(
    of step: PlannedStep, _ address: Address
  ) -> [RunReport.Surrounding] {
    // The iterations of an invariant's step start with the number of the step that it follows.
    var depth = iterations.count + (step.path.hasPrefix("invariants/") ? 1 : 0)
    return plan.steps(around: step).compactMap { outer in
      // A name with values in it belongs to another moment.
      let name = outer.options.flatMap { $0.nameText == nil ? $0.name : nil }
      var surrounding = RunReport.Surrounding(path: outer.path, name: name, iteration: nil)
      if outer.countsAttempts { depth += 1 }
      if let loop = outer.action.loop {
        surrounding.iteration = address.iterations.dropFirst(depth).first
        surrounding.variable = variable(of: loop)
        depth += 1
      }
      // The rest is in the address.
      return name == nil && surrounding.variable == nil ? nil : surrounding
    }
  }
}

extension OriginScope {
  /// The origins of the computed fields of an input, each with the name of its field.
  fileprivate func origins(
    ofFields input: Template
  ) -> [(field: String, origins: [ValueOrigin])] {
    guard case .record(let type, let fields) = input else { return [] }
    return zip(type.fields, fields).compactMap { field, value in
      let origins = value.expressions.isEmpty ? [] : origins(of: value.reads)
      return origins.isEmpty ? nil : (field.name, origins)
    }
  }
}

extension StepFailure {
  /// Returns the failure with the origins of the values behind it.
  func explained(by moment: OriginScope) -> StepFailure {
    switch self {
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
      return self
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
