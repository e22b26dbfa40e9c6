internal import FlowCore
private import Synchronization

/// The open streams of changes, for all threads.
final class Events: Sendable {
  private static let limit = 64

  private struct State {
    var wakeups: [ObjectIdentifier: Wakeup] = [:]
    var isClosed = false
  }

  private let account: Account
  private let state = Mutex(State())

  init(_ account: Account) {
    self.account = account
  }

  /// Opens a stream of the changes after one of this number, or of future changes.
  func open(after number: Int?) throws -> EventStream {
    guard let wakeup = Wakeup() else { throw Refusal.unavailable("too many open files") }
    try state.withLock { state throws(Refusal) in
      guard state.wakeups.count < Self.limit else {
        throw .unavailable("there are \(Self.limit) streams of events already")
      }
      state.wakeups[ObjectIdentifier(wakeup)] = wakeup
    }
    do {
      let last = try account.latest().number
      // A number from the future is that of another file, whose changes are not missing here.
      return EventStream(self, account, wakeup, after: min(number ?? last, last))
    } catch {
      remove(wakeup)
      throw error
    }
  }

  /// Lets every stream look for changes.
  func announce() {
    for wakeup in state.withLock({ Array($0.wakeups.values) }) { wakeup.signal() }
  }

  /// Ends every stream.
  func close() {
    state.withLock { $0.isClosed = true }
    announce()
  }

  fileprivate var isClosed: Bool { state.withLock { $0.isClosed } }

  fileprivate func remove(_ wakeup: Wakeup) {
    state.withLock { $0.wakeups[ObjectIdentifier(wakeup)] = nil }
  }
}

/// The changes of the balance as one client receives them, in the format of `text/event-stream`.
///
/// See https://html.spec.whatwg.org/multipage/server-sent-events.html.
final class EventStream {
  private let events: Events
  private let account: Account
  private let wakeup: Wakeup
  private var last: Int
  // The comment tells the client that from now on it misses nothing.
  private var text = Array(": changes of the balance\n\n".utf8)[...]

  fileprivate init(_ events: Events, _ account: Account, _ wakeup: Wakeup, after number: Int) {
    self.events = events
    self.account = account
    self.wakeup = wakeup
    last = number
  }

  deinit { events.remove(wakeup) }

  /// Waits for the next bytes, at most `count`, empty at the end and after the client has gone.
  func next(_ count: Int, client socket: Int32) -> ArraySlice<UInt8> {
    while text.isEmpty, !events.isClosed {
      // The client gets the same changes when it comes back.
      guard let changes = try? account.changes(after: last) else { break }
      for change in changes { append(change) }
      guard !text.isEmpty || wakeup.wait(client: socket) else { break }
    }
    // At once, so that a client that sees the end finds a free place.
    if text.isEmpty { events.remove(wakeup) }
    defer { text = text.dropFirst(count) }
    return text.prefix(count)
  }

  private func append(_ change: NumberedBalance) {
    last = change.number
    let data = Value.map(ValueMap([("balance", .string("\(change.balance)"))])).json
    text += "event: changed\nid: \(change.number)\ndata: \(data)\n\n".utf8
  }
}
