internal import FlowCore
internal import FlowPlan
internal import FlowRedaction

/// The rules of a service's description for one call of a step.
struct ContractJudge {
  private let contract: any CallContract
  private let call: ContractCall
  private let input: Value
  private let place: Place

  /// Creates the rules for a call, or nil if its component has no description.
  init?(_ call: PlannedCall, _ input: Value) {
    guard let circumstances = call.contract, let contract = call.operation.plugin.contract else {
      return nil
    }
    self.contract = contract
    self.call = circumstances
    self.input = input
    place = call.place
  }

  /// Checks the request, so that a wrong one is not sent.
  func checkRequest() throws(StepFailure) {
    let problems = contract.problems(inInput: input, of: call).withoutSecrets
    if problems.isEmpty { return }
    throw .brokenContract(
      problems.map(Mismatch.init), file: contract.file, answer: nil, at: place)
  }

  /// Checks the answer.
  func check(_ answer: Value) throws(StepFailure) {
    let mismatches = mismatches(of: answer)
    if mismatches.isEmpty { return }
    throw .brokenContract(mismatches, file: contract.file, answer: answer, at: place)
  }

  /// The contradictions of an answer.
  func mismatches(of answer: Value) -> [Mismatch] {
    contract.problems(inAnswer: answer, to: input, of: call).withoutSecrets.map(Mismatch.init)
  }
}

extension Mismatch {
  /// The difference between a call and the description of its service.
  init(_ problem: ContractProblem) {
    self.init(problem.path, .rule(problem.placedMessage, source: problem.rule), problem.actual)
  }
}

/// The rules of a service's description for a call that a component makes of another.
struct RoleCallJudge {
  private let contract: any CallContract
  private let call: ContractCall
  private let input: Value
  private let name: String

  /// Creates the rules for a call, or nil for a step's call, or if there is no description.
  init?(_ invocation: Invocation) {
    guard let role = invocation.role, let contract = role.operation.plugin.contract else {
      return nil
    }
    self.contract = contract
    call = ContractCall(operation: role.operation.description.name)
    input = role.input(invocation.input)
    name = "\(invocation.address)"
  }

  /// The reason that the request cannot be passed on, or nil.
  var failureOfRequest: BoundaryFailure? {
    failure(contract.problems(inInput: input, of: call), "the request of")
  }

  /// The reason that the answer cannot be used, or nil.
  func failure(of outcome: Outcome) -> BoundaryFailure? {
    guard case .answer(let answer) = outcome else { return nil }
    return failure(contract.problems(inAnswer: answer, to: input, of: call), "the answer to")
  }

  private func failure(_ problems: [ContractProblem], _ side: String) -> BoundaryFailure? {
    let problems = problems.withoutSecrets
    if problems.isEmpty { return nil }
    return BoundaryFailure(
      code: .brokenContract,
      message: "\(side) '\(name)' contradicts '\(contract.file.escaped)'",
      notes: problems.flatMap { Mismatch($0).notes() })
  }
}

extension [ContractProblem] {
  /// The problems that do not concern a secret, in whose place a recording has another text.
  fileprivate var withoutSecrets: [ContractProblem] {
    filter { problem in
      guard let actual = problem.actual, case .string = actual else { return true }
      return !Redactor.hasPlaceholder(actual)
    }
  }
}
