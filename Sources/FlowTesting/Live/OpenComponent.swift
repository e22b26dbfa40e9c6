public import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario
private import Synchronization

/// A component as the engine holds it: registered, opened from its settings, asked by name.
///
///     let counter = try await OpenComponent(Counter.self, with: ["limit": 3])
///     #expect(await counter.text("add", ["amount": 2]) == "{count: 2}")
///
/// One that uses others gets them by its roles, real ones or scripted:
///
///     let store = try StandIn(for: Store.self, ["take": .answer(["left": 3])])
///     let cart = try await OpenComponent(Cart.self, using: ["store": OpenComponent(store)])
///
/// For tests of one component without a scenario. Every answer is checked against the declaration: an error that the
/// operation does not declare comes out as `UndeclaredError`.
public struct OpenComponent: Sendable {
  /// The place of a component's state with these settings.
  public let state: ComponentState
  private let plugin: RegisteredPlugin
  private let component: LiveComponent
  private let services: ContextServices
  private let reports: Reports

  /// Opens a component.
  ///
  /// - Parameters:
  ///   - component: The component's type.
  ///   - settings: The settings, as under `with:`.
  ///   - using: The components in its roles, by role name. They are not closed with it.
  ///   - folder: The path of the folder in its context, the present one by default.
  ///   - options: Seed, date, secrets and hosts. Time is always real, because no scenario waits.
  /// - Throws: `UnfitRole` for an empty role, or a component that does not fit it. Errors of the
  ///   registry,
  ///   of the settings and of the component's `open`.
  public init<Concrete: Component>(
    _ component: Concrete.Type, with settings: [String: any FieldValue] = [:],
    using: [String: OpenComponent] = [:], in folder: String = ".",
    options: LiveOptions = LiveOptions()
  ) async throws {
    let name = Concrete.pluginName
    let registry = try Registry([Concrete.self]).limited(to: options.network)
    guard let plugin = try registry.plugin(named: name) else {
      throw UnknownOperation(name: name, known: [])
    }
    try await self.init(plugin, settings, using: using, in: folder, options)
  }

  /// Opens a stand-in for a component.
  public init(_ standIn: StandIn) async throws {
    try await self.init(standIn.plugin, [:], using: [:], in: ".", LiveOptions())
  }

  private init(
    _ plugin: RegisteredPlugin, _ settings: [String: any FieldValue],
    using: [String: OpenComponent], in folder: String, _ options: LiveOptions
  ) async throws {
    let (reports, name) = (Reports(), plugin.plugin.name)
    self.reports = reports
    self.plugin = plugin
    let settings = settings.mapValues(\.encoded).asValue
    var world = plugin.granted(Self.services(folder, options), settings: settings)
    world.roles = try Self.roles(of: plugin, using)
    world.fail = { reports.add("\($0) failed: \($1)") }
    world.failAtEnd = { reports.add($0) }
    services = ContextServices(world) { address, event, payload in
      reports.add("\(address) \(name).\(event) \(payload)")
      reports.streams.publish(EventQueue.Key(scope: nil, name: event), payload)
    }
    let context = Context(address: Address(path: name), services: services)
    state = try plugin.state(settings)
    do { component = try await plugin.open(settings, context) } catch {
      await services.tasks.close()
      throw error
    }
  }

  /// The components in a plugin's roles.
  private static func roles(
    of plugin: RegisteredPlugin, _ using: [String: OpenComponent]
  ) throws(UnfitRole) -> FilledRoles {
    let requirements = plugin.requirements(using: using.keys.sorted())
    let known = requirements.map(\.role.name)
    if let name = using.keys.sorted().first(where: { !known.contains($0) }) {
      let offer = Suggestion.ending(for: name, among: known)
      throw UnfitRole(role: name, reason: "'\(plugin.plugin.name)' has no such role\(offer)")
    }
    var calls: [String: @Sendable (Address, Value) async throws -> Value] = [:]
    var reports: [String: ReportSource] = [:]
    for requirement in requirements {
      guard let component = using[requirement.role.name] else {
        if requirement.role.isOptional { continue }
        throw UnfitRole(role: requirement.role.name, reason: "it is not filled")
      }
      switch requirement.kind {
      case .operation: calls[requirement.name] = try component.call(for: requirement)
      case .event: reports[requirement.name] = try component.reports(for: requirement)
      }
    }
    let counts = CallCounts()
    return FilledRoles(using.mapValues { _ in ComponentTraits() }, reports: reports) {
      [calls] caller, requirement, name, input in
      guard let call = calls[requirement.name] else {
        throw ComponentError(.unexpected, "the role '\(requirement.role.name)' is not filled")
      }
      return try await call(caller.call(name, number: counts.next(name, of: caller)), input)
    }
  }

  /// The call that a component makes of this one in its role.
  private func call(
    for requirement: RoleRequirement
  ) throws(UnfitRole) -> @Sendable (Address, Value) async throws -> Value {
    guard let index = plugin.operationIndex(requirement.member) else {
      throw UnfitRole(requirement, "there is no such operation")
    }
    let reference = OperationReference(
      component: 0, index: index, name: requirement.name, plugin: plugin,
      usesRoles: false)
    let planned: PlannedRoleCall
    do throws(RoleMisfit) { planned = try PlannedRoleCall(requirement, reference) } catch {
      throw UnfitRole(requirement, error.message)
    }
    let declared = plugin.operations[index].errors
    return { [component, services] address, input in
      let context = Context(address: address, services: services)
      do {
        return planned.answer(
          try await component.calls[index](planned.input(planned.given(input)), context))
      } catch let error as ComponentError where declared.contains(error.code) {
        throw error
      } catch let error as CancellationError {
        throw error
      } catch {
        // As the engine does.
        throw ComponentError(.unexpected, "\(error)")
      }
    }
  }

  /// The source of an event's reports for a component that has this one in its role.
  private func reports(
    for requirement: RoleRequirement
  ) throws(UnfitRole) -> ReportSource {
    guard let event = plugin.events.first(where: { $0.name == requirement.member }) else {
      throw UnfitRole(requirement, "there is no such event")
    }
    let reference = EventReference(component: 0, name: requirement.name, description: event)
    let planned: PlannedRoleEvent
    do throws(RoleMisfit) { planned = try PlannedRoleEvent(requirement, reference) } catch {
      throw UnfitRole(requirement, error.message)
    }
    return reports.streams.source(
      of: EventQueue.Key(scope: nil, name: requirement.member), to: plugin.plugin.name, in: nil
    ) { planned.payload(of: $0) }
  }

  private static func services(
    _ folder: String, _ options: LiveOptions
  ) -> ContextServices.Options {
    var services = ContextServices.Options(directory: Directory(folder))
    services.seed = options.seed
    services.secrets = Secrets(redactor: Redactor()) { options.secrets[$0] }
    services.document = DocumentReader.read
    services.documents = DocumentReader.readAll
    if let date = options.date { services.date = { date } }
    services.kept = options.kept
    return services
  }

  /// Calls an operation from the step at an address, or from a new step for nil.
  ///
  /// - Throws: The operation's error, `UndeclaredError`, `UnknownOperation`, `DecodeError` for an
  ///   input that
  ///   does not fit, `CancellationError`.
  public func call(
    _ operation: String, _ input: [String: any FieldValue] = [:], at step: String? = nil
  ) async throws -> Value {
    guard let index = plugin.operationIndex(operation) else {
      throw UnknownOperation(name: operation, known: plugin.operations.map(\.name))
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

  /// The reports of the component so far: address, event and payload, for a noted failure `failed`
  /// and the error, and last the failures for the end that were not withdrawn.
  public var events: [String] { reports.all }

  /// Ends the component as the end of a run does: its tasks are cancelled and awaited, then it is closed.
  public func close() async {
    await component.prepareToClose()
    await services.tasks.close()
    reports.streams.end(in: nil)
    await component.close()
  }
}

/// An undeclared failure of a component's operation.
public struct UndeclaredError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation's name.
  public let operation: String
  /// The thrown error.
  public let error: String

  /// `'add' does not declare the error: full: the count would exceed 3`.
  public var description: String { "'\(operation)' does not declare the error: \(error)" }
}

/// A role of a component under test is not filled, or by one that does not fit.
public struct UnfitRole: Error, Sendable, Hashable, CustomStringConvertible {
  /// The role's name.
  public let role: String
  /// The problem.
  public let reason: String

  /// `the role 'store': it is not filled`.
  public var description: String { "the role '\(role)': \(reason)" }
}

extension UnfitRole {
  fileprivate init(_ requirement: RoleRequirement, _ reason: String) {
    self.init(role: requirement.role.name, reason: "'\(requirement.member)': \(reason)")
  }
}

/// A call of an operation that the component does not have.
public struct UnknownOperation: Error, Sendable, Hashable, CustomStringConvertible {
  /// The requested name.
  public let name: String
  /// The operations of the component.
  public let known: [String]

  /// `there is no operation 'ad'; did you mean 'add'?`.
  public var description: String {
    "there is no operation '\(name)'" + Suggestion.ending(for: name, among: known)
  }
}

extension [String: Value] {
  fileprivate var asValue: Value {
    .map(ValueMap(sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
  }
}

/// The numbers of equally named calls during one call.
private final class CallCounts: Sendable {
  private struct Key: Hashable {
    let caller: Address
    let name: String
  }

  private let counts = Mutex<[Key: Int]>([:])

  func next(_ name: String, of caller: Address) -> Int {
    counts.withLock { counts in
      let number = (counts[Key(caller: caller, name: name)] ?? 0) + 1
      counts[Key(caller: caller, name: name)] = number
      return number
    }
  }
}

private final class Reports: Sendable {
  /// The streams of reports for the components that use this one.
  let streams = ReportStreams()
  private let lines = Mutex<[String]>([])
  private let pending = Mutex<[PendingFailure]>([])
  private let steps = Mutex(0)

  var all: [String] {
    let pending = pending.withLock(\.self).filter { !$0.isWithdrawn }
    return lines.withLock(\.self) + pending.map { "failed at the end: \($0.error)" }
  }

  /// The name of a new step.
  ///
  /// Calls of one step count as attempts of one call, with one idempotency key.
  func nextStep() -> String {
    steps.withLock { steps in
      steps += 1
      return "step-\(steps)"
    }
  }

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  func add(_ failure: PendingFailure) { pending.withLock { $0.append(failure) } }
}
