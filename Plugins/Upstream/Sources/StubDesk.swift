internal import FlowCore
private import Synchronization

/// The stubs and the requests so far.
final class StubDesk: Sendable {
  private struct Entry {
    let stub: Stub
    var count = 0

    var isUsedUp: Bool { stub.times.map { count >= $0 } ?? false }
  }

  private struct State {
    var stubs: [Entry] = []
    var requests: [ReceivedExchange] = []
    /// The places of the requests without an answer, by their numbers.
    var open: [UInt64: Int] = [:]
    /// The size of the bodies, in bytes.
    var size = 0
    /// True after more requests than are kept.
    var isOverfull = false

    mutating func grow(by bytes: Int) {
      size += bytes
      guard requests.count > StubDesk.mostRequests || size > StubDesk.mostBytes else { return }
      (requests, open, isOverfull) = ([], [:], true)
    }
  }

  /// The most requests to keep, so that a long run needs no more memory than a short one.
  static let mostRequests = 2_000
  /// The most bytes of their bodies and of those of the answers.
  static let mostBytes = 16 << 20

  private let state = Mutex(State())

  func add(_ stub: Stub) { state.withLock { $0.stubs.append(Entry(stub: stub)) } }

  func reset() { state.withLock { $0 = State() } }

  /// Notes a request by its number, with the size of its body.
  func note(_ request: ReceivedRequest, _ number: UInt64, size: Int) {
    state.withLock { state in
      guard !state.isOverfull else { return }
      state.open[number] = state.requests.count
      state.requests.append(ReceivedExchange(request: request))
      state.grow(by: size)
    }
  }

  /// Notes the answer to a request, before the program gets it.
  func note(_ answer: GivenAnswer, to number: UInt64, size: Int) {
    state.withLock { state in
      // The requests may have been forgotten since.
      guard let place = state.open.removeValue(forKey: number) else { return }
      state.requests[place].answer = answer
      state.grow(by: size)
    }
  }

  /// Takes an answer of the latest fitting stub, or returns nil.
  func answer(to request: ReceivedRequest) -> StubAnswer? {
    state.withLock { state in
      let index = state.stubs.lastIndex { !$0.isUsedUp && $0.stub.pattern.fits(request) }
      guard let index else { return nil }
      state.stubs[index].count += 1
      return state.stubs[index].stub.answer
    }
  }

  /// Returns the fitting requests.
  ///
  /// - Throws: `ComponentError` after more requests than are kept.
  func requests(fitting pattern: RequestPattern) throws -> ReceivedRequests {
    try state.withLock { state in
      if state.isOverfull { throw ComponentError(.overfull, Messages.overfull) }
      return ReceivedRequests(state.requests.filter { pattern.fits($0.request) })
    }
  }

  /// Returns the stub nearest to an unanswered request, and the reasons, or nil without stubs.
  func nearest(to request: ReceivedRequest) -> (line: String, reasons: [String])? {
    let entries = state.withLock(\.stubs)
    let nearest = entries.enumerated().min { first, second in
      let (a, b) = (distance(first.element, request), distance(second.element, request))
      return a == b ? first.offset > second.offset : a < b
    }
    guard let entry = nearest?.element else { return nil }
    let differences = entry.stub.pattern.differences(from: request)
    let reasons =
      differences.isEmpty
      ? [Messages.usedUp(entry.count)] : differences.prefix(4).map(Messages.difference)
    return (entry.stub.pattern.line, reasons)
  }

  /// The distance of a stub: the path first, then the number of differences.
  private func distance(_ entry: Entry, _ request: ReceivedRequest) -> (Int, Int) {
    let pattern = entry.stub.pattern
    let differences = pattern.differences(from: request).count
    guard let path = pattern.path, !path.fits(request.path) else { return (0, differences) }
    return (
      max(1, path.text.count + request.path.count - path.likeness(to: request.path)),
      differences
    )
  }
}

extension ErrorCode {
  static let overfull = ErrorCode("overfull", "More requests came than are kept.")
}
