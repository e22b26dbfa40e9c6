internal import FlowCore
internal import FlowScenario

extension ContractRun {
  /// How the sample fails, and which operations it leaves out.
  func sampleProblems<Subject: Component>(_ subject: Subject.Type) async -> [Diagnostic] {
    let record = await record()
    if !record.failures.isEmpty { return record.failures }
    let called = Set(record.operations.map(\.operation))
    return Subject.plugin.operations.map(\.description.name).filter { !called.contains($0) }.map {
      ContractFault.notCalled("\(Subject.plugin.description.name).\($0)").diagnostic(at: nil)
    }
  }

  /// The calls that failed in a way that their operations do not declare.
  func errorProblems() async -> [Diagnostic] {
    let record = await record()
    return record.calls.compactMap { call in
      guard case .error(let error) = call.answer, error.code == .unexpected else { return nil }
      return ContractFault.undeclared(call, message: error.message)
        .diagnostic(at: record.span(of: call.address, in: plan.file))
    }
  }
}

extension ContractRun.Record {
  /// The calls with the names of their operations, which stand behind those of the components.
  var operations: [(operation: String, call: ComponentCall)] {
    calls.map { (String($0.name.drop { $0 != "." }.dropFirst()), $0) }
  }
}
