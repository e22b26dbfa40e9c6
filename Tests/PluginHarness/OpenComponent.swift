package import FlowCore
private import Synchronization

/// A component as the engine holds it: registered, opened from its settings, asked by name.
///
/// Every answer is checked against the declaration: an error that the operation does not declare
/// comes out as `UndeclaredError`.
package struct OpenComponent: Sendable {
  private let plugin: RegisteredPlugin
  private let component: LiveComponent
  private let services: ContextServices
  private let reports: Reports

  /// Opens a component with the services that `options` lists.
  ///
  /// - Throws: what the registry, the settings' record or the component's initialiser throws.
  package init<Concrete: Component>(
    _: Concrete.Type, with settings: [(String, Value)] = [], _ options: ContextServices.Options
  ) async throws {
    let reports = Reports()
    self.reports = reports
    let name = Concrete.plugin.name
    services = ContextServices(options) { address, event, payload in
      reports.add("\(address) \(name).\(event) \(payload)")
    }
    let registry = try Registry([Concrete.self])
    guard let plugin = registry.plugin(named: name) else { throw UnknownOperation(name: name) }
    self.plugin = plugin
    let context = Context(address: Address(path: name), services: services)
    component = try await plugin.open(.map(ValueMap(settings)), context)
  }

  /// The answer of an operation, asked by the step at an address; by a step of its own for nil.
  ///
  /// - Throws: the operation's error; `UndeclaredError`, `UnknownOperation`, `CancellationError`.
  package func call(
    _ operation: String, _ input: [(String, Value)] = [], at step: String? = nil
  ) async throws -> Value {
    guard let index = plugin.operationIndex(operation) else {
      throw UnknownOperation(name: operation)
    }
    let context = Context(address: Address(path: step ?? reports.nextStep()), services: services)
    do {
      return try await component.calls[index](.map(ValueMap(input)), context)
    } catch let error as ComponentError {
      guard plugin.operations[index].errors.contains(error.code) else {
        throw UndeclaredError(operation: operation, error: "\(error)")
      }
      throw error
    } catch let error where !(error is DecodeError || error is CancellationError) {
      throw UndeclaredError(operation: operation, error: "\(error)")
    }
  }

  /// The answer's or the error's text, for tables of both.
  package func text(
    _ operation: String, _ input: [(String, Value)] = [], at step: String? = nil
  ) async -> String {
    do { return try await call(operation, input, at: step).description } catch { return "\(error)" }
  }

  /// What the component has reported so far: address, event and payload.
  package var events: [String] { reports.all }
}

/// A component's operation failed in a way that it does not declare.
package struct UndeclaredError: Error {
  let operation: String
  let error: String
}

/// A test asked for an operation that the component does not have.
package struct UnknownOperation: Error {
  let name: String
}

private final class Reports: Sendable {
  private let lines = Mutex<[String]>([])
  private let steps = Mutex(0)

  var all: [String] { lines.withLock { $0 } }

  /// Calls of one step are one call that is tried again, to a component that asks for its key.
  func nextStep() -> String {
    steps.withLock { steps in
      steps += 1
      return "step-\(steps)"
    }
  }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}
