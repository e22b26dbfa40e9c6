private import Synchronization

/// What a component would otherwise find in the air: time, chance, files, tasks, a way to report.
///
/// One for each call. Everything it gives can be replaced by the engine: time can be virtual, chance
/// comes from the run's seed, and files stay below the scenario's folder.
public struct Context: Sendable {
  /// The call this context belongs to; for `init`, the component's declaration.
  public let address: Address
  private let services: ContextServices

  package init(address: Address, services: ContextServices) {
    self.address = address
    self.services = services
  }

  /// The clock to sleep on and to measure with.
  public var clock: any Clock<Duration> { services.clock }

  /// The wall clock's time now, in the run's time.
  public var date: Timestamp { services.date() }

  /// Random numbers for this call, the same in every run with the same seed.
  ///
  /// Copy it into a variable and draw from that: `var random = context.random`.
  public var random: SeededGenerator { SeededGenerator(seed: services.seed, label: "\(address)") }

  /// The folder of the scenario that the component belongs to; no path leads out of its project, or of the folder
  /// itself where there is none.
  ///
  /// It refuses every path where the plugin does not declare that it reaches files.
  public var directory: Directory { services.directory }

  /// The hosts that the component may connect to; whatever connects asks it first.
  ///
  /// It allows none where the plugin does not declare that it reaches the network.
  public var network: Network { services.network }

  /// The secrets that the run was given, by name.
  public var secrets: Secrets { services.secrets }

  /// A text that is the same when this very call is tried again in a run, and different for every
  /// other call and every other run.
  public var idempotencyKey: String { "\(services.run)/\(address.key)" }

  /// Suspends for a span of the run's time.
  ///
  /// - Throws: `CancellationError` when the run is cancelled meanwhile.
  public func sleep(for duration: Duration) async throws {
    try await services.clock.sleep(for: duration)
  }

  /// Does work that goes on outside of the run's time: a request, a process, a call that blocks its thread.
  ///
  /// Virtual time stands still meanwhile, so that nothing happens because a real second has passed; the timeouts of steps
  /// end the work after as long in real time. It runs on the concurrent pool, in the same task: the cancellation of the
  /// call reaches it.
  public func outside<Success: Sendable>(
    _ work: @concurrent @Sendable () async throws -> Success
  ) async rethrows -> Success {
    try await services.time.holding(work)
  }

  /// Starts work that goes on beside the call; the scenario that the component belongs to cancels and
  /// awaits it at its end.
  ///
  /// The work has a context of its own, whose address is the present one and the name with a number: `sync#1/poll#2`.
  /// Through that it may call the component's roles when the call has ended long ago. An error that it throws is
  /// logged, and fails nothing unless the component awaits the task.
  ///
  /// - Precondition: The name consists of letters, digits, `-` and `_`.
  @discardableResult
  public func spawn<Success: Sendable>(
    _ name: String, _ work: @escaping @Sendable (Context) async throws -> Success
  ) -> Task<Success, any Error> {
    precondition(Address.Call.isLane(name), "'\(name)' is not a task name")
    let lane = Context(
      address: address.call(name, number: services.lanes.next(name, at: address)),
      services: services)
    services.roles.begin(lane.address)
    return services.tasks.spawn { [roles = services.roles] in
      defer { roles.end(lane.address) }
      do { return try await work(lane) } catch {
        // It may be that nobody awaits it. What a cancelled one throws says nothing.
        if !Task.isCancelled, !(error is CancellationError) {
          lane.log("the task ended with an error: \(error)")
        }
        throw error
      }
    }
  }

  /// Calls the component in one of this component's roles.
  func ask(
    _ requirement: RoleRequirement, as label: String?, _ input: Value
  ) async throws -> Value {
    guard let label else {
      return try await services.roles.ask(address, requirement, requirement.name, input)
    }
    guard Address.Call.isLane(label), label.utf8.count <= 64 else {
      throw ComponentError(.unexpected, "'\(label.escaped)' is not a label of a call")
    }
    return try await services.roles.ask(
      address, requirement, "\(requirement.name).\(label)", input)
  }

  /// What the component in one of this component's roles reports.
  func reports(_ requirement: RoleRequirement) -> ReportSource {
    services.roles.reports[requirement.name] ?? ReportSource { nil }
  }

  /// Whether a scenario has filled a role.
  func isFilled(_ role: String) -> Bool { services.roles.filled.contains(role) }

  /// Reports an event that the component declares.
  public func emit<Payload>(_ event: EventKind<Payload>, _ payload: Payload) {
    services.emit(address.outsideLane, event.description.name, event.record.encode(payload))
  }

  /// Writes a line for the person who watches the run; it is not recorded.
  public func log(_ message: String) {
    services.log(address, message)
  }

  /// Reads a YAML or JSON file of the scenario's folder, with a position for every value.
  ///
  /// - Throws: `FileError`, or `DocumentError` with the position of what is wrong.
  public func document(_ path: String) throws -> Document {
    try services.document(directory, path)
  }
}

/// Numbers the work that is started at an address, by its name; a call that is tried again has the same address.
private final class LaneCounter: Sendable {
  private let counts = Mutex<[Address: Int]>([:])

  func next(_ name: String, at address: Address) -> Int {
    let first = address.call(name, number: 1)
    return counts.withLock { counts in
      counts[first, default: 0] += 1
      return counts[first] ?? 1
    }
  }
}

/// What the contexts of one component share; components see it through `Context`.
package final class ContextServices: Sendable {
  package let clock: any Clock<Duration>
  package let date: @Sendable () -> Timestamp
  package let seed: UInt64
  /// A text that names this run, kept when the run is resumed.
  package let run: String
  package let directory: Directory
  package let network: Network
  package let secrets: Secrets
  package let tasks: SpawnedTasks
  package let time: any HeldTime
  package let roles: FilledRoles
  fileprivate let lanes = LaneCounter()
  package let emit: @Sendable (Address, String, Value) -> Void
  package let log: @Sendable (Address, String) -> Void
  package let document: @Sendable (Directory, String) throws -> Document

  package init(_ options: Options, emit: @escaping @Sendable (Address, String, Value) -> Void) {
    clock = options.clock
    date = options.date
    seed = options.seed
    run = options.run
    directory = options.directory
    network = options.network
    secrets = options.secrets
    tasks = options.tasks
    time = options.time
    roles = options.roles
    log = options.log
    document = options.document
    self.emit = emit
  }

  /// Everything but the reports, which differ from component to component.
  package struct Options: Sendable {
    /// The clock of the run.
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The wall clock of the run.
    package var date: @Sendable () -> Timestamp = SystemTime.now
    /// The one seed of all chance in the run.
    package var seed: UInt64 = 0
    /// The run's name.
    package var run = "run"
    /// The scenario's folder.
    package var directory: Directory
    /// The hosts that may be connected to.
    package var network = Network.unlimited
    /// The secrets of the run; none by default.
    package var secrets = Secrets.none
    /// The tasks of the run.
    package var tasks = SpawnedTasks()
    /// The time that stands still while work goes on outside of it; real time by default, which does not.
    package var time: any HeldTime = RealTime()
    /// The components in the roles of the one whose context this is; none by default.
    package var roles = FilledRoles()
    /// Receives log lines; they are dropped by default.
    package var log: @Sendable (Address, String) -> Void = { _, _ in }
    /// Reads documents; refuses all of them by default.
    package var document: @Sendable (Directory, String) throws -> Document = { _, path in
      throw FileError(.unreadable, path: path, reason: "no document reader is installed")
    }

    package init(directory: Directory) {
      self.directory = directory
    }
  }
}

/// Time that can be held still.
package protocol HeldTime: Sendable {
  /// Lets no time pass until `release` was called as often as this. Called from any thread.
  func hold()

  /// Ends what one call of `hold` began.
  func release()
}

extension HeldTime {
  /// Holds time still during work that leaves the run's executor.
  ///
  /// Not in the isolation of the caller: the thread that ends the work can take an actor over, and time would
  /// go on before the task is back on the executor that counts it.
  @concurrent fileprivate func holding<Success: Sendable>(
    _ work: @concurrent @Sendable () async throws -> Success
  ) async rethrows -> Success {
    hold()
    defer { release() }
    return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
  }
}

/// The time of the world, which stands still for nothing.
package struct RealTime: HeldTime {
  package init() {}

  package func hold() {}

  package func release() {}
}

/// Random numbers that a seed and a label decide: the same ones on every machine and in every run.
///
/// The state is seeded by FNV-1a over the label and stepped by SplitMix64 (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", 2014). It is not for cryptography.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The generator of one place in a run.
  public init(seed: UInt64, label: String) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    for byte in label.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    state = hash
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
