import Foundation

/// A client of HTTP/2 with frames of a test's choice.
///
/// Header blocks have neither Huffman's code nor a table (RFC 7541, section 6.2.2).
struct FrameClient {
  let socket: RawSocket

  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  static let settings = frame(4, stream: 0)

  init(_ port: Int) throws {
    socket = try RawSocket(port)
    socket.send(Self.preface + Self.settings)
  }

  /// Goes on with a socket that has sent the preface.
  init(_ socket: RawSocket) { self.socket = socket }

  // MARK: - Frames to the server

  /// A frame, with its own length or another.
  static func frame(
    _ type: UInt8, _ flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8] = [], length: Int? = nil
  ) -> [UInt8] {
    let length = length ?? payload.count
    return bytes(UInt32(length)).dropFirst() + [type, flags] + bytes(stream) + payload
  }

  /// The four bytes of a number.
  static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
  }

  /// A block of headers.
  static func block(_ headers: [(String, String)]) -> [UInt8] {
    headers.flatMap { [0] + text($0.0) + text($0.1) }
  }

  private static func text(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    // A prefix of seven bits (RFC 7541, section 5.1).
    var length = [UInt8(min(count, 127))]
    if count >= 127 {
      var rest = count - 127
      while rest >= 128 {
        length.append(UInt8(rest & 127 | 128))
        rest >>= 7
      }
      length.append(UInt8(rest))
    }
    return length + Array(text.utf8)
  }

  /// The head of a request, whole, with the end of the stream or not.
  static func head(
    _ method: String = "GET", _ path: String = "/", stream: UInt32 = 1, ends: Bool = true,
    _ headers: [(String, String)] = []
  ) -> [UInt8] {
    let pseudo = [
      (":method", method), (":scheme", "http"), (":path", path), (":authority", "a"),
    ]
    return frame(1, ends ? 5 : 4, stream: stream, block(pseudo + headers))
  }

  static func data(_ bytes: [UInt8], stream: UInt32 = 1, ends: Bool = true) -> [UInt8] {
    frame(0, ends ? 1 : 0, stream: stream, bytes)
  }

  static let ping = frame(6, stream: 0, [1, 2, 3, 4, 5, 6, 7, 8])

  // MARK: - Frames of the server

  /// A frame of the server.
  struct Frame: Equatable, CustomStringConvertible {
    let type: UInt8
    let flags: UInt8
    let stream: UInt32
    let payload: [UInt8]

    /// The name, the stream, and the bytes of `DATA`, the code of an error, or a window.
    var description: String {
      let end = flags & 1 == 1 ? " end" : ""
      return switch type {
      case 0: "DATA \(stream) \(String(decoding: payload, as: UTF8.self))\(end)"
      case 1: "HEADERS \(stream)\(end)"
      case 3: "RST_STREAM \(stream) \(number(0))"
      case 4: "SETTINGS"
      case 6: "PING"
      case 7: "GOAWAY \(number(4))"
      case 8: "WINDOW_UPDATE \(stream) \(number(0))"
      default: "type \(type)"
      }
    }

    private func number(_ start: Int) -> Int {
      payload.dropFirst(start).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
  }

  /// Reads the next frame, or nil at the end.
  func next() -> Frame? {
    guard let head = socket.bytes(count: 9) else { return nil }
    let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
    guard let payload = socket.bytes(count: length) else { return nil }
    let stream = head[5...].reduce(0) { $0 << 8 | UInt32($1) }
    return Frame(type: head[3], flags: head[4], stream: stream, payload: payload)
  }

  /// Reads up to a frame with a description, or a number of frames, and returns the descriptions,
  /// without settings and the windows of the connection.
  func frames(upTo last: String? = nil, count: Int = .max) -> [String] {
    var seen: [String] = []
    while seen.count < count, let frame = next() {
      let text = "\(frame)"
      if text != "SETTINGS", !text.hasPrefix("WINDOW_UPDATE 0") { seen.append(text) }
      if text == last { break }
    }
    return seen
  }
}

extension RawSocket {
  /// Sends bytes as long as there is room for them.
  func send(atMost bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.send(
          descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Receives a number of bytes, or nil at the end.
  fileprivate func bytes(count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var start = 0
    while start < count {
      let received = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe recv(descriptor, buffer.baseAddress.map { unsafe $0 + start }, count - start, 0)
      }
      guard received > 0 else { return nil }
      start += received
    }
    return bytes
  }
}
