private import FlowProcess

/// The way of a server's program to its end: its input is closed, then SIGTERM, then SIGKILL for the
/// whole group.
struct ProgramEnd: Sendable {
  typealias Instant = ContinuousClock.Instant

  private enum Phase: Sendable {
    case running
    /// Its input is closed, which asks it to end.
    case asked(until: Instant)
    case terminated(until: Instant)
    case killed(until: Instant)
    case ended
  }

  // The time for a program to end by itself, and after SIGTERM.
  private static let patience = Duration.seconds(1)
  // A killed process ends at once, unless it waits for a device.
  private static let longest = Duration.seconds(5)
  // The interval for checking that a group is empty, which the system does not report.
  private static let tick = Duration.milliseconds(5)

  private let pid: Int32
  private var phase = Phase.running
  /// The end in words, such as `ended with status 1`, or nil before it is reaped.
  private(set) var words: String?
  /// True if it ended with another status than 0, or by a signal.
  private(set) var isCrash = false

  init(_ pid: Int32) { self.pid = pid }

  /// True once no part of the group is left.
  var isComplete: Bool { if case .ended = phase { true } else { false } }

  /// The time at which `advance` is due, or nil.
  var deadline: Instant? {
    if words != nil, !isComplete { return .now + Self.tick }
    return switch phase {
    case .running, .ended: nil
    case .asked(let time), .terminated(let time), .killed(let time): time
    }
  }

  /// Asks the program to end.
  mutating func ask(_ now: Instant) {
    if case .running = phase { phase = .asked(until: now + Self.patience) }
  }

  /// Reaps the ended program, and ends the rest of its group.
  mutating func reap(_ now: Instant) {
    var (status, signal): (Int32, Int32) = (0, 0)
    guard words == nil, unsafe flow_process_reap(pid, &status, &signal) else { return }
    isCrash = signal != 0 || status != 0
    words = signal == 0 ? "ended with status \(status)" : "was ended by signal \(signal)"
    guard flow_group_exists(pid) else { return phase = .ended }
    flow_group_terminate(pid)
    phase = .terminated(until: now + Self.patience)
  }

  /// Does what is due.
  mutating func advance(_ now: Instant) {
    if words != nil, !isComplete, !flow_group_exists(pid) { return phase = .ended }
    guard let deadline = due, now >= deadline else { return }
    switch phase {
    case .asked:
      flow_group_terminate(pid)
      phase = .terminated(until: now + Self.patience)
    case .terminated:
      flow_group_kill(pid)
      phase = .killed(until: now + Self.longest)
    case .killed: phase = .ended
    case .running, .ended: break
    }
  }

  private var due: Instant? {
    switch phase {
    case .running, .ended: nil
    case .asked(let time), .terminated(let time), .killed(let time): time
    }
  }
}
