package import FlowCore
package import FlowEngine
internal import FlowPlan
internal import FlowSystem
private import Synchronization

/// Gathers the parts of services' descriptions that the calls of a run cover.
package final class CoverageTracer: EventSink {
  private struct State {
    var covered = CoveredParts()
    /// The shown paths of the descriptions, by their paths from the scenario's folder.
    var paths: [String: String] = [:]
    var sources: CallSources
  }

  private let state: Mutex<State>

  /// Creates the coverage of a run that has not started.
  package init(_ usual: CallSources.Usual) {
    state = Mutex(State(sources: CallSources(usual)))
  }

  /// The covered parts so far.
  package var covered: CoveredParts { state.withLock { $0.covered } }

  /// Notes the source of a call that has not ended.
  package func note(_ address: Address, isLive: Bool) {
    state.withLock { $0.sources.note(address, isLive: isLive) }
  }

  package func receive(_ event: Event) {
    switch event {
    case .runStarted(let run): declare(run.plan)
    case .completed(let invocation, let outcome): add(invocation, outcome)
    default: return
    }
  }

  /// Declares the descriptions of all components, also of those that are not called.
  private func declare(_ plan: Plan) {
    let folder = Path.folder(of: plan.file)
    for component in plan.allComponents {
      guard let contract = component.contract, let path = component.plugin.contractPath else {
        continue
      }
      let file = Path.joined(folder, path)
      let shown = FileSystem.realPath(file).map(Path.shown) ?? file
      state.withLock { state in
        state.paths[path] = shown
        state.covered.declare(shown, contract.parts)
      }
    }
  }

  private func add(_ invocation: Invocation, _ outcome: Outcome) {
    let isLive = state.withLock {
      $0.sources.isLive(invocation.address, of: invocation.componentName)
    }
    guard case .operation(let operation) = invocation.target,
      let contract = operation.plugin.contract, let path = operation.plugin.contractPath,
      let answer = outcome.answer
    else { return }
    let input = invocation.role?.input(invocation.input) ?? invocation.input
    let call = ContractCall(operation: operation.description.name)
    let positions = contract.parts(coveredBy: input, answer: answer, of: call)
    let names = positions.filter(contract.parts.indices.contains).map { contract.parts[$0].name }
    state.withLock { state in
      guard let shown = state.paths[path] else { return }
      state.covered.add(names, of: shown, isLive: isLive)
    }
  }
}

extension Outcome {
  /// The answer of a completed call, with nil for an error, or nil for a cancelled call.
  fileprivate var answer: Value?? {
    switch self {
    case .answer(let value): .some(value)
    case .error: .some(nil)
    case .cancelled: nil
    }
  }
}
