package import FlowCore
package import FlowPlan
internal import FlowRedaction

/// The recorded calls that a description does not allow.
package struct RecordedContradictions {
  /// A recorded call with a contradiction.
  package struct Contradiction {
    /// The call's address.
    package let address: String
    /// The line of the request or of the answer in the transcript, from 1.
    package let line: Int
    /// The place of the step's call in its scenario, or nil if the scenario has no such step any
    /// more.
    package let step: SourceSpan?
    /// The contradiction.
    package let problem: ContractProblem
  }

  /// The contradictions in the order of the transcript.
  package private(set) var all: [Contradiction] = []
  /// The number of calls that were compared.
  package private(set) var callCount = 0

  private let operations: [String: (operation: OperationDescription, component: String)]
  /// The fields that components pass to each operation and read of it.
  private let roleCalls: [String: PlannedRoleCall]
  private let steps: [String: (place: SourceSpan, call: PlannedCall)]

  /// Compares the calls of a transcript with the rules for components, by their names.
  package init(
    of transcript: Transcript, _ plan: Plan, contracts: [String: any CallContract]
  ) {
    operations = Dictionary(
      plan.allComponents.flatMap { component in
        component.plugin.operations.map {
          ("\(component.name).\($0.name)", (operation: $0, component: component.name))
        }
      }, uniquingKeysWith: { first, _ in first })
    steps = plan.plannedCalls
    roleCalls = Dictionary(
      plan.allComponents.flatMap(\.roles).flatMap(\.calls.values).map { ($0.operation.name, $0) },
      uniquingKeysWith: { first, _ in first })
    for call in transcript.calls {
      guard let (operation, component) = operations[call.name], let contract = contracts[component]
      else { continue }
      compare(call, of: operation, contract)
    }
  }

  private mutating func compare(
    _ call: Transcript.Call, of operation: OperationDescription, _ contract: any CallContract
  ) {
    let isOfStep = call.address.calls.isEmpty
    let role = isOfStep ? nil : roleCalls[call.name]
    let types = (
      input: role?.inputType ?? operation.input, output: role?.outputType ?? operation.output
    )
    // A value that cannot be read is a matter of the replay.
    guard let given = try? Value(call.input.served, as: .record(types.input)) else { return }
    let input = role?.input(given) ?? given
    callCount += 1
    let step = steps[call.address.path]
    let circumstances =
      isOfStep
      ? step?.call.contract ?? ContractCall(operation: operation.name)
      : ContractCall(operation: operation.name)
    add(
      contract.problems(inInput: input, of: circumstances), of: call, line: call.line, step?.place)
    guard case .output(let output)? = call.answer,
      let answer = try? Value(output.served, as: .record(types.output))
    else { return }
    add(
      contract.problems(inAnswer: answer, to: input, of: circumstances), of: call,
      line: call.answerLine ?? call.line, step?.place)
  }

  private mutating func add(
    _ problems: [ContractProblem], of call: Transcript.Call, line: Int, _ step: SourceSpan?
  ) {
    // A placeholder is not the value that was there.
    for problem in problems where !problem.isAboutSecret {
      all.append(
        Contradiction(address: "\(call.address)", line: line, step: step, problem: problem))
    }
  }
}

extension ContractProblem {
  fileprivate var isAboutSecret: Bool {
    guard let actual, case .string = actual else { return false }
    return Redactor.hasPlaceholder(actual)
  }
}
