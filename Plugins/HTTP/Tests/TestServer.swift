private import Foundation
private import Synchronization
private import Testing

/// A web server on the loopback interface, each of whose connections has a thread of its own.
///
/// It answers as the test says: with a whole answer, or with any bytes at any time.
final class TestServer: Sendable {
  /// One request as it arrived.
  struct Request: Sendable {
    var method: String
    /// With the query.
    var path: String
    /// By lower-case names.
    var headers: [String: String]
    /// The lines of the headers as they came.
    var lines: [String]
    var body: [UInt8]
  }

  /// One connection, for answers that misbehave.
  struct Connection: Sendable {
    fileprivate let socket: Int32

    /// Sends bytes; false when the client has gone.
    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
          unsafe Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Waits until the client closes the connection.
    func waitForEnd() {
      var byte: UInt8 = 0
      while unsafe recv(socket, &byte, 1, 0) > 0 {}
    }

    /// Returns true if the client closes the connection within some milliseconds.
    func hasEnded(within milliseconds: Int32) -> Bool {
      var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&descriptor, 1, milliseconds) != 0
    }

    /// Ends the connection with a reset in place of its orderly end.
    func reset() {
      var option = linger(l_onoff: 1, l_linger: 0)
      _ = unsafe setsockopt(
        socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
  }

  /// Answers one request; false ends the connection.
  typealias Handler = @Sendable (Request, Connection) -> Bool

  let port: Int
  private let listener: Int32
  private let greeting: String?
  private let handler: Handler
  private let state = Mutex(State())

  private struct State {
    var requests: [Request] = []
    var connectionCount = 0
    var open: Set<Int32> = []
    var isClosed = false
    var isListening = true
  }

  /// `http://127.0.0.1:41234`.
  var url: String { "http://127.0.0.1:\(port)" }
  /// The requests so far, as `GET /path`.
  var requests: [Request] { state.withLock { $0.requests } }
  /// The number of connections with a request so far.
  ///
  /// One without may be for another server that had this port.
  var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// Starts to listen on a free port; a greeting is sent before the first request.
  init(greeting: String? = nil, _ handler: @escaping Handler) throws {
    self.greeting = greeting
    self.handler = handler
    (listener, port) = try Self.listen()
    let server = self
    Thread.detachNewThread { server.accept() }
  }

  /// A server on a Unix socket, which answers each request whole.
  init(at path: String, answering answer: @escaping @Sendable (Request) -> String) throws {
    greeting = nil
    handler = { request, connection in connection.send(answer(request)) }
    (listener, port) = (try Self.listen(at: path), 0)
    let server = self
    Thread.detachNewThread { server.accept() }
  }

  private static func listen(at path: String) throws -> Int32 {
    #if os(Linux)
      let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: path.utf8)
    }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0, Foundation.listen(listener, 64) == 0 else {
      throw POSIXError(.EADDRNOTAVAIL)
    }
    return listener
  }

  /// A server that answers each request whole.
  convenience init(answering answer: @escaping @Sendable (Request) -> String) throws {
    try self.init { request, connection in connection.send(answer(request)) }
  }

  /// Ends all connections.
  func close() {
    state.withLock { state in
      state.isClosed = true
      // Afterwards its number may belong to a connection of another test.
      if state.isListening { shutdown(listener, Int32(SHUT_RDWR)) }
      for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  /// A whole answer.
  static func answer(
    _ status: String = "200 OK", _ headers: [String] = [], _ body: String = ""
  ) -> String {
    (["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.utf8.count)"])
      .map { $0 + "\r\n" }.joined() + "\r\n" + body
  }

  private static func listen() throws -> (socket: Int32, port: Int) {
    #if os(Linux)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
        guard unsafe bind(listener, address, length) == 0, Foundation.listen(listener, 64) == 0
        else { return -1 }
        return unsafe getsockname(listener, address, &length)
      }
    }
    guard result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  private func accept() {
    while true {
      let socket = Foundation.accept(listener, nil, nil)
      guard socket >= 0 else { break }
      let isClosed = state.withLock { state in
        state.open.insert(socket)
        return state.isClosed
      }
      if isClosed { shutdown(socket, Int32(SHUT_RDWR)) }
      Thread.detachNewThread { self.serve(socket) }
    }
    state.withLock { state in
      state.isListening = false
      Foundation.close(listener)
    }
  }

  private func serve(_ socket: Int32) {
    if let greeting { Connection(socket: socket).send(greeting) }
    var reader = RequestReader(socket: socket)
    var isFirst = true
    while let request = reader.next() {
      state.withLock { state in
        state.requests.append(request)
        if isFirst { state.connectionCount += 1 }
      }
      isFirst = false
      guard handler(request, Connection(socket: socket)) else { break }
    }
    _ = state.withLock { $0.open.remove(socket) }
    Foundation.close(socket)
  }
}

/// Reads the requests of one connection.
private struct RequestReader {
  let socket: Int32
  private var bytes: [UInt8] = []

  init(socket: Int32) { self.socket = socket }

  /// The next request; nil at the end.
  mutating func next() -> TestServer.Request? {
    let end = Array("\r\n\r\n".utf8)
    while bytes.firstRange(of: end) == nil { guard receive() else { return nil } }
    guard let range = bytes.firstRange(of: end) else { return nil }
    let lines = String(decoding: bytes[..<range.lowerBound], as: UTF8.self).components(
      separatedBy: "\r\n")
    bytes.removeSubrange(..<range.upperBound)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      headers[parts[0].lowercased()] = parts.last?.trimmingCharacters(in: .whitespaces)
    }
    let count = headers["content-length"].flatMap { Int($0) } ?? 0
    while bytes.count < count { guard receive() else { return nil } }
    defer { bytes.removeFirst(count) }
    let start = lines[0].split(separator: " ").map(String.init)
    return TestServer.Request(
      method: start[0], path: start[1], headers: headers, lines: Array(lines.dropFirst()),
      body: Array(bytes.prefix(count)))
  }

  private mutating func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    bytes += buffer.prefix(count)
    return true
  }
}

/// Returns the bytes of memory in use by this process, on Linux only.
func residentBytes() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return try #require(Int(fields[1])) * Int(getpagesize())
}

/// Returns the peak of the memory of this process in bytes, on Linux only.
func greatestResidentBytes() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
  return try #require(Int(line.filter(\.isNumber))) * 1024
}

/// Returns the number of open descriptors of this process, on Linux only.
func openDescriptors() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}
