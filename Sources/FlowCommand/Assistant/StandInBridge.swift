private import Dispatch
internal import FlowSystem
private import Synchronization

/// A bridge between the lines of an agent and the port of a component `stand-in`.
///
/// Each request has a connection, so that answers come in any order, and one that the agent cancels
/// ends by itself.
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
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        for await line in lines {
          switch line {
          case .text(let bytes): receive(bytes, &group)
          case .tooLong: refuse(nil, RPCError(.parseError, "the line is too long"))
          }
        }
      }
    } onCancel: {
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
    guard let id = message.id, message.method != nil else { return note(message) }
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

  /// Ends a request that the agent cancels.
  ///
  /// Other notifications mean nothing to the component.
  private func note(_ message: RPCMessage) {
    guard message.method == "notifications/cancelled", let id = message.params["requestId"] else {
      return
    }
    open.withLock { $0.removeValue(forKey: id) }?.cancel()
  }

  /// Passes a request on, and its answer back, unless the agent cancels it before.
  private func pass(_ line: [UInt8], _ id: JSON, _ connection: LocalConnection) async {
    let answer = await withCheckedContinuation { continuation in
      // The connection blocks its thread.
      DispatchQueue(label: "flow.stand-in").async { [place] in
        continuation.resume(returning: connection.post(line, to: place.path))
      }
    }
    // Cancelled by the agent, which expects no answer any more.
    guard open.withLock({ $0.removeValue(forKey: id) }) != nil else { return }
    switch answer {
    case (200, let body)?: write(String(decoding: body, as: UTF8.self))
    case (_, let body)?:
      let text = String(decoding: body.prefix(2_000), as: UTF8.self).onOneLine
      refuse(id, RPCError(.requestFailed, text))
    case nil: refuse(id, RPCError(.requestFailed, Self.isOver))
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
