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

  /// A call is answered with an error in the place of its component.
  package struct Fault: Sendable, Hashable {
    /// Where the call is made.
    package let address: String
    /// The error's code.
    package let error: String

    /// A fault.
    package init(at address: String, error: String) {
      self.address = address
      self.error = error
    }
  }

  /// In the order of their moments, one a moment.
  package var delays: [Delay]
  /// In any order, one an address.
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
