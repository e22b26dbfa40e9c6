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
  private var watch = StatementWatch()
  private var transaction: Int?
  /// True while the statements are read, which are none of a request to cancel.
  private var isFollowed = false

  init(
    _ client: Socket, to place: ServerPlace, _ ledger: StatementLedger, _ end: Pipe,
    _ log: @escaping @Sendable (String) -> Void
  ) {
    (self.client, self.place, self.ledger, self.end, self.log) = (client, place, ledger, end, log)
  }

  /// Passes everything on until one side ends the connection, or the port is closed.
  func run() {
    guard let (start, rest) = startup(), let server = connected() else { return }
    watch.takeFromClient(rest[...])
    pass(start + rest, server)
  }

  /// Reads the request at the start, refuses encryption, and returns the request and the bytes after
  /// it, or nil at the end.
  private func startup() -> (request: [UInt8], rest: [UInt8])? {
    var bytes: [UInt8] = []
    while true {
      if let (request, count) = StartupRequest.read(bytes) {
        switch request {
        case .encryption:
          // With 'N' libpq goes on without encryption, unless it must not.
          var answer = Array("N".utf8)[...]
          guard bytes.count == count, client.write(&answer) else { return nil }
          bytes = []
          continue
        case .login, .cancel:
          isFollowed = request == .login
          return (Array(bytes.prefix(count)), Array(bytes.dropFirst(count)))
        case .unknown:
          log("a connection was ended, because it is not one of PostgreSQL")
          return nil
        }
      }
      guard Ready.wait([(client, Int16(POLLIN))], end) != nil else { return nil }
      switch client.read() {
      case .bytes(let more): bytes += more
      case .end: return nil
      case .later: continue
      }
    }
  }

  private func connected() -> Socket? {
    do throws(SocketError) {
      let server = try Socket.connecting(to: place.host, place.port)
      let ready = Ready.wait(
        [(server, Int16(POLLOUT))], end, milliseconds: Self.patience)
      return ready == nil ? nil : server
    } catch {
      log("the server was not reached: \(error)")
      return nil
    }
  }

  private func pass(_ start: [UInt8], _ server: Socket) {
    var (toServer, toClient) = (start[...], [UInt8]()[...])
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
      if ready[0], toServer.isEmpty {
        switch client.read() {
        case .bytes(let bytes): toServer = followed(bytes, fromClient: true)
        case .end: return
        case .later: break
        }
      }
      if ready[1], toClient.isEmpty {
        switch server.read() {
        case .bytes(let bytes): toClient = followed(bytes, fromClient: false)
        case .end: return
        case .later: break
        }
      }
    }
  }

  /// Notes the statements in bytes, before the other side gets them, and returns the bytes.
  private func followed(_ bytes: [UInt8], fromClient: Bool) -> ArraySlice<UInt8> {
    guard isFollowed else { return bytes[...] }
    if fromClient {
      watch.takeFromClient(bytes[...])
    } else {
      ledger.add(watch.takeFromServer(bytes[...]), transaction: &transaction)
    }
    if watch.isLost {
      isFollowed = false
      ledger.lose()
      log("a connection could not be followed")
    }
    return bytes[...]
  }
}
