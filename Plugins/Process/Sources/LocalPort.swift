private import FlowCore
private import FlowProcess

/// The identity by which sockets of a program and its descendants are recognised.
struct Origin: Sendable {
  /// The process number, also the number of its session.
  let pid: Int32
  /// The time of the start in the system's ticks, or 0 if unknown.
  let started: UInt64
  /// The sockets already listening before the start.
  let earlier: Set<UInt64>

  /// Creates the origin of a process not yet reaped.
  init(of pid: Int32, besides earlier: Set<UInt64>) {
    self.pid = pid
    self.earlier = earlier
    started = flow_process_started(pid)
  }
}

/// A TCP port of this machine, at the addresses of `localhost`.
struct LocalPort: Sendable, Hashable {
  /// The program listening on a port.
  enum Holder: Sendable, Hashable {
    /// No known program, although one may accept connections all the same.
    case none
    /// The expected program or one of its descendants.
    case program
    /// Another program, such as `python3, pid 42`, or nil if unknown.
    case other(String?)
    /// An unknown program, listening since the expected one was started.
    case unknown
  }

  let number: UInt16
  private let families: Int32

  private static let four = Int32(FLOW_FOUR.rawValue)
  private static let six = Int32(FLOW_SIX.rawValue)

  /// Creates the port at both addresses, 127.0.0.1 and ::1.
  init(_ number: UInt16) {
    self.number = number
    families = Self.four | Self.six
  }

  /// Creates the port at the address of a URL's host: `localhost`, `127.0.0.1` or `[::1]`.
  init(_ number: UInt16, host: String) {
    self.number = number
    families =
      host == "localhost" ? Self.four | Self.six : host == "[::1]" ? Self.six : Self.four
  }

  /// True if a connection is accepted.
  var accepts: Bool { flow_port_accepts(number, families) }

  /// Sends a request and returns the descriptor of the connection, or nil without one.
  func send(_ request: String) -> Int32? {
    let connection = unsafe request.withCString { unsafe flow_request(number, families, $0) }
    return connection >= 0 ? connection : nil
  }

  /// Returns the listening program, compared with the expected one.
  ///
  /// If the expected program shares the port with another one, the result is the other one.
  func holder(for origin: Origin) -> Holder {
    let found = Self.listeners(on: Int32(number))
    // If another socket has IPv4 alone, `::` is left with IPv6 alone.
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

  /// The sockets listening at present, on any port.
  static var listeners: Set<UInt64> { Set(listeners(on: 0).map(\.socket)) }

  private static func listeners(on port: Int32) -> [flow_listener] {
    let capacity = port == 0 ? 8_192 : 64
    return unsafe [flow_listener](unsafeUninitializedCapacity: capacity) { listeners, count in
      count = unsafe flow_listeners(port, listeners.baseAddress, capacity)
    }
  }
}

extension flow_holder {
  /// The text `python3, pid 42`, without control characters of the name.
  var text: String {
    let bytes = unsafe withUnsafeBytes(of: name) { unsafe $0.prefix { $0 != 0 }.map(\.self) }
    let plain = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
      $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
    }
    return "\(String(String.UnicodeScalarView(plain))), pid \(pid)"
  }
}
