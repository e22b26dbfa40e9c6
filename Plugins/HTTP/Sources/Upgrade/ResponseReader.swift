internal import FlowCore

/// A reader of the responses of HTTP/1.1 on an open connection (RFC 9112).
struct ResponseReader {
  /// The head of a response.
  struct Head {
    let status: Int
    let fields: HeaderFields
  }

  /// The bytes that belong to nothing yet.
  private(set) var buffer: [UInt8] = []
  private let connection: UpgradedConnection
  private let limit: Int
  /// The longest head, as in other requests.
  private static let longestHead = 256 << 10
  /// The longest line before a chunk.
  private static let longestLine = 1_024

  /// Creates a reader of bodies up to a limit of bytes.
  init(_ connection: UpgradedConnection, limit: Int) {
    (self.connection, self.limit) = (connection, limit)
  }

  /// Waits for the next head.
  ///
  /// - Throws: `HTTPError`, or `CancellationError`.
  mutating func head() async throws -> Head {
    var checked = 0
    while true {
      if let end = endOfHead(after: checked) {
        let bytes = Array(buffer[..<end])
        buffer.removeFirst(end)
        guard let status = Self.status(bytes) else { throw failure(.notHTTP) }
        return Head(status: status, fields: HeaderFields(head: bytes))
      }
      guard buffer.count <= Self.longestHead else { throw tooLarge }
      // The end of the head may be cut.
      checked = max(0, buffer.count - 3)
      let isFirst = buffer.isEmpty
      guard try await receive() else { throw failure(isFirst ? .withoutResponse : .incomplete) }
    }
  }

  /// Returns the index behind the empty line of a head, or nil until it has arrived.
  private func endOfHead(after start: Int) -> Int? {
    for index in buffer.indices.dropFirst(start) where buffer[index] == UInt8(ascii: "\n") {
      let rest = buffer[(index + 1)...]
      if rest.first == UInt8(ascii: "\n") { return index + 2 }
      if rest.starts(with: "\r\n".utf8) { return index + 3 }
    }
    return nil
  }

  /// Returns the status of a head, or nil for bytes that are no HTTP/1.
  private static func status(_ head: [UInt8]) -> Int? {
    guard head.starts(with: "HTTP/1.".utf8) else { return nil }
    let digits = head.drop { $0 != 0x20 }.dropFirst().prefix(3)
    return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 >= 100 ? $0 : nil }
  }

  /// Waits for the body of a response.
  ///
  /// - Throws: As `head`.
  mutating func body(after head: Head) async throws -> [UInt8] {
    if head.status == 204 || head.status == 304 { return [] }
    if head.fields["transfer-encoding"]?.lowercased() == "chunked" { return try await chunks() }
    if let text = head.fields["content-length"] {
      guard let count = Int(text), count >= 0 else { throw failure(.notHTTP) }
      return try await take(count)
    }
    while try await receive() { guard buffer.count <= limit else { throw tooLarge } }
    return buffer
  }

  private mutating func chunks() async throws -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let digits = try await line().prefix { $0 != ";" && $0 != " " }
      guard let count = Int(digits, radix: 16), count >= 0 else { throw failure(.notHTTP) }
      // Trailers say nothing about a refusal.
      if count == 0 { return body }
      guard count <= limit - body.count else { throw tooLarge }
      body += try await take(count)
      guard try await line().isEmpty else { throw failure(.notHTTP) }
    }
  }

  private mutating func take(_ count: Int) async throws -> [UInt8] {
    guard count <= limit else { throw tooLarge }
    while buffer.count < count {
      guard try await receive() else { throw failure(.incomplete) }
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  private mutating func line() async throws -> String {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end].filter { $0 != 0x0D }, as: UTF8.self)
      }
      guard buffer.count <= Self.longestLine else { throw failure(.notHTTP) }
      guard try await receive() else { throw failure(.incomplete) }
    }
  }

  /// Waits for more bytes, and returns false at the end of the connection.
  private mutating func receive() async throws -> Bool {
    let bytes = try await connection.receive()
    buffer += bytes
    return !bytes.isEmpty
  }

  private var tooLarge: HTTPError { .tooLarge(connection.url, limit: limit) }

  private func failure(_ failure: TransferFailure) -> HTTPError {
    .transfer(failure, connection.url)
  }
}

extension TransferFailure {
  /// A response in another protocol.
  fileprivate static let notHTTP = TransferFailure(of: 1)
  /// A response without its end.
  fileprivate static let incomplete = TransferFailure(of: 18)
  /// A connection that has ended before a response.
  fileprivate static let withoutResponse = TransferFailure(of: 52)

  /// Creates the failure of an open connection by its `CURLcode`.
  init(of code: Int32) {
    self.init(code: code, meaning: "", detail: "", wasConnected: true, isTooLarge: false)
  }
}
