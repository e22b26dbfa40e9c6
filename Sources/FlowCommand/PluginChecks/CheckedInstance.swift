internal import FlowCore
internal import FlowSystem

/// The result of one call for the checks.
enum CheckedAnswer: Sendable, Equatable {
  case answer(Value)
  /// An error that the operation declares.
  case error(ComponentError)
  /// An error that the operation does not declare.
  case undeclared(String)
  case cancelled
  /// There is no end in time.
  case endless

  /// True for an answer, or an error of the operation's own.
  var isOrdinary: Bool {
    switch self {
    case .answer: true
    case .error(let error): !["malformed", "timeout", "unavailable"].contains(error.code.name)
    case .undeclared, .cancelled, .endless: false
    }
  }

  /// True for the error of a component that cannot be reached.
  var isUnavailable: Bool {
    if case .error(let error) = self { error.code.name == "unavailable" } else { false }
  }

  /// The result in words, bounded.
  var text: String {
    switch self {
    case .answer(let value): value.summary(limit: 120)
    case .error(let error): "\(error)".shortened(to: 300)
    case .undeclared(let text): "undeclared error: \(text)".shortened(to: 300)
    case .cancelled: "cancelled"
    case .endless: "no end in time"
    }
  }
}

/// An opened component, called with a limit of time.
struct CheckedInstance: Sendable {
  /// The processes that the component has started until it was open.
  private let started: Set<Int32>
  private let plugin: RegisteredPlugin
  private let component: LiveComponent
  private let services: ContextServices
  private let patience: Duration
  /// The shortest limit for closing, since a program has some time to end by itself.
  private static let closing = Duration.seconds(10)

  /// Opens a component.
  ///
  /// - Throws: The error of its opening.
  init(
    _ plugin: RegisteredPlugin, _ options: ContextServices.Options, patience: Duration
  ) async throws {
    let settings = Value.map(ValueMap())
    var own = options
    own.tasks = SpawnedTasks()
    services = ContextServices(plugin.granted(own, settings: settings)) { _, _, _ in }
    let context = Context(address: Address(path: plugin.plugin.name), services: services)
    let before = ChildProcesses.all
    do { component = try await plugin.open(settings, context) } catch {
      await services.tasks.close()
      throw error
    }
    started = ChildProcesses.all.subtracting(before)
    (self.plugin, self.patience) = (plugin, patience)
  }

  /// Calls an operation, by its position.
  func call(_ operation: Int, _ input: Value) async -> CheckedAnswer {
    let answer = await Self.within(patience) { await made(operation, input) }
    return answer ?? .endless
  }

  /// Calls an operation, and cancels it after a time.
  func call(
    _ operation: Int, _ input: Value, cancelledAfter time: Duration
  ) async -> CheckedAnswer {
    let call = Task { await made(operation, input) }
    // The check goes on if it is cancelled here, and ends at its next call.
    try? await ContinuousClock().sleep(for: time)
    call.cancel()
    return await Self.within(patience) { await call.value } ?? .endless
  }

  private func made(_ operation: Int, _ input: Value) async -> CheckedAnswer {
    let declared = plugin.operations[operation]
    let context = Context(address: Address(path: declared.name), services: services)
    do {
      return .answer(try await component.calls[operation](input, context))
    } catch let error as ComponentError where declared.errors.contains(error.code) {
      return .error(error)
    } catch is CancellationError {
      return .cancelled
    } catch {
      return .undeclared("\(error)")
    }
  }

  /// True if the component is a program.
  var isProgram: Bool { !started.isEmpty }

  /// Kills the component's program with everything that it has started.
  func kill() { ChildProcesses.kill(started.union(ChildProcesses.below(started))) }

  /// Ends the component, and returns the number of its processes that would go on.
  ///
  /// They are killed. Nil if its closing does not end in time.
  func close() async -> Int? {
    let known = started.union(ChildProcesses.below(started))
    // A cancelled check closes its components, too.
    let isClosed = await Task {
      await Self.within(max(patience, Self.closing)) {
        await services.tasks.close()
        await component.close()
        return true
      }
    }.value
    let left = ChildProcesses.living(of: known)
    ChildProcesses.kill(left)
    return isClosed == nil ? nil : left.count
  }

  /// Returns the result of work, or nil if it has none within a time.
  ///
  /// Such work is cancelled and abandoned, since a task group would wait for it.
  private static func within<Result: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Result
  ) async -> Result? {
    let (results, result) = AsyncStream<Result?>.makeStream()
    let task = Task { result.yield(await work()) }
    let watch = Task {
      // A cancellation means that there is a result already.
      try? await ContinuousClock().sleep(for: limit)
      result.yield(nil)
    }
    defer {
      task.cancel()
      watch.cancel()
    }
    for await first in results { return first }
    return nil
  }
}
