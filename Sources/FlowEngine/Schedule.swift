/// In what a run differs from one that goes its plain way, so that it can be repeated exactly.
///
/// In the plain order what is ready goes on in the order in which it became ready.
package struct Schedule: Sendable, Hashable {
  /// How long something waits.
  package enum Length: String, Sendable {
    /// Until the others have gone on that are ready at that moment.
    case behindOthers = "others"
    /// Until nothing else is ready.
    case untilIdle = "idle"
  }

  /// At a moment at which several tasks are ready, some of them wait.
  package struct Delay: Sendable, Hashable {
    /// Which of the moments, from 0; every moment at which two or more are ready counts.
    package let moment: Int
    /// How many of the tasks, from the first on; at least one.
    package var count: Int
    /// How long they wait.
    package let length: Length

    /// A delay.
    package init(at moment: Int, count: Int, _ length: Length) {
      self.moment = moment
      self.count = count
      self.length = length
    }
  }

  /// Something that goes wrong outside of the scenario, once.
  package enum Fault: Sendable, Hashable {
    /// A call is answered with the error of a code in the place of its component.
    case error(String, at: String)
    /// A call has no answer until it is cancelled; the component is not called.
    case silence(at: String)
    /// A report is delivered twice: the one of this number, from 1, among those of an event that are read or waited for.
    case duplicate(event: String, number: Int)
  }

  /// In the order of their moments, one a moment.
  package var delays: [Delay]
  /// In any order, one an address, and one a report.
  package var faults: [Fault]
  /// After how many lines of its journal the run ends as if the process had been killed, to be resumed; nil for none.
  package var crash: Int?

  /// The plain order, or what differs from it.
  package init(delays: [Delay] = [], faults: [Fault] = [], crash: Int? = nil) {
    self.delays = delays
    self.faults = faults
    self.crash = crash
  }
}

/// Decides what of the work that is ready goes on first.
package protocol Scheduler: Sendable {
  /// How much of it waits, from the first on, so that the next one goes on; fewer than there are.
  ///
  /// Called on the thread of the run, when two or more are ready, in the order in which they became so.
  func delay(_ ready: ArraySlice<ReadyWork>) -> (count: Int, length: Schedule.Length)
}

/// Why a run cannot come to an end by itself.
package enum Standstill: Sendable {
  /// Nothing has gone on for a second of real time, though nothing is waited for elsewhere.
  case stuck
  /// It has slept more often than it may.
  case endless
}

/// A part of a task that can go on.
///
/// Copied often, so nothing in it is counted: each is resumed once, when it is taken.
@safe package enum ReadyWork: Sendable {
  /// What the runtime has made ready.
  case job(UnownedJob)
  /// A task, of this number, that has let others go first.
  case pause(UnsafeContinuation<Void, Never>, task: UInt64)

  /// The number of its task.
  package var task: UInt64 {
    switch self {
    case .job(let job): TaskNumber.of(job)
    case .pause(_, let task): task
    }
  }
}
