/// What the contexts of one component share; components see it through `Context`.
package final class ContextServices: Sendable {
  package let clock: any Clock<Duration>
  package let date: @Sendable () -> Timestamp
  package let seed: UInt64
  /// A text that names this run, kept when the run is resumed.
  package let run: String
  package let directory: Directory
  package let secrets: Secrets
  package let tasks: SpawnedTasks
  package let time: any HeldTime
  package let emit: @Sendable (Address, String, Value) -> Void
  package let log: @Sendable (Address, String) -> Void
  package let document: @Sendable (Directory, String) throws -> Document

  package init(_ options: Options, emit: @escaping @Sendable (Address, String, Value) -> Void) {
    clock = options.clock
    date = options.date
    seed = options.seed
    run = options.run
    directory = options.directory
    secrets = options.secrets
    tasks = options.tasks
    time = options.time
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
    /// The secrets of the run; none by default.
    package var secrets = Secrets.none
    /// The tasks of the run.
    package var tasks = SpawnedTasks()
    /// The time that stands still while work goes on outside of it; real time by default, which does not.
    package var time: any HeldTime = RealTime()
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

/// The time of the world, which stands still for nothing.
package struct RealTime: HeldTime {
  package init() {}

  package func hold() {}

  package func release() {}
}
