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
