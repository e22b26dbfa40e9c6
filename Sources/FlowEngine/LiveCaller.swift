package import FlowCore
internal import FlowScenario
internal import Synchronization

/// Calls the components themselves.
public final class LiveCaller: Caller {
  private let options: ContextServices.Options
  private let sinks: EventSinks
  private let events: EventQueue
  private let components: Mutex<[OpenComponent?]>

  private struct OpenComponent {
    let component: LiveComponent
    let services: ContextServices
  }

  /// A caller whose components find the world that `options` describe.
  ///
  /// `events` keeps what they report for the steps that wait for it.
  package init(
    componentCount: Int, options: ContextServices.Options, sinks: EventSinks,
    events: EventQueue = EventQueue()
  ) {
    self.options = options
    self.events = events
    self.sinks = sinks
    components = Mutex(Array(repeating: nil, count: componentCount))
  }

  /// Opens a component or calls one that is open.
  public func call(_ invocation: Invocation) async throws -> Outcome {
    do {
      switch invocation.target {
      case .open(let component, let index):
        try await open(component, index, invocation)
        return .answer(.record(RecordValue(.empty, [])))
      case .operation(let operation): return .answer(try await call(operation, invocation))
      case .event(let event): return .answer(try await events.next(event))
      }
    } catch let error as ComponentError {
      return .error(Self.declared(error, by: invocation.target))
    } catch let error as CancellationError where Task.isCancelled {
      throw error
    } catch let failure as EvaluationFailure {
      // The condition of a step that waits is the scenario's, not the component's.
      throw failure
    } catch {
      return .error(ComponentError(.unexpected, "\(error)"))
    }
  }

  /// The error, or `unexpected` where an operation answers with a code that it does not declare.
  private static func declared(
    _ error: ComponentError, by target: Invocation.Target
  ) -> ComponentError {
    guard case .operation(let operation) = target, error.code != .unexpected,
      !operation.description.errors.contains(error.code)
    else { return error }
    return ComponentError(
      .unexpected,
      "'\(operation.name)' does not declare the error '\(error.code.name)': \(error.message)")
  }

  /// Stops what the components have started and lets them go.
  public func finish() async {
    await options.tasks.close()
    components.withLock { $0 = [] }
  }

  private func open(
    _ component: PlannedComponent, _ index: Int, _ invocation: Invocation
  ) async throws {
    let services = ContextServices(options) { [sinks, events] address, event, payload in
      let name = "\(component.name).\(event)"
      sinks.receive(.emitted(address, event: name, payload: payload))
      events.add(name, payload)
    }
    let context = Context(address: invocation.address, services: services)
    let live = try await component.plugin.open(invocation.input, context)
    components.withLock { $0[index] = OpenComponent(component: live, services: services) }
  }

  private func call(_ operation: OperationReference, _ invocation: Invocation) async throws -> Value
  {
    guard let open = components.withLock({ $0[operation.component] }) else {
      throw ComponentError(.unexpected, "the component is not open")
    }
    let context = Context(address: invocation.address, services: open.services)
    return try await open.component.calls[operation.index](invocation.input, context)
  }
}
