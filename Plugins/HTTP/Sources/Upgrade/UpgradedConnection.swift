internal import FlowCore

/// An open connection after the response 101, whose bytes belong to another protocol.
public final class UpgradedConnection: Sendable {
  /// The URL of its request.
  public let url: String
  private let thread: ConnectionThread
  private let address: WebAddress
  private let client: HTTPClient
  private let forget: @Sendable () -> Void

  init(
    _ thread: ConnectionThread, _ address: WebAddress, _ client: HTTPClient,
    forget: @escaping @Sendable () -> Void
  ) {
    (self.thread, self.address, self.client, self.forget) = (thread, address, client, forget)
    url = Self.url(of: address)
  }

  /// Returns a URL with the scheme of WebSocket.
  static func url(of address: WebAddress) -> String { "ws" + "\(address)".dropFirst(4) }

  /// Sends some bytes, and waits until the system has taken them.
  ///
  /// - Throws: A `CodedError`, or `CancellationError`.
  public func send(_ bytes: [UInt8]) async throws {
    try await translating { try await thread.send(bytes) }
  }

  /// Waits for the next bytes, none at the end of the connection.
  ///
  /// One task at a time reads.
  ///
  /// - Throws: A `CodedError`, or `CancellationError`, which does not end the connection.
  public func receive() async throws -> [UInt8] {
    try await translating { try await thread.receive() }
  }

  /// Ends the connection.
  public func close() async {
    await thread.close()
    forget()
  }

  private func translating<Success>(
    _ work: () async throws -> Success
  ) async throws -> Success {
    do { return try await work() } catch let failure as TransferFailure {
      throw client.error(of: failure, url, within: client.settings.timeout)
    } catch let error as TransferThreadError {
      throw HTTPError.notBegun(error)
    }
  }

  // MARK: - The beginning

  /// Connects, sends a request, and waits for its response.
  func begin(_ request: HTTPRequest) async throws -> UpgradeReply {
    do {
      try await thread.connect(
        to: address.server + "/", unixSocket: client.unixSocket(for: address))
    } catch let failure as TransferFailure where failure.isMalformed {
      throw HTTPError.request(.address(.malformed(address.server)))
    } catch let failure as TransferFailure where failure.isRefused && request.unixSocket != nil {
      let socket = UnreachableSocket(path: request.unixSocket ?? "")
      throw HTTPError.unreachableSocket(socket, url)
    } catch let failure as TransferFailure {
      throw client.error(of: failure, url, within: client.settings.timeout)
    }
    try await send(request.upgradeHead(with: client.settings))
    return try await reply()
  }

  /// Waits for the head of the response, and the body of one other than 101.
  private func reply() async throws -> UpgradeReply {
    var reader = ResponseReader(self, limit: client.settings.limit)
    var head = try await reader.head()
    // Other interim responses come before the final one (RFC 9110, section 15.2).
    while head.status / 100 == 1, head.status != 101 { head = try await reader.head() }
    let isOpen = head.status == 101
    let body = isOpen ? [] : try await reader.body(after: head)
    return UpgradeReply(
      status: head.status, headers: head.fields, body: body, connection: isOpen ? self : nil,
      start: isOpen ? reader.buffer : [], url: url)
  }
}

extension HTTPRequest {
  /// Returns the lines of the request as HTTP/1.1 writes them (RFC 9112, section 2).
  fileprivate func upgradeHead(with settings: HTTPSettings) -> [UInt8] {
    let transfer = transfer(within: settings.timeout, limit: settings.limit)
    var lines = transfer.headers.compactMap { line in
      // libcurl's forms of a header without a value, and of one that is left out.
      if line.hasSuffix(";"), !line.contains(":") { return "\(line.dropLast()): " }
      return line.hasSuffix(":") ? nil : line
    }
    if !lines.contains(where: { $0.lowercased().hasPrefix("host:") }) {
      lines.insert("Host: \(address.server.drop { $0 != "/" }.dropFirst(2))", at: 0)
    }
    if let cookie = transfer.cookie { lines.append("Cookie: \(cookie)") }
    let target = address.rest.isEmpty ? "/" : address.rest
    let head = ["\(method) \(target) HTTP/1.1"] + lines
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
