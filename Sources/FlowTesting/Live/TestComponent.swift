public import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowScenario
private import Synchronization

/// A component that a test brings along, in place of what the scenario would open.
public struct TestComponent: Sendable {
  /// The plugin with its own declarations and the test's way to open it.
  let plugin: RegisteredPlugin
  /// The name of the component in the scenario that it stands for; nil for all of its plugin.
  let name: String?
  /// The stand-in that answers; nil for a component of the plugin's own type.
  private let standIn: StandIn?

  /// An object that the test keeps and can look at afterwards; `name` is the one under the scenario's `components`.
  ///
  /// The scenario's settings for it are checked and not used.
  public static func instance<Concrete: Component>(
    _ component: Concrete, as name: String? = nil
  ) -> TestComponent {
    TestComponent(plugin: RegisteredPlugin(erasing: component), name: name, standIn: nil)
  }

  /// Scripted answers, whose stand-in records the calls; `name` is the one under the scenario's `components`.
  public static func standIn(_ standIn: StandIn, as name: String? = nil) -> TestComponent {
    TestComponent(plugin: standIn.plugin, name: name, standIn: standIn)
  }

  var unscripted: [Diagnostic] { standIn?.unscripted ?? [] }

  /// The registry with the test's components in place of those that it has.
  static func registry(
    _ registry: Registry?, replacing components: [TestComponent]
  ) throws(RegistryError) -> Registry {
    var plugins = registry?.plugins ?? []
    for component in components {
      let name = component.plugin.plugin.name
      let index = plugins.firstIndex { $0.plugin.name == name }
      let plugin = component.plugin(replacing: index.map { plugins[$0] })
      if let index { plugins[index] = plugin } else { plugins.append(plugin) }
    }
    return try Registry(plugins: plugins)
  }

  /// Test components that stand for nothing in a scenario, or two of which stand for the same.
  static func problems(_ components: [TestComponent], in plan: Plan) -> [Diagnostic] {
    let names = plan.components.map(\.name)
    var known: Set<String> = []
    return components.compactMap { component in
      let plugin = component.plugin.plugin.name
      if let name = component.name, !names.contains(name) {
        return .unknownComponent(name, among: names)
      }
      if known.insert(component.name ?? "plugin \(plugin)").inserted { return nil }
      let what = component.name.map { "the component '\($0)'" } ?? "the plugin '\(plugin)'"
      return Diagnostic("test component", "the test brings along \(what) twice", at: nil)
    }
  }

  /// The components of a scenario that it stands for.
  func names(in plan: Plan) -> Set<String> {
    if let name { return [name] }
    return plan.names(ofComponents: plugin.plugin.name)
  }

  /// The plugin, which opens this component where it is meant and another one everywhere else.
  private func plugin(replacing other: RegisteredPlugin?) -> RegisteredPlugin {
    guard let name else { return plugin }
    return plugin.opened { [plugin] settings, context in
      // The address of an opening ends with the component's name.
      if context.address.path.split(separator: "/").last.map(String.init) == name {
        return try await plugin.open(settings, context)
      }
      guard let other else { throw UnknownTestComponent(name: name) }
      return try await other.open(settings, context)
    }
  }
}

extension Diagnostic {
  /// A test names a component that its scenario does not have.
  static func unknownComponent(_ name: String, among names: [String]) -> Diagnostic {
    let near = Suggestion.phrase(Suggestion.nearest(to: name, among: Set(names).sorted()))
    return Diagnostic(
      "test component", "the scenario has no component '\(name)'" + (near.map { "; \($0)" } ?? ""),
      at: nil)
  }
}

private struct UnknownTestComponent: Error, CustomStringConvertible {
  let name: String

  var description: String { "the test brings along '\(name)' alone, and gives no type for others" }
}

/// A component as the engine holds it: registered, opened from its settings, asked by name.
///
///     let counter = try await OpenComponent(Counter.self, with: ["limit": 3])
///     #expect(await counter.text("add", ["amount": 2]) == "{count: 2}")
///
/// For tests of one component without a scenario. Every answer is checked against the declaration: an error that the
/// operation does not declare comes out as `UndeclaredError`.
public struct OpenComponent: Sendable {
  /// Where a component with these settings keeps its state.
  public let state: ComponentState
  private let plugin: RegisteredPlugin
  private let component: LiveComponent
  private let services: ContextServices
  private let reports: Reports

  /// Opens a component.
  ///
  /// - Parameters:
  ///   - component: The component's type.
  ///   - settings: What would stand under `with:`.
  ///   - folder: The path of the folder that its context shows; the present one unless said.
  ///   - options: Seed, date, secrets and hosts. Time is real in any case: there is no scenario that could wait.
  /// - Throws: What the registry, the settings or the component's `open` throws.
  public init<Concrete: Component>(
    _ component: Concrete.Type, with settings: [String: any FieldValue] = [:],
    in folder: String = ".", options: LiveOptions = LiveOptions()
  ) async throws {
    let reports = Reports()
    self.reports = reports
    let name = Concrete.plugin.description.name
    let registry = try Registry([Concrete.self]).limited(to: options.network)
    guard let plugin = registry.plugin(named: name) else { throw UnknownOperation(name: name) }
    self.plugin = plugin
    services = ContextServices(plugin.granted(Self.services(folder, options))) {
      address, event, payload in
      reports.add("\(address) \(name).\(event) \(payload)")
    }
    let context = Context(address: Address(path: name), services: services)
    let settings = settings.mapValues(\.encoded).asValue
    state = try plugin.state(settings)
    self.component = try await plugin.open(settings, context)
  }

  private static func services(
    _ folder: String, _ options: LiveOptions
  ) -> ContextServices.Options {
    var services = ContextServices.Options(directory: Directory(folder))
    services.seed = options.seed
    services.secrets = Secrets(redactor: Redactor()) { options.secrets[$0] }
    services.document = DocumentReader.read
    if let date = options.date { services.date = { date } }
    return services
  }

  /// The answer of an operation, asked by the step at an address; by a step of its own for nil.
  ///
  /// - Throws: The operation's error; `UndeclaredError`, `UnknownOperation`, `DecodeError` for an input that does not
  ///   fit, `CancellationError`.
  public func call(
    _ operation: String, _ input: [String: any FieldValue] = [:], at step: String? = nil
  ) async throws -> Value {
    guard let index = plugin.operationIndex(operation) else {
      throw UnknownOperation(name: operation)
    }
    let context = Context(address: Address(path: step ?? reports.nextStep()), services: services)
    do {
      return try await component.calls[index](input.mapValues(\.encoded).asValue, context)
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
  public func text(
    _ operation: String, _ input: [String: any FieldValue] = [:], at step: String? = nil
  ) async -> String {
    do { return try await call(operation, input, at: step).description } catch { return "\(error)" }
  }

  /// What the component has reported so far: address, event and payload.
  public var events: [String] { reports.all }

  /// Ends the component as the end of a run does: its tasks are cancelled and awaited, then it is closed.
  public func close() async {
    await services.tasks.close()
    await component.close()
  }
}

/// A component's operation failed in a way that it does not declare.
public struct UndeclaredError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation's name.
  public let operation: String
  /// What it threw.
  public let error: String

  /// `'add' does not declare the error: full: the count would exceed 3`.
  public var description: String { "'\(operation)' does not declare the error: \(error)" }
}

/// A test asked for an operation that the component does not have.
public struct UnknownOperation: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name that was asked for.
  public let name: String

  /// `there is no operation 'ad'`.
  public var description: String { "there is no operation '\(name)'" }
}

extension [String: Value] {
  fileprivate var asValue: Value {
    .map(ValueMap(sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
  }
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
