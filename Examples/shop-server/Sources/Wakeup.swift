#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A signal that a thread can wait for together with a socket, as it cannot for a condition.
final class Wakeup: Sendable {
  private let reader: Int32
  private let writer: Int32

  /// Nil when the process has no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    (reader, writer) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(reader)
    close(writer)
  }

  /// Ends the present wait, or else the next one.
  func signal() {
    // A full pipe already holds a signal.
    _ = unsafe write(writer, [1], 1)
  }

  /// Waits for a signal and takes it, or returns false after the client at the socket has gone.
  func wait(client socket: Int32) -> Bool {
    var sources = [
      pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket, events: Self.hangup, revents: 0),
    ]
    while unsafe poll(&sources, 2, -1) < 0 { guard errno == EINTR else { return false } }
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(reader, &bytes, bytes.count) > 0 {}
    return sources[1].revents == 0
  }

  /// Waits for a signal, without taking it, or until the time is over.
  func wait(atMost time: Duration) {
    let end = ContinuousClock.now + time
    var source = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    while source.revents == 0, .now < end {
      let rest = (end - .now) / .milliseconds(1)
      _ = unsafe poll(&source, 1, Int32(rest.rounded(.up)))
    }
  }

  // Linux reports the end of a client's output only if asked by `POLLRDHUP`, which Swift does not
  // import, and macOS reports it as `POLLHUP`.
  #if canImport(Darwin)
    private static let hangup: Int16 = 0
  #else
    private static let hangup: Int16 = 0x2000
  #endif
}
