#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A connection of a program, passed on byte for byte.
///
/// It belongs to one thread.
final class ProxiedConnection {
  /// The time limit for a connection to the server, in milliseconds.
  private static let patience: CInt = 10_000

  private let client: Socket
  private let place: ServerPlace
  private let ledger: StatementLedger
  private let end: Pipe
  private let log: @Sendable (String) -> Void
  private var conversation: any Conversation
  private var transaction: Int?
  private var isFollowed = true
  /// The bytes that one side has yet to take.
  private var toServer = [UInt8]()[...]
  private var toClient = [UInt8]()[...]

  init(
    _ client: Socket, to place: ServerPlace, _ ledger: StatementLedger, _ end: Pipe,
    _ log: @escaping @Sendable (String) -> Void
  ) {
    (self.client, self.place, self.ledger, self.end, self.log) = (client, place, ledger, end, log)
    conversation = place.conversation()
  }

  /// Passes everything on until one side ends the connection, or the port is closed.
  func run() {
    guard let server = connected() else { return }
    pass(to: server)
  }

  private func connected() -> Socket? {
    do throws(SocketError) {
      let server = try place.connecting()
      let ready = Ready.wait(
        [(server, Int16(POLLOUT))], end, milliseconds: Self.patience)
      return ready == nil ? nil : server
    } catch {
      log("the server was not reached: \(error)")
      return nil
    }
  }

  private func pass(to server: Socket) {
    while true {
      guard server.write(&toServer), client.write(&toClient) else { return }
      // What one side does not take is not read from the other one.
      let fromClient = toServer.isEmpty ? POLLIN : 0
      let fromServer = toClient.isEmpty ? POLLIN : 0
      let wanted = [
        (client, Int16(fromClient | (toClient.isEmpty ? 0 : POLLOUT))),
        (server, Int16(fromServer | (toServer.isEmpty ? 0 : POLLOUT))),
      ]
      guard let ready = Ready.wait(wanted, end) else { return }
      if ready[0], toServer.isEmpty, !read(client, { take($0, fromClient: true) }) { return }
      if ready[1], toClient.isEmpty, !read(server, { take($0, fromClient: false) }) { return }
    }
  }

  /// Reads from a side, and returns false at the end of the connection.
  private func read(_ side: Socket, _ take: ([UInt8]) -> Bool) -> Bool {
    switch side.read() {
    case .bytes(let bytes): take(bytes)
    case .end: false
    case .later: true
    }
  }

  /// Notes the statements in bytes, before the other side gets them.
  ///
  /// Returns false at the end of the connection.
  private func take(_ bytes: [UInt8], fromClient: Bool) -> Bool {
    guard isFollowed else {
      if fromClient { toServer += bytes } else { toClient += bytes }
      return true
    }
    let passage =
      fromClient ? conversation.takeFromClient(bytes) : conversation.takeFromServer(bytes)
    ledger.add(passage.statements, transaction: &transaction)
    if conversation.isLost {
      isFollowed = false
      ledger.lose()
      log("a connection could not be followed")
    }
    toServer += passage.toServer
    toClient += passage.toClient
    guard let reason = passage.end else { return true }
    log(reason)
    // The last words of the proxy, as far as the program takes them at once.
    _ = client.write(&toClient)
    return false
  }
}
