internal import FlowCore
internal import HTTPPlugin
internal import WebSocketCoding

/// The handshakes of a component.
struct Handshake: Sendable {
  let settings: WebSocketSettings
  let client: UpgradeClient

  /// The headers of a handshake and of one connection (RFC 6455, section 4.1, and RFC 9110, section
  /// 7.6.1).
  private static let names: Set<String> = [
    "connection", "upgrade", "keep-alive", "sec-websocket-key", "sec-websocket-version",
    "sec-websocket-protocol", "sec-websocket-extensions", "sec-websocket-accept",
  ]

  /// Returns headers without those of a handshake.
  static func without(_ headers: NamedValues) -> NamedValues {
    guard case .map(let map) = headers.encoded else { return headers }
    let rest = map.entries.filter { !names.contains($0.key.interpolated.lowercased()) }
    var copy = ValueMap()
    for entry in rest { copy[entry.key] = entry.value }
    return (try? NamedValues(decoding: .map(copy))) ?? headers
  }

  /// Returns the headers of a response without those of a handshake, of one connection, and the date.
  static func shown(_ headers: HeaderFields) -> HeaderFields {
    var headers = headers
    let others = ["date", "content-length", "transfer-encoding"]
    for name in Self.names.sorted() + others { _ = headers.remove(name) }
    return headers
  }

  /// Checks the inputs known before the run.
  ///
  /// - Throws: `WebSocketError` for an invalid subprotocol.
  static func check(_ known: [String: Value]) throws(WebSocketError) {
    guard let value = known["protocols"], let names = try? [String](decoding: value) else { return }
    if let problem = Subprotocols.problem(of: names) { throw .protocols(problem) }
  }

  /// Opens a connection.
  ///
  /// - Throws: A `CodedError`, or `CancellationError`.
  func open(
    _ request: UpgradeRequest, protocols: [String], in context: Context
  ) async throws -> (reply: UpgradeReply, protocol: String?, channel: Channel?) {
    if let problem = Subprotocols.problem(of: protocols) {
      throw WebSocketError.protocols(problem)
    }
    let key = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    let handshake = WebSocketRequest(
      key: key, protocols: protocols, deflates: settings.compresses)
    var request = request
    request.own = handshake.headers
    let reply = try await client.open(request, in: context)
    guard let connection = reply.connection else { return (reply, nil, nil) }
    do throws(WebSocketHandshakeError) {
      let agreement = try handshake.agreement { reply.headers[$0] }
      let channel = Channel(connection, agreement, start: reply.start, settings)
      return (reply, agreement.protocol, channel)
    } catch {
      await connection.close()
      throw WebSocketError.handshake(reply.url, error)
    }
  }
}
