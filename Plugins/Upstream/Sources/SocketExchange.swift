internal import FlowCore
internal import WebSocketCoding

/// The exchange of messages between the WebSockets of programs and the component in their role.
struct SocketExchange: Sendable {
  let listener: Listener
  /// The longest wait for a program to end a connection that the server has ended.
  let hold: Duration

  /// The code of a connection that ended without a close frame (RFC 6455, section 7.1.5).
  private static let noFrame = 1006

  /// Serves the handshake of a program, and then its messages.
  ///
  /// Returns the answer of a server that refuses the connection, or nil.
  ///
  /// - Throws: The error of the handshake.
  func serve(
    _ request: IncomingRequest, _ passed: PassedRequest, _ context: Context
  ) async throws -> ServerAnswer? {
    let offer: WebSocketOffer
    do { offer = try WebSocketOffer(method: request.method, header: request.joinedHeader) } catch {
      return ServerAnswer(refusing: error)
    }
    let asked = SocketRequest(passed, protocols: offer.protocols)
    let given = try await listener.whileHere(request) {
      try await SocketRole.exchange(asked, as: asked.label(in: context), in: context)
    }
    guard given.status == 101, let stream = given.stream else { return given.refusal }
    let chosen = given.protocol.flatMap { offer.protocols.contains($0) ? $0 : nil }
    let (headers, agreement) = offer.accepted(protocol: chosen, deflates: true)
    listener.upgrade(request, AnswerHead(status: 101, headers: headers + given.passedHeaders))
    let scope = context.beginConversation(stream)
    await talk(ProgramSocket(request, of: listener, agreement), stream, scope.context)
    scope.end()
    return nil
  }

  /// Passes messages on in both directions until one side has ended the connection.
  private func talk(_ socket: ProgramSocket, _ stream: String, _ context: Context) async {
    let conversation = Conversation(
      pass: { try await pass(socket, stream, context) },
      bring: { try await bring(socket, stream, context) })
    // The program answers the close frame of the server, as it must, or leaves.
    let end = await conversation.run { try? await Task.sleep(for: hold) }
    switch end {
    case .broken: return socket.end(by: .close)
    case .refused(let reason):
      try? await socket.close(1011, "flow: \(reason)".prefix(bytes: WebSocketClose.longestReason))
    case .silent: await listener.untilLeft(socket.number)
    case .left, .said, .closed: break
    }
    socket.finish()
  }

  /// Passes on what a program says next, and returns false at its end.
  private func pass(
    _ socket: ProgramSocket, _ stream: String, _ context: Context
  ) async throws -> Bool {
    guard let message = try await socket.next() else { throw ClientGone() }
    guard case .close = message else {
      try await SocketRole.send(SentMessage(message, in: stream), in: context)
      return true
    }
    // It may answer the close frame of the server.
    if !socket.isClosing {
      try await SocketRole.send(SentMessage(message, in: stream), in: context)
    }
    return false
  }

  /// Brings what the server says next, and returns false at its end.
  private func bring(
    _ socket: ProgramSocket, _ stream: String, _ context: Context
  ) async throws -> Bool {
    let message = try await SocketRole.piece(stream, in: context)
    if message.end, message.code == Self.noFrame {
      throw ComponentError(ErrorCode("closed", ""), Messages.noFrame)
    }
    if message.end {
      try await socket.close(message.code, message.reason)
    } else {
      try await socket.send(message)
    }
    return !message.end
  }
}

extension SocketRequest {
  /// The path, for readable addresses.
  fileprivate func label(in context: Context) -> String {
    let path = SocketRole.exchange.constantText(path, of: "path", in: context)
    return context.label("GET \(path.drop { $0 == "/" })")
  }
}

extension SocketAnswer {
  /// The headers of a handshake that are passed on: the others belong to one connection.
  fileprivate var passedHeaders: [(name: String, value: String)] {
    headers.sorted { $0.key < $1.key }.flatMap { name, value in
      PassedHeaders.ofConnections.contains(name) || name.hasPrefix("sec-websocket-")
        ? [] : value.split(separator: "\n").map { (name, String($0)) }
    }
  }
}

extension ServerAnswer {
  /// The answer to a request that is no handshake.
  fileprivate init(refusing error: WebSocketHandshakeError) {
    let headers = [
      "content-type": "text/plain; charset=utf-8", "sec-websocket-version": "13",
    ]
    self.init(
      status: error.status, headers: headers, json: nil, text: "flow: \(error)\n", bytes: nil,
      stream: nil)
  }
}

extension SentMessage {
  /// A message of a program, or its end.
  fileprivate init(_ message: ProgramSocket.Message, in stream: String) {
    switch message {
    case .text(let text): self.init(text, in: stream)
    case .bytes(let bytes): self.init(bytes, in: stream)
    case .close(let close): self.init(endOf: stream, close.code, close.reason)
    }
  }
}

extension IncomingRequest {
  /// The values of a header with a name in lower case, joined by commas, or nil without any.
  fileprivate func joinedHeader(_ name: String) -> String? {
    let values = headers.filter { $0.name.lowercased() == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

extension String {
  /// The longest beginning of at most so many bytes.
  fileprivate func prefix(bytes: Int) -> String {
    var count = 0
    return String(
      prefix { character in
        count += character.utf8.count
        return count <= bytes
      })
  }
}
