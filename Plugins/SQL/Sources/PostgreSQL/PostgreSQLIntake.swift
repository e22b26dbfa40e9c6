internal import CPostgreSQL

/// The bytes of the message that a server is sending.
///
/// libpq keeps a message whole before it shows anything of it, and has no limit: a value of a gigabyte would be in
/// memory before it could be refused.
final class PostgreSQLIntake {
  private let limit: Int
  private var total: Int64 = 0
  private var start: Int64 = 0

  /// `limit` is that of the values of an answer; what goes with them in a message, and what was read ahead, is more.
  init(limit: Int) {
    self.limit = limit.addingReportingOverflow(Self.slack).overflow ? .max : limit + Self.slack
  }

  private static let slack = 1 << 20

  /// The object that a callback was given.
  static func at(_ context: UnsafeMutableRawPointer?) -> PostgreSQLIntake? {
    unsafe context.map { unsafe Unmanaged<PostgreSQLIntake>.fromOpaque($0).takeUnretainedValue() }
  }

  /// True if the message is longer than any that could be accepted.
  var isExceeded: Bool { total - start > limit }

  /// Says that what was read so far belongs to messages that are over.
  func endMessage() { start = total }

  /// Counts what the socket holds, where the system does not count itself.
  func willRead(_ socket: Int32) {
    if flow_pq_received(socket) < 0 { total += flow_pq_unread(socket) }
  }

  /// Counts what was read.
  func didRead(_ socket: Int32) {
    let received = flow_pq_received(socket)
    if received >= 0 { total = received - flow_pq_unread(socket) }
  }
}
