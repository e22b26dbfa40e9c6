import Foundation

/// A connection to the server for requests one after the other.
final class Connection {
  private let descriptor: Int32
  private var bytes: [UInt8] = []

  /// The server closed the connection, or said nothing for a minute.
  struct Broken: Error {}

  init(_ port: Int) throws {
    #if os(Linux)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    // Only a server that hangs needs it.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Broken() }
  }

  deinit { close(descriptor) }

  /// Sends a request such as `GET /balance` and returns the result of `answer`.
  func ask(_ request: String, _ headers: [String] = [], _ body: String = "") throws -> String {
    try send(request, headers, body)
    return try answer()
  }

  /// Sends a request.
  func send(_ request: String, _ headers: [String] = [], _ body: String = "") throws {
    let lines =
      ["\(request) HTTP/1.1", "Host: localhost"] + headers
      + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
    try send(lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
  }

  /// Sends any text.
  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Broken() }
      rest = rest.dropFirst(count)
    }
  }

  /// The next answer: its status and own headers in one line, then the body.
  ///
  /// - Throws: `Broken` for one without a length, too.
  func answer() throws -> String {
    var lines = try head()
    guard let index = lines.firstIndex(where: { $0.hasPrefix("Content-Length: ") }),
      let count = Int(lines.remove(at: index).dropFirst("Content-Length: ".count))
    else { throw Broken() }
    while bytes.count < count { try receive() }
    defer { bytes.removeFirst(count) }
    let body = String(decoding: bytes.prefix(count), as: UTF8.self)
    return lines.joined(separator: " ") + "\n" + body
  }

  /// The status of the next answer and its headers, except the date and the number of the change.
  func head() throws -> [String] {
    let end = Array("\r\n\r\n".utf8)
    while bytes.firstRange(of: end) == nil { try receive() }
    guard let range = bytes.firstRange(of: end) else { throw Broken() }
    let text = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
    bytes.removeSubrange(..<range.upperBound)
    var lines = text.components(separatedBy: "\r\n").filter {
      !$0.hasPrefix("Date: ") && !$0.hasPrefix("ETag: ")
    }
    // Versions of the library have different words for a status.
    lines[0] = lines[0].components(separatedBy: " ")[1]
    return lines
  }

  /// The next part of a body without a length, or nil at its end.
  func chunk() throws -> String? {
    while bytes.firstRange(of: [13, 10]) == nil { try receive() }
    guard let line = bytes.firstRange(of: [13, 10]),
      let count = Int(String(decoding: bytes[..<line.lowerBound], as: UTF8.self), radix: 16)
    else { throw Broken() }
    while bytes.count < line.upperBound + count + 2 { try receive() }
    defer { bytes.removeFirst(line.upperBound + count + 2) }
    let part = bytes[line.upperBound..<line.upperBound + count]
    return count == 0 ? nil : String(decoding: part, as: UTF8.self)
  }

  /// Ends the requests and waits until the server closes the connection, too.
  func finish() throws {
    shutdown(descriptor, Int32(SHUT_WR))
    while (try? receive()) != nil {}
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw Broken() }
    bytes += buffer.prefix(count)
  }
}
