#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A failed call of the system about a socket.
struct SocketError: Error, CustomStringConvertible {
  let call: String
  let number: CInt

  /// Creates the error of the last call.
  init(_ call: String) { (self.call, number) = (call, errno) }

  var description: String { "\(call): \(unsafe String(cString: strerror(number)))" }
}

/// An open socket, closed with this object.
final class Socket: Sendable {
  let descriptor: CInt

  /// Takes over a descriptor, which neither blocks nor is left to other programs from now on.
  init(_ descriptor: CInt) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var on: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    // It fails for a socket of this machine, which has no such delay.
    _ = unsafe setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, size)
    #if canImport(Darwin)
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
    #endif
  }

  deinit { _ = Self.closing(descriptor) }

  private static func closing(_ descriptor: CInt) -> CInt { close(descriptor) }

  private static var stream: CInt {
    #if canImport(Darwin)
      SOCK_STREAM
    #elseif canImport(Musl)
      CInt(SOCK_STREAM)
    #else
      CInt(SOCK_STREAM.rawValue)
    #endif
  }

  /// Listens on a free port of this machine alone.
  static func listening() throws(SocketError) -> (socket: Socket, port: Int) {
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw SocketError("socket") }
    let own = Socket(descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, size) == 0 && listen(descriptor, 128) == 0
          && getsockname(descriptor, pointer, &size) == 0
      }
    }
    guard bound else { throw SocketError("listen") }
    return (own, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Accepts a connection, or returns nil without one.
  func accepted() -> Socket? {
    let other = accept(descriptor, nil, nil)
    return other >= 0 ? Socket(other) : nil
  }

  /// Begins to connect to the socket of a path.
  ///
  /// The socket is ready to write when that has ended.
  static func connecting(toPath path: String) throws(SocketError) -> Socket {
    let descriptor = socket(AF_UNIX, stream, 0)
    guard descriptor >= 0 else { throw SocketError("socket") }
    let own = Socket(descriptor)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard bytes.count < place.count else { return false }
      unsafe place.copyBytes(from: bytes)
      return true
    }
    guard fits else {
      errno = ENAMETOOLONG
      throw SocketError("connect")
    }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 || errno == EINPROGRESS else { throw SocketError("connect") }
    return own
  }

  /// Begins to connect to a port of a host.
  static func connecting(toName host: String, _ port: Int) throws(SocketError) -> Socket {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = stream
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0, let first = unsafe list else {
      errno = EHOSTUNREACH
      throw SocketError("the name of the host")
    }
    defer { unsafe freeaddrinfo(first) }
    var next: UnsafeMutablePointer<addrinfo>? = unsafe first
    while let info = unsafe next {
      let descriptor = unsafe socket(info.pointee.ai_family, stream, 0)
      if descriptor >= 0 {
        let own = Socket(descriptor)
        let result = unsafe connect(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen)
        if result == 0 || errno == EINPROGRESS { return own }
      }
      unsafe next = info.pointee.ai_next
    }
    throw SocketError("connect")
  }

  /// The outcome of an attempt to read.
  enum Reading {
    case bytes([UInt8])
    /// The end of the connection, or its failure.
    case end
    case later
  }

  private static let most = 64 << 10

  /// Reads what is there.
  func read() -> Reading {
    var bytes = [UInt8](repeating: 0, count: Self.most)
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    if count > 0 { return .bytes(Array(bytes.prefix(count))) }
    let isLater = count < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
    return isLater ? .later : .end
  }

  /// Writes as much as fits, and returns false if the connection has failed.
  func write(_ bytes: inout ArraySlice<UInt8>) -> Bool {
    #if canImport(Darwin)
      let flags: CInt = 0
    #else
      let flags = CInt(MSG_NOSIGNAL)
    #endif
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, flags)
      }
      if count < 0 { return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) }
      bytes = bytes.dropFirst(count)
    }
    return true
  }
}
