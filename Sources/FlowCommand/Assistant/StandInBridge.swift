private import Dispatch
internal import FlowSystem
private import Synchronization

/// A bridge between the lines of an agent and the port of a component `stand-in`.
///
/// Each request has a connection, so that answers come in any order, and one that the agent cancels
/// ends by itself. Another one brings what the server says between requests.
final class StandInBridge: Sendable {
  /// The most requests at the same time.
  private static let mostRequests = 64

  private let place: StandInAddress
  private let write: @Sendable (String) -> Void
  /// The connections of requests without an answer, by their ids.
  private let open = Mutex<[JSON: LocalConnection]>([:])

  /// Creates a bridge.
  ///
  /// `write` is called with one line at a time.
  init(_ place: StandInAddress, write: @escaping @Sendable (String) -> Void) {
    self.place = place
    let order = Mutex(())
    self.write = { line in order.withLock { _ in write(line) } }
  }

  /// Passes the lines of an agent on until their end, and waits for the answers to the last ones.
  func serve(_ lines: some AsyncSequence<ClientLine, Never>) async {
    let news = LocalConnection(port: place.port)
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        if let news { listen(news) }
        defer { news?.cancel() }
        for await line in lines {
          switch line {
          case .text(let bytes): receive(bytes, &group)
          case .tooLong: refuse(nil, RPCError(.parseError, "the line is too long"))
          }
        }
      }
    } onCancel: {
      news?.cancel()
      for connection in open.withLock({ Array($0.values) }) { connection.cancel() }
    }
  }

  private func refuse(_ id: JSON?, _ error: RPCError) {
    write(RPCMessage.response(id, error).text)
  }

  private func receive(_ line: [UInt8], _ group: inout DiscardingTaskGroup) {
    guard let json = try? JSONParser.parse(line[...], repairsText: true) else {
      return refuse(nil, RPCError(.parseError, "the line is not JSON"))
    }
    let message: RPCMessage
    do throws(RPCError) { message = try RPCMessage(json) } catch {
      return refuse(RPCMessage.id(of: json), error)
    }
    guard let id = message.id, message.method != nil else { return note(message, line, &group) }
    let isRefused = open.withLock { $0[id] != nil || $0.count >= Self.mostRequests }
    if isRefused {
      return refuse(
        id, RPCError(.invalidRequest, "the id is in use, or \(Self.mostRequests) requests wait"))
    }
    guard let connection = LocalConnection(port: place.port) else {
      return refuse(id, RPCError(.requestFailed, Self.isOver))
    }
    open.withLock { $0[id] = connection }
    group.addTask { [self] in await pass(line, id, connection) }
  }

  private static let isOver = "flow: the run that has started this agent is over"

  /// Ends a request that the agent cancels, and passes the answer to a question of the server on.
  ///
  /// Other notifications mean nothing to the component.
  private func note(_ message: RPCMessage, _ line: [UInt8], _ group: inout DiscardingTaskGroup) {
    if message.method == "notifications/cancelled", let id = message.params["requestId"] {
      open.withLock { $0.removeValue(forKey: id) }?.cancel()
    }
    guard message.method == nil, let connection = LocalConnection(port: place.port) else { return }
    group.addTask { [self] in _ = await exchange(line, connection) }
  }

  /// Writes what the server says between requests, until the end of the connection.
  private func listen(_ connection: LocalConnection) {
    DispatchQueue(label: "flow.stand-in.news").async { [self] in
      _ = connection.exchange(nil, at: place.path) { write(String(decoding: $0, as: UTF8.self)) }
    }
  }

  /// Passes a request on, and its answer back, unless the agent cancels it before.
  private func pass(_ line: [UInt8], _ id: JSON, _ connection: LocalConnection) async {
    let (answer, isAnswered) = await exchange(line, connection)
    // Cancelled by the agent, which expects no answer any more.
    guard open.withLock({ $0.removeValue(forKey: id) }) != nil else { return }
    switch answer {
    case let answer? where answer.isStream:
      // A stream that has broken off.
      if !isAnswered { refuse(id, RPCError(.requestFailed, Self.isOver)) }
    case let answer? where answer.status == 200:
      write(String(decoding: answer.body, as: UTF8.self))
    case let answer?:
      let text = String(decoding: answer.body.prefix(2_000), as: UTF8.self).onOneLine
      refuse(id, RPCError(.requestFailed, text))
    case nil: refuse(id, RPCError(.requestFailed, Self.isOver))
    }
  }

  /// The answer to a message, and true if a stream had it, which is written line by line.
  private func exchange(
    _ line: [UInt8], _ connection: LocalConnection
  ) async -> (answer: LocalConnection.Answer?, isAnswered: Bool) {
    await withCheckedContinuation { continuation in
      // The connection blocks its thread.
      DispatchQueue(label: "flow.stand-in").async { [self] in
        var isAnswered = false
        let answer = connection.exchange(line, at: place.path) { data in
          let json = try? JSONParser.parse(data[...], repairsText: true)
          if let json, json["method"] == nil { isAnswered = true }
          write(String(decoding: data, as: UTF8.self))
        }
        continuation.resume(returning: (answer, isAnswered))
      }
    }
  }
}

/// The place of a server in the run that has started the agent.
struct StandInAddress: Sendable {
  /// The variable with the URL: `http://127.0.0.1:PORT/TOKEN`.
  static let variable = "FLOW_STAND_IN"

  let port: UInt16
  /// The path with the token and the name.
  let path: String

  /// Reads the value of the variable, or returns nil for another text.
  ///
  /// Whatever a URL may not have in its path is refused, as is another machine.
  init?(_ text: String, _ name: String) {
    let start = "http://127.0.0.1:"
    let parts = text.dropFirst(start.count).split(
      separator: "/", omittingEmptySubsequences: false)
    let isPlain = { (part: Substring) in
      !part.isEmpty && part.utf8.allSatisfy { $0.isWordCharacter || $0 == UInt8(ascii: "-") }
    }
    guard text.hasPrefix(start), parts.count == 2, let port = UInt16(parts[0]), port > 0,
      isPlain(parts[1]), isPlain(name[...])
    else { return nil }
    (self.port, path) = (port, "/\(parts[1])/\(name)")
  }
}
