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

  /// The answer to a request, without the lines of a stream.
  package struct Answer: Sendable {
    package let status: Int
    /// The body, empty for a stream.
    package var body: [UInt8] = []
    /// True for a stream of server-sent events, whose data has been passed on.
    package var isStream = false
  }

  /// Sends JSON by POST to a path, or asks for a stream by GET, and waits for the end of the answer
  /// on this thread.
  ///
  /// `receive` gets the data of each event of a stream as it comes. Returns nil if the connection
  /// ended before the answer was whole, or it is too long.
  package func exchange(
    _ body: [UInt8]?, at path: String, _ receive: ([UInt8]) -> Void
  ) -> Answer? {
    let method = body == nil ? "GET" : "POST"
    let content =
      body.map { "Content-Type: application/json\r\nContent-Length: \($0.count)\r\n" } ?? ""
    // By this version, no body comes in chunks.
    let head = """
      \(method) \(path) HTTP/1.0\r
      Host: 127.0.0.1\r
      \(content)Accept: application/json, text/event-stream\r
      \r

      """
    guard FileSystem.writeAll(descriptor, Array(head.utf8) + (body ?? [])) else { return nil }
    return answer(receive)
  }

  private func answer(_ receive: ([UInt8]) -> Void) -> Answer? {
    var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
    var head: AnswerHead?
    while bytes.count <= Self.longestAnswer {
      let count = unsafe read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count == 0 ? head?.answer(with: bytes) : nil }
      bytes += piece.prefix(count)
      if head == nil, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        head = AnswerHead(bytes[..<end.lowerBound])
        bytes.removeSubrange(..<end.upperBound)
        if head == nil { return nil }
      }
      guard head?.isStream == true else { continue }
      while let end = bytes.firstRange(of: Array("\n\n".utf8)) {
        let start = Array("data: ".utf8)
        if bytes.starts(with: start) { receive(Array(bytes[start.count..<end.lowerBound])) }
        bytes.removeSubrange(..<end.upperBound)
      }
    }
    return nil
  }
}

/// The head of an answer that is not sent in chunks.
private struct AnswerHead {
  let status: Int
  let isStream: Bool
  private let length: Int?

  init?(_ bytes: ArraySlice<UInt8>) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
      }
    }
    self.status = status
    length = headers["content-length"].flatMap { Int($0) }
    isStream = status == 200 && headers["content-type"]?.hasPrefix("text/event-stream") == true
  }

  /// The answer with a whole body, or nil if a part of it is missing.
  func answer(with body: [UInt8]) -> LocalConnection.Answer? {
    if isStream { return LocalConnection.Answer(status: status, isStream: true) }
    guard length == nil || length == body.count else { return nil }
    return LocalConnection.Answer(status: status, body: body)
  }
}
