/// The durations after which the engine takes silence for an answer.
///
/// Everything else waits for an event. No event says that a program outside has nothing more to
/// send, or that it hangs. So a longer duration finds more, and costs time in each case.
package enum Patience {
  /// The silence of a program after which a step has no further requests.
  ///
  /// A request that a program sends later belongs to the next step.
  static let silence = Duration.milliseconds(50)
  /// The same in a replay after the last recorded request, for one that is not recorded.
  ///
  /// Answers come at once there, so the program was not waiting for one.
  static let silenceInReplay = Duration.milliseconds(10)
  /// The longest wait of a replay for the recorded requests that a step's answer waited for.
  ///
  /// Served answers come faster than recorded ones, so a thread that the program started before its
  /// answer may be later than the answer now. It ends with the last of them, so only a program that
  /// leaves one out takes it.
  package static let dueRequests = Duration.seconds(2)
  /// The longest wait of a replay for recorded requests that no step waited for, at the end of the
  /// run, and of an answer that the program reads on, for its leaving.
  package static let requests = Duration.seconds(5)
  /// The pause before each piece of an answer that a program leaves before its end.
  ///
  /// No event says that the program has read the piece before. In the recording the server paused.
  package static let piece = Duration.milliseconds(25)
  /// The longest wait of a step for the requests that came after its answer.
  ///
  /// They may come during a later step, so that this wait proves nothing. It keeps the order of what
  /// they change in the program.
  static let lateRequests = Duration.milliseconds(500)
  /// The same where some are not expected, as after an altered answer.
  package static let requestsInDoubt = Duration.milliseconds(500)
  /// The shortest exchange of a program while it is recorded.
  ///
  /// Requests that a program sends at once come some milliseconds apart. The answer to the first
  /// one would make the second one look like its consequence.
  static let exchange = Duration.milliseconds(25)
  /// The longest wait for what a component shows of itself after a failed call.
  ///
  /// A page that does not respond must not hold the run.
  static let evidence = Duration.seconds(10)
  /// The longest wait of virtual time for tasks that are ready, while work goes on outside.
  ///
  /// Work outside may itself wait for the task that settles.
  static let settling = Duration.milliseconds(50)
  /// The time without work after which no task is expected to go on, while time follows real time.
  static let idleness = Duration.seconds(5)
  /// The time without work after which a scheduled run stands still, where no program takes part.
  static let standstill = Duration.seconds(1)
  /// The silence of live programs after which nothing more is expected of them.
  package static let programs = Duration.seconds(60)
}
