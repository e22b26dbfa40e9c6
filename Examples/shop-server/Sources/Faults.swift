internal import FlowCore
private import Synchronization

/// The fault of the next requests for a path.
struct Fault: RecordRepresentable {
  var path: String
  var delay: Duration?
  var drop: Bool
  var after: Bool
  var status: Int?
  var times: Int

  static let record = Record(
    Fault.init(path:delay:drop:after:status:times:),
    Field("path", \.path, "How the paths of the requests begin."),
    Field("delay", \.delay, "How long the request waits first."),
    Field("drop", \.drop, "Whether the connection is closed without an answer.", default: false),
    Field("after", \.after, "Whether a change is made before that.", default: false),
    Field("status", \.status, "The status of the answer in place of the real one."),
    Field("times", \.times, "How many requests it is for.", default: 1))

  /// The reason against this fault, or nil for a valid one.
  fileprivate var problem: String? {
    if !path.hasPrefix("/") { return "'path' does not begin with '/'" }
    if let delay, !(.zero...(.seconds(3600)) ~= delay) { return "'delay' is not 0s to 1h" }
    if let status, !(400...599 ~= status) { return "'status' is not 400 to 599" }
    if !(1...1_000_000 ~= times) { return "'times' is not 1 to 1000000" }
    if drop && status != nil { return "'drop' cannot be combined with 'status'" }
    if after && !drop { return "'after' needs 'drop'" }
    return delay == nil && !drop && status == nil ? "there is no 'delay', 'drop' or 'status'" : nil
  }
}

/// The faults that are still to come, for all threads.
final class Faults: Sendable {
  private let faults = Mutex<[Fault]>([])

  /// The number of requested and unused faults.
  var count: Int { faults.withLock { $0.count } }

  /// Adds a fault after the present ones.
  func add(_ fault: Fault) throws(Refusal) {
    if let problem = fault.problem { throw .illegal(problem) }
    try faults.withLock { faults throws(Refusal) in
      guard faults.count < 100 else { throw .illegal("there are 100 faults already") }
      faults.append(fault)
    }
  }

  /// Returns the oldest fault for a path, and counts one use of it.
  func take(_ path: String) -> Fault? {
    faults.withLock { faults in
      guard let index = faults.firstIndex(where: { path.hasPrefix($0.path) }) else { return nil }
      faults[index].times -= 1
      return faults[index].times > 0 ? faults[index] : faults.remove(at: index)
    }
  }

  func clear() {
    faults.withLock { $0 = [] }
  }
}
