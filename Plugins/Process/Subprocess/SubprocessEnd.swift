private import FlowProcess

/// The way of a program and its process group to their end: they are asked to end, then killed.
public struct SubprocessEnd: Sendable {
  /// The signal that asks a program to end.
  public enum Request: Sendable {
    /// SIGTERM.
    case terminate
    /// SIGHUP, by which a closed terminal ends its programs.
    case hangUp
    /// SIGINT, as the key Ctrl-C sends it.
    case interrupt
  }

  /// A time.
  public typealias Instant = ContinuousClock.Instant

  // The interval for checking that a group is empty, which the system does not report.
  private static let tick = Duration.milliseconds(5)
  // A killed process ends at once, unless it waits for a device.
  private static let patience = Duration.seconds(5)

  private let group: Int32
  private let request: Request
  /// The time at which the group is killed, or nil before it is asked to end.
  private var killedAt: Instant?
  private var isKilled = false
  /// The status, 128 plus the number of a signal, and the signal or 0, nil before `reap`.
  public private(set) var exit: (status: Int32, signal: Int32)?
  /// True once no part of the group is left, or a killed one does not go.
  public private(set) var isComplete = false

  /// Creates the way of a started process.
  public init(_ process: Int32, by request: Request = .terminate) {
    (group, self.request) = (process, request)
  }

  /// True if the group has been asked to end.
  public var isAsked: Bool { killedAt != nil }

  /// The time at which `advance` is due without any event, or nil.
  public var deadline: Instant? {
    if isComplete { return nil }
    if exit != nil { return .now + Self.tick }
    return isKilled ? killedAt.map { $0 + Self.patience } : killedAt
  }

  /// Asks the group to end, and kills it after this or an earlier grace period.
  ///
  /// The one that ends first counts.
  public mutating func ask(_ grace: Duration, _ now: Instant = .now) {
    if isComplete { return }
    if killedAt == nil {
      switch request {
      case .terminate: flow_group_terminate(group)
      case .hangUp: flow_group_hang_up(group)
      case .interrupt: flow_group_interrupt(group)
      }
    }
    killedAt = min(killedAt ?? now + grace, now + grace)
  }

  /// Reaps the process if it has ended, and asks the rest of its group to end.
  ///
  /// Until then its number cannot be reused, so signals reach nothing else.
  public mutating func reap(_ grace: Duration, _ now: Instant) {
    var (status, signal): (Int32, Int32) = (0, 0)
    guard exit == nil, unsafe flow_process_reap(group, &status, &signal) else { return }
    exit = (status, signal)
    isComplete = !flow_group_exists(group)
    if !isComplete, !isAsked { ask(grace, now) }
  }

  /// Does the work that is due.
  public mutating func advance(_ now: Instant) {
    // The members of a group keep its number from being reused.
    if exit != nil, !flow_group_exists(group) { isComplete = true }
    guard !isComplete, let killedAt, now >= killedAt else { return }
    if isKilled, now >= killedAt + Self.patience { return isComplete = true }
    isKilled = true
    flow_group_kill(group)
  }
}
