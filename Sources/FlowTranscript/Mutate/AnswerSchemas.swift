internal import FlowCore
internal import FlowPlan
internal import FlowSystem

/// The descriptions of the parts of recorded answers.
///
/// Of a part, the first of these that says something about it counts: the description of the
/// service, the operation's own one, and the schema of the step's `expect`.
struct AnswerSchemas {
  private typealias Called = (operation: OperationDescription, contract: (any CallContract)?)

  private let operations: [String: Called]
  private let steps: [String: PlannedCall]

  /// Finds the descriptions in a plan, which has them compiled.
  init(_ plan: Plan) {
    operations = Dictionary(
      plan.allComponents.flatMap { component in
        component.plugin.operations.map { operation -> (String, Called) in
          ("\(component.name).\(operation.name)", (operation, component.contract))
        }
      }, uniquingKeysWith: { first, _ in first })
    steps = plan.plannedCalls.mapValues(\.call)
  }

  /// Returns the forms that the descriptions allow for the parts of an answer, by their places in
  /// it.
  ///
  /// Empty without descriptions, and for an answer that is not of the operation's type.
  func forms(
    of answer: JSON, to call: Transcript.Call, _ types: CallTypes.Types
  ) -> [FieldPath: [OtherForm]] {
    guard let (operation, contract) = operations[call.name] else { return [:] }
    let step = call.address.calls.isEmpty ? steps[call.address.path] : nil
    let own = operation.answerDescriptions
    let expected = step?.expectation?.describedParts ?? []
    guard contract != nil || !own.isEmpty || !expected.isEmpty,
      let value = try? Value(answer, as: .record(types.output))
    else { return [:] }
    var described: [String: any DescribedValues] = [:]
    if let contract, let input = try? Value(call.input.served, as: .record(types.input)) {
      described = contract.descriptions(
        ofAnswer: value, to: input,
        of: step?.contract ?? ContractCall(operation: operation.name))
    }
    let parts = [described, own].flatMap { fields in
      fields.map { DescribedPart(FieldPath([.field($0.key)]), $0.value) }
    }
    return (parts + expected).reduce(into: [:]) { forms, part in
      forms.merge(part.forms(in: value)) { first, _ in first }
    }
  }
}
