private import FlowCore
private import FlowProcess

/// By what a socket is known for that of a program, or of something that the program has started.
struct Origin: Sendable {
  /// The program's number, which is also that of its session.
  let pid: Int32
  /// When it was started, in the system's ticks; 0 where the system does not say.
  let started: UInt64
  /// The sockets on which something listened before.
  let earlier: Set<UInt64>

  /// The origin of a program that was not reaped yet.
  init(of pid: Int32, besides earlier: Set<UInt64>) {
    self.pid = pid
    self.earlier = earlier
    started = flow_process_started(pid)
  }
}

/// A TCP port of this machine, at the addresses by which `localhost` is found.
struct LocalPort: Sendable, Hashable {
  /// The program that listens on a port.
  enum Holder: Sendable, Hashable {
    /// None, as far as the system says; something may accept connections all the same.
    case none
    /// The program that was asked for, or something that it has started.
    case program
    /// Another one: `python3, pid 42`; nil where the system does not say which.
    case other(String?)
    /// One that listens since the program was started; the system does not say which.
    case unknown
  }

  let number: UInt16
  private let families: Int32

  private static let four = Int32(FLOW_FOUR.rawValue)
  private static let six = Int32(FLOW_SIX.rawValue)

  /// The port at both addresses, 127.0.0.1 and ::1.
  init(_ number: UInt16) {
    self.number = number
    families = Self.four | Self.six
  }

  /// The port as a URL's host says: `localhost`, `127.0.0.1` or `[::1]`.
  init(_ number: UInt16, host: String) {
    self.number = number
    families =
      host == "localhost" ? Self.four | Self.six : host == "[::1]" ? Self.six : Self.four
  }

  /// Whether a connection is accepted.
  var accepts: Bool { flow_port_accepts(number, families) }

  /// Sends a request: the descriptor of the connection, or nil where there is none.
  func send(_ request: String) -> Int32? {
    let connection = unsafe request.withCString { unsafe flow_request(number, families, $0) }
    return connection >= 0 ? connection : nil
  }

  /// The program that listens, seen from one that should.
  ///
  /// One that shares the port with another one is not alone to be asked, and so counts as the other.
  func holder(for origin: Origin) -> Holder {
    let found = Self.listeners(on: Int32(number))
    // Beside a socket of IPv4 alone, `::` has IPv6 alone.
    let hasFour = found.contains { $0.is_four && $0.families & Self.four != 0 }
    var holder = Holder.none
    for listener in found {
      let reached =
        hasFour && !listener.is_four ? listener.families & ~Self.four : listener.families
      guard reached & families != 0 else { continue }
      switch Self.owner(of: listener.socket, for: origin) {
      case .other(let name): return .other(name)
      case .program: holder = .program
      case .unknown where origin.earlier.contains(listener.socket): return .other(nil)
      case .unknown, .none: if holder == .none { holder = .unknown }
      }
    }
    return holder
  }

  private static func owner(of socket: UInt64, for origin: Origin) -> Holder {
    var other = flow_holder()
    switch unsafe flow_socket_owner(socket, origin.pid, origin.started, &other) {
    case FLOW_OWNER_PROGRAM: return .program
    case FLOW_OWNER_OTHER: return .other(other.text)
    default: return .unknown
    }
  }

  /// The sockets on which something listens at present, on any port.
  static var listeners: Set<UInt64> { Set(listeners(on: 0).map(\.socket)) }

  private static func listeners(on port: Int32) -> [flow_listener] {
    let capacity = port == 0 ? 8_192 : 64
    return unsafe [flow_listener](unsafeUninitializedCapacity: capacity) { listeners, count in
      count = unsafe flow_listeners(port, listeners.baseAddress, capacity)
    }
  }
}

extension flow_holder {
  /// `python3, pid 42`, without what a name could do to a terminal.
  var text: String {
    let bytes = unsafe withUnsafeBytes(of: name) { unsafe $0.prefix { $0 != 0 }.map(\.self) }
    let plain = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
      $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
    }
    return "\(String(String.UnicodeScalarView(plain))), pid \(pid)"
  }
}
