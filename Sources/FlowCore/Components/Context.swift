private import Synchronization

/// The environment of a call: time, randomness, files, tasks, and a way to report events.
///
/// There is one for each call. The engine can replace all of it: time can be virtual, randomness
/// comes from the run's seed, and files stay below the scenario's folder.
public struct Context: Sendable {
  /// The call of this context, or for `init` the component's declaration.
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

  /// How long ago the run was recorded: in a recording next to nothing.
  ///
  /// It is real time, so nothing that is compared may depend on it.
  public var recordingAge: Duration { SystemTime.now().duration(since: date) }

  /// Random numbers for this call, the same in every run with the same seed.
  ///
  /// Copy it into a variable and draw from that: `var random = context.random`.
  public var random: SeededGenerator { SeededGenerator(seed: services.seed, label: "\(address)") }

  /// The folder of the component's scenario.
  ///
  /// No path leads out of its project, or without one of the folder.
  ///
  /// It refuses every path if the plugin does not declare that it reaches files.
  public var directory: Directory {
    services.directory.noting(services.reads, by: address.place)
  }

  /// The hosts that the component may connect to.
  ///
  /// Ask it before each connection.
  ///
  /// It allows none if the plugin does not declare that it reaches the network.
  public var network: Network { services.network }

  /// The rules for the component's calls, from `Plugin.contracted`, or nil without any.
  public var contract: (any CallContract)? { services.contract }

  /// The secrets of the run, by name.
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

  /// Does work outside the run's time: a request, a process, a call that blocks its thread.
  ///
  /// Virtual time stands still meanwhile, so nothing happens just because a real second has passed.
  /// The timeouts of steps end the work after the same real time. The work runs on the concurrent
  /// pool, in the same task, so the cancellation of the call reaches it.
  public func outside<Success: Sendable>(
    _ work: @concurrent @Sendable () async throws -> Success
  ) async rethrows -> Success {
    try await services.time.holding(work)
  }

  /// Lets virtual time pass at the pace of real time until the returned pace has ended.
  ///
  /// For something that goes on by itself outside of flow, such as a started program: virtual time
  /// would otherwise jump to the next deadline whenever the run has nothing to do, and a step that
  /// polls the program would use up its attempts before the program had any time. Work in `outside`
  /// does not hold time meanwhile. Has no effect in real time.
  public func followRealTime() -> RealTimePace { RealTimePace(services.time) }

  /// Returns a text as a label of calls or a name of tasks, such as `GET-users-7`.
  ///
  /// Secrets have their names in it, since labels are parts of addresses, which every file of a run
  /// contains. Other characters than ASCII letters and digits become `-`, and at most 48 are left.
  public func label(_ text: String) -> String {
    let characters = secrets.named(in: text).map {
      $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-"
    }
    return String(characters.prefix(48))
  }

  /// Starts work that runs beside the call.
  ///
  /// The component's scenario cancels and awaits it at its end.
  ///
  /// The work has a separate context. Its address is the present one, and the name with a number:
  /// `sync#1/poll#2`. Through that context it may call the component's roles after the call has
  /// ended. An error of the work is logged, and fails nothing unless the component awaits the task.
  ///
  /// - Precondition: The name consists of letters, digits, `-` and `_`. `label` makes one of any
  ///   text.
  @discardableResult
  public func spawn<Success: Sendable>(
    _ name: String, _ work: @escaping @Sendable (Context) async throws -> Success
  ) -> Task<Success, any Error> {
    precondition(Address.Call.isLane(name), "'\(name)' is not a task name")
    let name = hidden(name)
    let lane = Context(
      address: address.call(name, number: services.lanes.next(name, at: address)),
      services: services)
    services.roles.begin(lane.address)
    return services.tasks.spawn { [roles = services.roles] in
      defer { roles.end(lane.address) }
      do { return try await work(lane) } catch {
        // The task may have no reader. The error of a cancelled one means nothing.
        if !Task.isCancelled, !(error is CancellationError) {
          lane.log("the task ended with an error: \(error)")
        }
        throw error
      }
    }
  }

  /// Begins a scope under a name of its address.
  func scope(_ name: String) -> OutsideScope {
    let number = services.lanes.next(name, at: address)
    let lane = Context(address: address.call(name, number: number), services: services)
    return OutsideScope(lane, services.roles)
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
      address, requirement, "\(requirement.name).\(hidden(label))", input)
  }

  /// A part of an address without secrets, whatever a component made it of.
  private func hidden(_ name: String) -> String {
    secrets.areRevealed(by: name) ? label(name) : name
  }

  /// What does not vary of a text in a field of a call's input.
  func constant(_ requirement: RoleRequirement, _ field: String, _ text: String) -> String {
    services.roles.constant(requirement, field, text)
  }

  /// The reports of the component in one of this component's roles.
  func reports(_ requirement: RoleRequirement) -> ReportSource {
    services.roles.reports[requirement.name] ?? ReportSource { nil }
  }

  /// Returns true if a scenario has filled a role.
  func isFilled(_ role: String) -> Bool { services.roles.filled[role] != nil }

  /// The properties of the component in a role.
  func traits(of role: String) -> ComponentTraits {
    services.roles.filled[role] ?? ComponentTraits()
  }

  /// Reports one of the component's declared events.
  public func emit<Payload>(_ event: EventKind<Payload>, _ payload: Payload) {
    services.emit(address.outsideLane, event.description.name, event.record.encode(payload))
  }

  /// Notes a failure that no answer of an operation reports, such as a request of a program under
  /// test that has no answer.
  ///
  /// The run fails, whatever the program makes of it: with the step during which it happened, or at
  /// the end of the run. Only components with a role for requests from outside (`fromOutside`) fail
  /// a step.
  ///
  /// - Parameter error: The reason. Its code is not among those of an operation.
  public func fail(_ error: ComponentError) { services.fail(address, error) }

  /// Notes a failure that a later step may ask for, such as the end of a started program.
  ///
  /// The run fails at its end with the step during which it happened, unless the component has
  /// withdrawn the failure. The steps in between run. May be called after the call has ended.
  ///
  /// - Parameters:
  ///   - error: The reason. Its code is not among those of an operation.
  ///   - notes: Lines that help to find the cause.
  ///   - isOfPassedRun: True for a failure that counts only in a run without another one, because it
  ///     may follow from that.
  /// - Returns: The failure, for a step that asks for it.
  public func failAtEnd(
    _ error: ComponentError, notes: [String] = [], ifPassed isOfPassedRun: Bool = false
  ) -> PendingFailure {
    let failure = PendingFailure(error, notes: notes, ifPassed: isOfPassedRun)
    services.failAtEnd(failure)
    return failure
  }

  /// The place for parts of the component that outlive the run, or nil if none may.
  ///
  /// Ask for it in `init`.
  public var keeper: PartKeeper? { services.kept.map { PartKeeper($0, of: address) } }

  /// The streams of flow itself for a program of the run, or nil where flow needs them.
  public var foreground: Foreground? { services.foreground }

  /// Writes a line for the person who watches the run.
  ///
  /// It is not recorded.
  public func log(_ message: String) {
    services.log(address, message)
  }

  /// Writes a line as `log` does, whose text `show` has shown before.
  ///
  /// Reports contain it. It is not printed again below what was shown.
  public func log(shown message: String) {
    services.logOfShown(address, message)
  }

  /// True if somebody may watch the run, so that it is worth to call `show`.
  public var isWatched: Bool { services.show != nil }

  /// Shows a line of work that goes on, such as a line of a running program, to the person who
  /// watches the run.
  ///
  /// It is not recorded, and no report contains it. Only a part of very many lines is shown. May be
  /// called after the call has ended.
  public func show(_ line: String) {
    services.show?(address, line)
  }

  /// Reads a YAML or JSON file of the scenario's folder, with a position for every value.
  ///
  /// - Throws: `FileError`, or `DocumentError` with the position of the problem.
  public func document(_ path: String) throws -> Document {
    try services.document(directory, path)
  }

  /// Reads all documents of a YAML file of the scenario's folder, none for an empty file.
  ///
  /// - Throws: `FileError`, or `DocumentError` with the position of the problem.
  public func documents(_ path: String) throws -> [Document] {
    try services.documents(directory, path)
  }
}

/// The numbers of tasks started at an address, by name.
///
/// A repeated call has the same address.
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

/// The shared parts of one component's contexts.
///
/// Components see them through `Context`.
package final class ContextServices: Sendable {
  package let clock: any Clock<Duration>
  package let date: @Sendable () -> Timestamp
  package let seed: UInt64
  /// The name of this run, kept when the run is resumed.
  package let run: String
  package let directory: Directory
  fileprivate let reads: FileReads?
  package let network: Network
  fileprivate let contract: (any CallContract)?
  package let secrets: Secrets
  package let tasks: SpawnedTasks
  package let time: any HeldTime
  package let roles: FilledRoles
  fileprivate let lanes = LaneCounter()
  package let emit: @Sendable (Address, String, Value) -> Void
  package let log: @Sendable (Address, String) -> Void
  fileprivate let logOfShown: @Sendable (Address, String) -> Void
  fileprivate let show: (@Sendable (Address, String) -> Void)?
  fileprivate let fail: @Sendable (Address, ComponentError) -> Void
  fileprivate let failAtEnd: @Sendable (PendingFailure) -> Void
  fileprivate let foreground: Foreground?
  fileprivate let kept: KeptParts?
  package let document: @Sendable (Directory, String) throws -> Document
  package let documents: @Sendable (Directory, String) throws -> [Document]

  package init(_ options: Options, emit: @escaping @Sendable (Address, String, Value) -> Void) {
    clock = options.clock
    date = options.date
    seed = options.seed
    run = options.run
    directory = options.directory
    reads = options.reads
    network = options.network
    contract = options.contract
    secrets = options.secrets
    tasks = options.tasks
    time = options.time
    roles = options.roles
    log = options.log
    logOfShown = options.logOfShown ?? options.log
    show = options.show
    fail = options.fail
    failAtEnd = options.failAtEnd
    foreground = options.foreground
    kept = options.kept
    document = options.document
    documents = options.documents
    self.emit = emit
  }

  /// All services except reports, which differ from component to component.
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
    /// The list of the files that are read, or nil.
    package var reads: FileReads?
    /// The allowed hosts.
    package var network = Network.unlimited
    /// The rules for the component's calls.
    package var contract: (any CallContract)?
    /// The secrets of the run, none by default.
    package var secrets = Secrets.none
    /// The tasks of the run.
    package var tasks = SpawnedTasks()
    /// The time that stands still during work outside it.
    ///
    /// Real time by default, which does not.
    package var time: any HeldTime = RealTime()
    /// The components in this component's roles, none by default.
    package var roles = FilledRoles()
    /// Receives log lines.
    ///
    /// They are dropped by default.
    package var log: @Sendable (Address, String) -> Void = { _, _ in }
    /// Receives log lines whose text was shown before, or nil for `log`.
    package var logOfShown: (@Sendable (Address, String) -> Void)?
    /// Receives lines of work that goes on, or nil if nobody watches.
    package var show: (@Sendable (Address, String) -> Void)?
    /// Receives failures beside answers.
    ///
    /// They are dropped by default.
    package var fail: @Sendable (Address, ComponentError) -> Void = { _, _ in }
    /// Receives failures that may be withdrawn.
    ///
    /// They are dropped by default.
    package var failAtEnd: @Sendable (PendingFailure) -> Void = { _ in }
    /// The streams of flow for a program of the run, or nil.
    package var foreground: Foreground?
    /// The parts that outlive the run, or nil if none may.
    package var kept: KeptParts?
    /// Reads documents.
    ///
    /// Refuses all of them by default.
    package var document: @Sendable (Directory, String) throws -> Document = { _, path in
      throw FileError(.unreadable, path: path, reason: "no document reader is installed")
    }
    /// Reads all documents of a YAML file.
    ///
    /// Refuses all files by default.
    package var documents: @Sendable (Directory, String) throws -> [Document] = { _, path in
      throw FileError(.unreadable, path: path, reason: "no document reader is installed")
    }

    package init(directory: Directory) {
      self.directory = directory
    }
  }
}
