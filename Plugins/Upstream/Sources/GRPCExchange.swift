internal import FlowCore
internal import GRPCCoding

/// The exchange of messages between the calls of gRPC of programs and the component in their role.
struct GRPCExchange: Sendable {
  let listener: Listener
  let headers: PassedHeaders

  /// The status of a call without a recorded answer, or with a fault of flow.
  private static let internalError = GRPCStatus.internal.rawValue

  /// Serves a call of a method until its end.
  ///
  /// - Throws: `ComponentError` if the server did not answer it.
  func serve(
    _ request: IncomingRequest, _ coding: any MessageCoding, _ streams: MessageStreams,
    _ context: Context
  ) async throws {
    let link = ProgramCallLink(request, of: listener, coding)
    let first: [UInt8]?
    do {
      first = streams.client ? nil : try await only(of: link)
    } catch let error as GRPCFrameError {
      return try link.finish(error.status.rawValue, "\(error)")
    }
    let asked = ProgramCall(
      method: link.method, metadata: request.metadata(dropping: headers),
      message: try first.map { try link.value($0) },
      timeout: request.value(of: "grpc-timeout").flatMap(GRPCTimeout.decoded),
      written: first.map { Bytes($0) })
    let label = context.label(link.method)
    let given = try await listener.whileHere(request) {
      try await GRPCRole.exchange(asked, as: label, in: context)
    }
    guard let stream = given.stream else { return try await send(given, to: link) }
    let scope = context.beginConversation(stream)
    await talk(link, stream, isSaid: !streams.client, scope.context)
    scope.end()
  }

  /// Returns the one message of a program that does not stream, or nil if it sends none.
  ///
  /// - Throws: `GRPCFrameError.second` for a second message, which the server would never see.
  private func only(of link: ProgramCallLink) async throws -> [UInt8]? {
    guard let message = try await link.next() else { return nil }
    if try await link.next() != nil { throw GRPCFrameError.second }
    return message
  }

  /// Sends a whole answer.
  private func send(_ answer: MethodAnswer, to link: ProgramCallLink) async throws {
    let status = link.coding.number(ofStatus: answer.status ?? "ok") ?? GRPCStatus.unknown.rawValue
    if answer.message != nil || answer.metadata != .map(ValueMap()) {
      try link.begin(answer.metadata)
    }
    if let message = answer.message { try await link.send(message) }
    try link.finish(status, answer.reason, details: answer.details, trailers: answer.trailers)
  }

  // MARK: - Streams

  /// Passes messages on in both directions until the end of the call.
  private func talk(
    _ link: ProgramCallLink, _ stream: String, isSaid: Bool, _ context: Context
  ) async {
    let conversation = Conversation(
      pass: { try await isSaid ? false : pass(link, stream, context) },
      bring: { try await bring(link, stream, context) })
    switch await conversation.run(closing: {}) {
    case .closed: break
    case .refused(let reason): try? link.finish(Self.internalError, "flow: \(reason)")
    case .silent: await listener.untilLeft(link.number)
    case .broken(let error):
      let status = GRPCStatus(name: error.code.name) ?? .unavailable
      do { try link.finish(status.rawValue, error.message) } catch { link.reset() }
    case .left, .said: link.reset()
    }
  }

  /// Passes on the next message of a program, and returns false at its end.
  private func pass(
    _ link: ProgramCallLink, _ stream: String, _ context: Context
  ) async throws -> Bool {
    let bytes = try await link.next()
    let message = ProgramMessage(
      stream: stream, message: try bytes.map { try link.value($0) }, end: bytes == nil,
      written: bytes.map { Bytes($0) })
    try await GRPCRole.send(message, in: context)
    return bytes != nil
  }

  /// Brings the next message of the server, and returns false at its end.
  private func bring(
    _ link: ProgramCallLink, _ stream: String, _ context: Context
  ) async throws -> Bool {
    let piece = try await GRPCRole.piece(stream, in: context)
    if let metadata = piece.metadata, metadata != .map(ValueMap()) { try link.begin(metadata) }
    if piece.end {
      let status =
        link.coding.number(ofStatus: piece.status ?? "ok") ?? GRPCStatus.unknown.rawValue
      try link.finish(
        status, piece.reason, details: piece.details, trailers: piece.trailers ?? .map(ValueMap()))
    } else {
      try await link.send(piece.message ?? .null)
    }
    return !piece.end
  }
}

extension ProgramCallLink {
  /// The value of a message of the program.
  ///
  /// - Throws: `ComponentError` for one that flow.lock does not describe.
  fileprivate func value(_ bytes: [UInt8]) throws(ComponentError) -> Value {
    do { return try coding.value(ofRequest: bytes, to: method) } catch {
      throw ComponentError(.unexpected, "a message to '\(method)': \(error)")
    }
  }
}
