/// The deviations of a run from the plain order, for repeating it exactly.
///
/// In the plain order, ready work continues in the order in which it became ready.
package struct Schedule: Sendable, Hashable {
  /// The length of a delay.
  package enum Length: String, Sendable {
    /// Until the other work that is ready then has continued.
    case behindOthers = "others"
    /// Until nothing else is ready.
    case untilIdle = "idle"
  }

  /// A delay of some of the tasks ready at one moment.
  package struct Delay: Sendable, Hashable {
    /// The number of the moment, from 0, among the moments at which two or more tasks are ready.
    package let moment: Int
    /// The number of delayed tasks, from the first on.
    ///
    /// At least one.
    package var count: Int
    /// The length of their delay.
    package let length: Length

    /// A delay.
    package init(at moment: Int, count: Int, _ length: Length) {
      self.moment = moment
      self.count = count
      self.length = length
    }
  }

  /// A single fault outside the scenario.
  ///
  /// A call is identified by the key of its address, which tells calls with different inputs apart.
  package enum Fault: Sendable, Hashable {
    /// A call is answered with the error of a code in the place of its component.
    case error(String, at: String)
    /// A call has a typical failure of its operation, of this name.
    case typical(String, at: String)
    /// A call has no answer until it is cancelled.
    ///
    /// The component is not called.
    case silence(at: String)
    /// A report is delivered twice.
    ///
    /// `number` counts from 1 among the reports of an event with readers or waiting steps.
    case duplicate(event: String, number: Int)
  }

  /// In the order of their moments, one a moment.
  package var delays: [Delay]
  /// In any order, one an address, and one a report.
  package var faults: [Fault]
  /// The number of journal lines after which the run ends as if its process were killed, or nil.
  ///
  /// The run is then resumed.
  package var crash: Int?

  /// Creates the plain order, or one with deviations.
  package init(delays: [Delay] = [], faults: [Fault] = [], crash: Int? = nil) {
    self.delays = delays
    self.faults = faults
    self.crash = crash
  }
}

/// A strategy for the order in which ready work continues.
package protocol Scheduler: Sendable {
  /// Returns how much of the ready work waits, from the first on.
  ///
  /// Always less than there is.
  ///
  /// Called on the thread of the run if two or more are ready, in the order in which they became
  /// ready.
  func delay(_ ready: ArraySlice<ReadyWork>) -> (count: Int, length: Schedule.Length)
}

/// The reason why a run cannot end by itself.
package enum Standstill: Sendable {
  /// Nothing has happened for a second of real time, and no work elsewhere is awaited.
  case stuck
  /// The run has slept more often than allowed.
  case endless
}

/// A part of a task that can go on.
///
/// Copied often, so nothing in it is counted: each is resumed once, when it is taken.
@safe package enum ReadyWork: Sendable {
  /// A job made ready by the runtime.
  case job(UnownedJob)
  /// A task with this number, paused to let others go first.
  case pause(UnsafeContinuation<Void, Never>, task: UInt64)

  /// The number of its task.
  package var task: UInt64 {
    switch self {
    case .job(let job): TaskNumber.of(job)
    case .pause(_, let task): task
    }
  }
}
