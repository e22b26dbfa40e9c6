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

  /// The folder of the scenario that the component belongs to; no path leads out of it.
  public var directory: Directory { services.directory }

  /// The secrets that the run was given, by name.
  public var secrets: Secrets { services.secrets }

  /// A text that is the same when this very call is tried again in a run, and different for every
  /// other call and every other run.
  public var idempotencyKey: String { "\(services.run)/\(address)" }

  /// Suspends for a span of the run's time.
  ///
  /// - Throws: `CancellationError` when the run is cancelled meanwhile.
  public func sleep(for duration: Duration) async throws {
    try await services.clock.sleep(for: duration)
  }

  /// Does work that goes on outside of the run's time: a request, a process, a call that blocks its thread.
  ///
  /// Virtual time stands still meanwhile, so that no timeout is over because a real second has passed. The work runs on
  /// the concurrent pool, in the same task: the cancellation of the call reaches it.
  public func outside<Success: Sendable>(
    _ work: @concurrent @Sendable () async throws -> Success
  ) async rethrows -> Success {
    services.time.hold()
    defer { services.time.release() }
    return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
  }

  /// Starts work that goes on beside the call; the scenario that the component belongs to cancels and
  /// awaits it at its end.
  ///
  /// The name says what the work is, for reports.
  @discardableResult
  public func spawn<Success: Sendable>(
    _ name: String, _ work: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    services.tasks.spawn(work)
  }

  /// Reports an event that the component declares.
  public func emit<Payload>(_ event: EventKind<Payload>, _ payload: Payload) {
    services.emit(address, event.description.name, event.record.encode(payload))
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
