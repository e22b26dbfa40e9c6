private import Dispatch
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A port of this machine whose connections are passed on to a server.
final class ProxyPort: Sendable {
  /// The most connections at once.
  static let most = 200

  let number: Int
  private let listener: Socket
  private let place: ServerPlace
  private let ledger: StatementLedger
  private let log: @Sendable (String) -> Void
  /// A pipe whose writing end is closed at the end, which all waits notice.
  private let end: Pipe
  private let count = Mutex(0)
  private let work = DispatchGroup()

  /// Opens a free port.
  init(
    to place: ServerPlace, _ ledger: StatementLedger, _ log: @escaping @Sendable (String) -> Void
  ) throws(SocketError) {
    (listener, number) = try Socket.listening()
    (self.place, self.ledger, self.log) = (place, ledger, log)
    end = try Pipe()
    // A thread that waits for others blocks nothing else.
    DispatchQueue(label: "flow.database-proxy").async(group: work) { [self] in accept() }
  }

  /// Ends all connections, and returns when nothing is left of them.
  func close() async {
    end.close()
    await withCheckedContinuation { continuation in
      work.notify(queue: .global()) { continuation.resume() }
    }
  }

  private func accept() {
    while Ready.wait([(listener, Int16(POLLIN))], end) != nil {
      guard let client = listener.accepted() else { continue }
      let isOne = count.withLock { count in
        if count < Self.most { count += 1 }
        return count <= Self.most
      }
      guard isOne else {
        log("a connection was refused, because there are \(Self.most) already")
        continue
      }
      DispatchQueue(label: "flow.database-proxy.connection").async(group: work) { [self] in
        ProxiedConnection(client, to: place, ledger, end, log).run()
        count.withLock { $0 -= 1 }
      }
    }
  }
}

/// A pipe that nothing is written to.
final class Pipe: Sendable {
  private let reading: CInt
  private let writing: Mutex<CInt>

  init() throws(SocketError) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw SocketError("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = Mutex(ends[1])
  }

  deinit {
    close()
    closeDescriptor(reading)
  }

  /// Closes the writing end, after which the reading one is ready for ever.
  func close() {
    writing.withLock { descriptor in
      if descriptor >= 0 { closeDescriptor(descriptor) }
      descriptor = -1
    }
  }

  fileprivate var descriptor: CInt { reading }
}

private func closeDescriptor(_ descriptor: CInt) { _ = close(descriptor) }

/// Waits for sockets.
enum Ready {
  /// Waits until a socket is ready for some events, and returns what each is ready for, or nil at
  /// the end of the port or after some milliseconds.
  ///
  /// A socket that is asked for nothing is not looked at.
  static func wait(
    _ sockets: [(socket: Socket, events: Int16)], _ end: Pipe, milliseconds: CInt = -1
  ) -> [Bool]? {
    var polled = sockets.map {
      pollfd(fd: $0.events == 0 ? -1 : $0.socket.descriptor, events: $0.events, revents: 0)
    }
    polled.append(pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0))
    while true {
      let count = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
      if count < 0, errno == EINTR { continue }
      guard count > 0, polled[sockets.count].revents == 0 else { return nil }
      return polled.dropLast().map { $0.revents != 0 }
    }
  }
}
