internal import FlowCore
private import Synchronization

/// The tests of programs, as the programs say their beginnings and their ends.
///
/// Each user of the proxy has tests of its own, such as one of several workers, and they may be one
/// inside of another: its requests belong to the innermost.
final class TestScopes: Sendable {
  private struct Test {
    let name: String
    let scope: OutsideScope
  }

  private struct State {
    /// The open tests of each user, from the outside in.
    var open: [String: [Test]] = [:]
    /// The tests that are over, whose late requests still have answers.
    var over: [OutsideScope] = []
  }

  /// The most tests of a run.
  private static let most = 1_000_000

  private let state = Mutex(State())
  private let count = Atomic(0)

  /// Begins a test of a user, or returns false after too many.
  func begin(_ name: String, of user: String, _ context: Context) -> Bool {
    guard count.add(1, ordering: .relaxed).newValue <= Self.most else { return false }
    let scope = context.beginScope(name)
    state.withLock { $0.open[user, default: []].append(Test(name: name, scope: scope)) }
    return true
  }

  /// Ends a test of a user, and with it those that were begun inside of it.
  ///
  /// Returns what was not as recorded, or nil if the test has not begun.
  func end(_ name: String, of user: String) async -> [String]? {
    let scopes: [OutsideScope]? = state.withLock { state in
      guard let index = state.open[user]?.lastIndex(where: { $0.name == name }),
        let ended = state.open[user]?[index...].map(\.scope)
      else { return nil }
      state.open[user]?.removeSubrange(index...)
      state.over += ended
      return ended
    }
    guard let scopes else { return nil }
    var departures: [String] = []
    for scope in scopes { departures += await scope.departures() }
    return departures
  }

  /// The context for the requests of a user, or nil outside of tests.
  func context(of user: String?) -> Context? {
    guard let user else { return nil }
    return state.withLock { $0.open[user]?.last?.scope.context }
  }

  /// Ends all tests.
  func close() {
    let all = state.withLock { state in
      defer { state = State() }
      return state.over + state.open.values.flatMap { $0.map(\.scope) }
    }
    for scope in all { scope.end() }
  }
}

/// What a program tells the proxy itself: the beginning or the end of a test.
struct TestNews {
  enum Moment: String { case begin, end }

  let moment: Moment
  let test: String
  let user: String

  /// The longest name of a test, in bytes.
  static let longestName = 2_000

  /// Reads `POST /begin` or `POST /end` with `{"test": NAME}`, or returns nil for anything else.
  init?(_ request: IncomingRequest) {
    guard request.method == "POST",
      let moment = Moment(rawValue: String(request.target.dropFirst())),
      let user = request.user, let body = try? Value(json: request.body),
      case .map(let members) = body, case .string(let test)? = members["test"], !test.isEmpty,
      test.utf8.count <= Self.longestName
    else { return nil }
    (self.moment, self.test, self.user) = (moment, test, user)
  }
}
