public import FlowCore
internal import HTTPPlugin
internal import WebSocketCoding

/// Connections to WebSocket servers.
///
/// `Channel` has the protocol of a connection, and `OpenChannels` the connections by their names. This
/// type connects them to scenarios.
public final class WebSocket: Component {
  /// The name in `plugin:`.
  public static let pluginName = "websocket"

  /// The plugin `websocket`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Exchanges messages with WebSocket servers.", state: .external,
    reaches: [.network, .files],
    settings: WebSocketSettings.record,
    events: [ConnectionEvents.message, ConnectionEvents.closed],
    operations: [
      Operation(
        "connect", "Opens a connection, and reports its messages until its end.",
        input: ConnectInput.record, answers: ConnectAnswer.record, errors: ErrorCode.ofOpening,
        retry: .safe
      ) { socket, context, input in try await socket.connect(input, context) }
      .checking { try Handshake.check($0) },
      Operation(
        "send", "Sends a message.", input: SendInput.record, answers: .none,
        errors: ErrorCode.ofConnections
      ) { socket, context, input in try await socket.send(input, context) }
      .checking { try MessageContent.check($0) },
      Operation(
        "ping", "Sends a ping, and waits for the pong.",
        Parameter<String?>("connection", ConnectInput.summaryOfName), answers: .none,
        errors: ErrorCode.ofConnections, retry: .safe
      ) { socket, context, name in
        let channel = try socket.channels.channel(name)
        try await context.outside { try await channel.ping() }
      },
      Operation(
        "close", "Ends a connection, and waits for the server's close frame.",
        Parameter<Int>(
          "code", "The code of the close frame.", default: 1000, examples: [1000, 4000]),
        Parameter<String>("reason", "The reason, at most 123 bytes.", default: ""),
        Parameter<String?>("connection", ConnectInput.summaryOfName),
        answers: CloseAnswer.record, errors: ErrorCode.ofConnections
      ) { socket, context, code, reason, name in
        let close = try WebSocketClosing(code, reason)
        let channel = try socket.channels.channel(name)
        let ending = try await context.outside { try await channel.close(close.frame) }
        socket.channels.remove(channel, ending)
        return CloseAnswer(ending)
      },
      Operation(
        "exchange", "Passes on the request of another program for a connection.",
        input: PassedRequest.record, answers: PassedAnswer.record, errors: ErrorCode.ofOpening,
        retry: .safe
      ) { socket, context, input in try await socket.pass(input, context) }
      .failing(PassedAnswer.record, PassedAnswer.faults)
      .checking { try PassedRequest.check($0) }
      .passingOn,
      Operation(
        "exchange-send", "Passes on a message of another program, or its end of the connection.",
        input: PassedSending.record, answers: .none, errors: ErrorCode.ofConnections
      ) { socket, context, input in try await socket.pass(input, context) }
      .checking { try PassedSending.check($0) }
      .passingOn,
      Operation(
        "piece", "Waits for the next message of the server on a connection of 'exchange'.",
        Parameter<String>("stream", "The 'stream' of the answer."),
        Parameter<Bool>(
          "stop", "Ends the connection without waiting for a message.", default: false),
        answers: PassedPiece.record, errors: ErrorCode.ofConnections
      ) { socket, context, name, stops in
        try await socket.piece(of: name, stops: stops, context)
      }
      .failing(PassedPiece.record, PassedPiece.faults)
      .passingOn,
    ]
  ) { context, settings in
    WebSocket(
      Handshake(settings: settings, client: try UpgradeClient(settings.upgrade, in: context)))
  }
  .checking(WebSocketSettings.record) { try $0.check() }

  private let handshake: Handshake
  private let channels = OpenChannels()
  /// The connections of other programs.
  private let streams = OpenChannels()

  private init(_ handshake: Handshake) { self.handshake = handshake }

  /// Ends the connections.
  public func close() async {
    await channels.close()
    await streams.close()
    await handshake.client.close()
  }

  private var timeout: Duration { handshake.settings.timeout }

  // MARK: - Connections of scenarios

  private func connect(_ input: ConnectInput, _ context: Context) async throws -> ConnectAnswer {
    let (reply, chosen, channel) = try await context.outside { [handshake] in
      try await handshake.open(
        input.request, protocols: input.protocols ?? handshake.settings.protocols, in: context)
    }
    var answer = ConnectAnswer(reply, protocol: chosen)
    guard let channel else { return answer }
    // The step has ended, so nothing may continue on its behalf.
    if Task.isCancelled { await channel.leave() }
    try Task.checkCancellation()
    let name = channels.add(channel, path: input.path ?? "")
    answer.connection = name
    let reader = ConnectionReader(channel, name, channels, timeout)
    context.spawn("connection") { context in try await reader.read(in: context) }
    return answer
  }

  private func send(_ input: SendInput, _ context: Context) async throws {
    let message = try input.content.message()
    let channel = try channels.channel(input.connection)
    try await context.outside { try await channel.send(message) }
  }

  // MARK: - Connections of other programs

  private func pass(_ input: PassedRequest, _ context: Context) async throws -> PassedAnswer {
    let (reply, chosen, channel) = try await context.outside { [handshake] in
      try await handshake.open(input.request, protocols: input.protocols, in: context)
    }
    var answer = PassedAnswer(reply, protocol: chosen)
    guard let channel else { return answer }
    if Task.isCancelled { await channel.leave() }
    try Task.checkCancellation()
    answer.stream = streams.add(channel, path: input.path)
    return answer
  }

  private func pass(_ input: PassedSending, _ context: Context) async throws {
    let channel = try streams.channel(input.stream)
    if input.end {
      let close = try input.close()
      return try await context.outside { try await channel.sendClose(close?.frame) }
    }
    let message = try input.message()
    try await context.outside { try await channel.send(message) }
  }

  private func piece(
    of name: String, stops: Bool, _ context: Context
  ) async throws -> PassedPiece {
    if stops {
      let channel = try streams.channel(name)
      await channel.leave()
      streams.remove(name, .lost)
      return PassedPiece(.lost)
    }
    let channel = try streams.beginReading(name)
    defer { streams.endReading(name) }
    do {
      let arrival = try await channel.next(holdingTimeUntil: .now + timeout, in: context)
      if case .end(let ending) = arrival { streams.remove(name, ending) }
      return PassedPiece(arrival)
    } catch {
      await channel.leave()
      streams.remove(name, .lost)
      throw error
    }
  }
}
