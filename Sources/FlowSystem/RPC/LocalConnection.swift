#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A connection to a server of this machine for one request of HTTP/1.1.
package final class LocalConnection: Sendable {
  /// The most bytes of an answer.
  package static let longestAnswer = 64 << 20

  private let descriptor: Int32

  /// Connects to a port of 127.0.0.1, or returns nil if no server is there.
  package init?(port: UInt16) {
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #elseif canImport(Musl)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // The object is whole, so its end closes the descriptor.
    guard result == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Ends the connection, and with it an exchange on another thread.
  package func cancel() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Sends JSON by POST to a path, and waits for the answer on this thread.
  ///
  /// Returns its status and its body, or nil if the connection ended before or the answer is too
  /// long.
  package func post(_ body: [UInt8], to path: String) -> (status: Int, body: [UInt8])? {
    let head = """
      POST \(path) HTTP/1.1\r
      Host: 127.0.0.1\r
      Content-Type: application/json\r
      Accept: application/json, text/event-stream\r
      Content-Length: \(body.count)\r
      Connection: close\r
      \r

      """
    guard FileSystem.writeAll(descriptor, Array(head.utf8) + body), let answer = rest() else {
      return nil
    }
    return Self.parts(of: answer)
  }

  /// Receives up to the end of the connection.
  private func rest() -> [UInt8]? {
    var (answer, piece) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
    while answer.count <= Self.longestAnswer {
      let count = unsafe read(descriptor, &piece, piece.count)
      if count == 0 { return answer }
      if count > 0 { answer += piece.prefix(count) } else if errno != EINTR { return nil }
    }
    return nil
  }

  /// Returns the parts of a whole answer that is not sent in chunks.
  private static func parts(of answer: [UInt8]) -> (status: Int, body: [UInt8])? {
    let gap = Array("\r\n\r\n".utf8)
    let ends = answer.indices.dropLast(gap.count - 1)
    guard let end = ends.first(where: { answer[$0...].starts(with: gap) }) else { return nil }
    let lines = String(decoding: answer[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    let body = Array(answer[(end + gap.count)...])
    let length = lines.compactMap { line -> Int? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
      return Int(parts[1].drop { $0 == " " })
    }.first
    guard length == nil || length == body.count else { return nil }
    return (status, body)
  }
}
