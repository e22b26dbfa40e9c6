internal import FlowSystem

/// A part of what a program outside of the run asks for: the requests of one test, or a conversation.
///
/// The calls made through its context are ordered among themselves, whatever else is asked at the same
/// time. A replay misses those of a scope only if the scope has begun.
public struct OutsideScope: Sendable {
  /// The context for the requests of the scope.
  public let context: Context
  private let roles: FilledRoles

  init(_ context: Context, _ roles: FilledRoles) {
    self.context = context
    self.roles = roles
    roles.begin(context.address)
  }

  /// What was not as recorded in the scope so far, in words: several lines for each difference.
  ///
  /// Waits a little for recorded calls that were not made, so ask when the scope has nothing more to
  /// do. The run fails for them in any case.
  public func departures() async -> [String] { await roles.departures(context.address) }

  /// Ends the scope.
  ///
  /// Nothing may be called through its context afterwards.
  public func end() { roles.end(context.address) }
}

extension Context {
  /// Begins a scope of requests from outside with a name of the program's choice.
  ///
  /// A name that comes again begins another scope. A recording of fewer of them has the answers of the
  /// first one for it.
  public func beginScope(_ name: String) -> OutsideScope {
    scope("@" + Self.scopeLane(label(name), secrets.named(in: name)))
  }

  /// Begins a conversation with a program, such as the messages of a WebSocket in both directions.
  ///
  /// Its calls are ordered among themselves. A call that continues a request is recorded with the
  /// number of requests from outside that the conversation had before its answer, and a replay
  /// answers it after as many.
  ///
  /// - Parameter name: A name that the recording has, such as one in the answer of the server: it is
  ///   the same in every run, and no other conversation of the component has it.
  /// - Returns: The conversation, to be ended.
  public func beginConversation(_ name: String) -> OutsideScope {
    scope("+" + Self.scopeLane(label(name), secrets.named(in: name)))
  }

  /// The name of a scope in addresses: readable, and different for different names.
  private static func scopeLane(_ label: String, _ name: String) -> String {
    let digest = SHA256(Array(name.utf8)).bytes.prefix(4).reduce(0) { $0 << 8 | UInt64($1) }
    return "\(label)-\(String(digest, radix: 36))"
  }
}
