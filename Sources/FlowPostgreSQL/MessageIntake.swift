internal import CPostgreSQL

/// A counter for the bytes of the incoming message.
///
/// libpq reads a message completely before passing on any of it, and has no limit: a value of a
/// gigabyte would be in memory before it could be refused.
final class MessageIntake {
  /// The longest message in bytes, or nil without a limit.
  private let limit: Int?
  private var total: Int64 = 0
  private var start: Int64 = 0
  /// The notices since they were taken last.
  private var notices: [String] = []

  /// Creates a counter for values of at most `limit` bytes, or of any length for nil.
  ///
  /// Some slack is added for the rest of a message and for data read ahead.
  init(limit: Int?) {
    self.limit = limit.flatMap {
      $0.addingReportingOverflow(Self.slack).overflow ? nil : $0 + Self.slack
    }
  }

  private static let slack = 1 << 20

  /// Returns the object passed to a callback.
  static func at(_ context: UnsafeMutableRawPointer?) -> MessageIntake? {
    unsafe context.map { unsafe Unmanaged<MessageIntake>.fromOpaque($0).takeUnretainedValue() }
  }

  /// True if the message is longer than any acceptable one.
  var isExceeded: Bool { limit.map { total - start > $0 } ?? false }

  /// Adds a notice as libpq prints it, such as `WARNING:  careful` with a hint in another line.
  func note(_ message: String) {
    guard notices.count < Self.mostNotices else { return }
    let lines = message.split(separator: "\n").map { $0.replacing(":  ", with: ": ") }
    notices.append(lines.joined(separator: "; "))
  }

  private static let mostNotices = 100

  /// Takes the notices.
  func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  /// Marks the data read so far as belonging to finished messages.
  func endMessage() { start = total }

  /// Counts the bytes waiting in the socket, on systems that do not count themselves.
  ///
  /// Bytes that arrive during the read are missing, so the count of a Unix socket may be too low.
  func willRead(_ socket: Int32) {
    if limit != nil, flow_pq_received(socket) < 0 { total += flow_pq_unread(socket) }
  }

  /// Counts the bytes read.
  func didRead(_ socket: Int32) {
    if limit == nil { return }
    let received = flow_pq_received(socket)
    if received >= 0 { total = received - flow_pq_unread(socket) }
  }
}
