private import CUpstream
private import Synchronization

/// A server of HTTP/1.1 and HTTP/2 on 127.0.0.1, on threads that wait for sockets.
///
/// A client chooses HTTP/2 by its first bytes, or inside of TLS by ALPN.
///
/// Each request waits, without a thread, for one of `answer`, `begin` or `end`. A request that was
/// answered already, and one without a client, ignore them.
@safe final class Listener: Sendable {
  private let desk: RequestDesk
  private let server: Mutex<RunningServer?>

  /// Listens on a port, 0 for any free one.
  ///
  /// `proxy` makes it a proxy. `clients` are the programs that it serves. `refused` receives what
  /// the listener refuses by itself, and `shook` what becomes of the proxy's certificates, on
  /// threads of the listener.
  ///
  /// - Throws: `ListenerError` for a port that cannot be used or a missing library.
  init(
    port: Int, limits: ListenerLimits = ListenerLimits(), proxy: ProxyAccess? = nil,
    clients: ListenerClients = .ownUser, refused: @escaping @Sendable (Refusal) -> Void = { _ in },
    shook: @escaping @Sendable (Handshake) -> Void = { _ in }
  ) throws(ListenerError) {
    desk = RequestDesk(limits, ListenerNews(refused: refused, shook: shook))
    let access = ListenerAccess(proxy: proxy, clients: clients)
    server = Mutex(try RunningServer(port: port, limits: limits, access: access, desk: desk))
    self.port = server.withLock { $0?.port ?? port }
    isProxy = proxy != nil
  }

  /// The port, also after the end.
  let port: Int
  /// True for a proxy.
  let isProxy: Bool

  deinit { stop() }

  /// The requests in order of arrival, for one reader.
  ///
  /// They end with the task that reads them, and requests are reset from then on, until `renew`.
  var requests: AsyncStream<IncomingRequest> { desk.requests }

  /// Serves another run at the same port, with `requests` and news of its own.
  func renew(_ news: ListenerNews) { desk.renew(news) }

  /// Keeps the port and the connections, and resets the requests until `renew`.
  func rest() {
    desk.renew(ListenerNews())
    desk.close()
  }

  // MARK: - Answers

  /// Sends a whole answer.
  func answer(_ request: IncomingRequest, _ head: AnswerHead, body: [UInt8] = []) {
    request.handle.answer(head, body)
  }

  /// Starts an answer in pieces.
  func begin(_ request: IncomingRequest, _ head: AnswerHead) { request.handle.begin(head) }

  /// Sends a piece at once, and waits until the connection has taken it.
  ///
  /// - Throws: `ClientGone`, or `CancellationError` if the task is cancelled meanwhile.
  func write(_ request: IncomingRequest, piece: [UInt8]) async throws {
    guard !piece.isEmpty else { return }
    guard await desk.write(request, piece) else {
      try Task.checkCancellation()
      throw ClientGone()
    }
  }

  /// Answers a request that wants an upgrade with 101, the headers and those of the upgrade.
  ///
  /// From then on `read`, `write`, `finish` and `end` are for the bytes of the other protocol. Any
  /// other request is reset.
  func upgrade(_ request: IncomingRequest, _ head: AnswerHead) { request.handle.upgrade(head) }

  /// Returns the next bytes of a client, never none, or nil at the end of its side.
  ///
  /// A client whose bytes are not read cannot send more than some. `untilLeft` returns after the end
  /// of an upgraded connection, whose other side may go on.
  ///
  /// - Throws: `ClientGone`, also while another task reads the same request, or `CancellationError`
  ///   if the task is cancelled meanwhile.
  func read(_ request: IncomingRequest) async throws -> [UInt8]? {
    while true {
      switch request.handle.read() {
      case .some(let bytes): return bytes
      case .end:
        if request.wantsUpgrade { desk.left(request.number) }
        return nil
      case .gone: throw ClientGone()
      case .none:
        guard await desk.untilReadable(request.number) else {
          try Task.checkCancellation()
          throw ClientGone()
        }
      }
    }
  }

  /// Ends an answer in pieces, or the own side of an upgraded connection.
  ///
  /// HTTP/1.1 leaves the trailers out.
  func finish(_ request: IncomingRequest, trailers: [(name: String, value: String)] = []) {
    request.handle.finish(trailers)
  }

  /// Breaks the connection of a request without an answer, or within an answer in pieces.
  ///
  /// Of HTTP/2, the stream alone is reset: with the code `INTERNAL_ERROR` for a reset, and `CANCEL`
  /// for a close.
  func end(_ request: IncomingRequest, by ending: Ending) {
    request.handle.end(byReset: ending == .reset)
  }

  /// Sends the beginning of an answer whose head announces more bytes, then breaks the connection.
  ///
  /// `missing` is the number of bytes behind these, from 0.
  func end(
    _ request: IncomingRequest, by ending: Ending, after beginning: [UInt8], missing: Int,
    of head: AnswerHead
  ) {
    request.handle.answer(head, beginning, missing: missing, thenReset: ending == .reset)
  }

  /// Waits until a request is over or its client has gone away, or the task is cancelled.
  func untilLeft(_ number: UInt64) async { await desk.untilLeft(number) }

  /// Returns the result of some work, which is cancelled when the program gives up a request.
  ///
  /// - Throws: The error of the work, which is a `CancellationError` then.
  func whileHere<Result: Sendable>(
    _ request: IncomingRequest, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
      // A separate task for each, so that it does not matter which of several comes first.
      group.addTask { try await work() }
      group.addTask { [self] in
        await untilLeft(request.number)
        return nil
      }
      defer { group.cancelAll() }
      guard let result = try await group.next() ?? nil else { throw CancellationError() }
      return result
    }
  }

  // MARK: - The port

  /// Closes the port, so that connections are refused.
  ///
  /// Requests that arrived can be answered.
  func refuse() { server.withLock { $0?.closePort() } }

  /// Opens the same port again.
  ///
  /// - Throws: `ListenerError` if something else has the port.
  func accept() throws(ListenerError) {
    let failure = server.withLock { $0?.openPort() ?? 0 }
    if failure != 0 { throw .port(port, reason: systemText(failure)) }
  }

  /// Resets requests without an answer, sends the other answers, and ends all threads.
  func close() async { stop() }

  private func stop() {
    server.withLock { $0.take() }?.stop()
    desk.close()
  }
}

/// The receivers of what a listener does by itself, on its threads.
struct ListenerNews: Sendable {
  /// Receives what it refuses.
  var refused: @Sendable (Refusal) -> Void = { _ in }
  /// Receives what becomes of a proxy's certificates.
  var shook: @Sendable (Handshake) -> Void = { _ in }
}

/// The end of a connection: a reset (`ECONNRESET`), or a close without the rest of the answer.
enum Ending: Sendable {
  case reset
  case close
}

/// An error for a piece whose client has gone away.
struct ClientGone: Error {}

/// The programs that a listener serves.
///
/// A proxy serves those that have its token, whatever their user.
enum ListenerClients: Sendable, Hashable {
  /// Those of one user, and of root.
  case user(Int64)
  /// Those of all users of the machine.
  case anyone

  /// The programs of the user of this process.
  static var ownUser: ListenerClients { .user(flow_user()) }
}

/// A step of the handshake of an encrypted connection.
struct Handshake: Sendable, Hashable {
  /// The host of the tunnel, as `pay.example:443`.
  let host: String
  /// True if the program has accepted the certificate, false if it is sent to the program.
  let isAccepted: Bool
}

/// The bounds of a listener.
struct ListenerLimits: Sendable {
  /// The open connections.
  ///
  /// Others wait until one ends. One of HTTP/2 has up to 100 requests at once.
  var connections = 1_000
  /// The requests not taken from `requests`.
  ///
  /// Others are answered by 503.
  var waitingRequests = 256
  /// The bytes of a request's head, together with those of its answer's head.
  var headSize = 128 << 10
  /// The bytes of a request's body.
  var bodySize = 64 << 20
  /// The bytes of the bodies of all requests without an answer.
  var allBodiesSize = 256 << 20
  /// The time for the first head of a connection.
  var headTime = Duration.seconds(30)
  /// The time for a body.
  var bodyTime = Duration.seconds(120)
  /// The time for another head, and for a client that takes no bytes of an answer.
  var idleTime = Duration.seconds(300)
}

/// A request or connection refused by the listener itself.
enum Refusal: Sendable, Hashable {
  /// More requests wait than are taken.
  case overload
  /// The body is larger than allowed.
  case bodySize
  /// All bodies together are larger than allowed.
  case allBodiesSize
  /// The head is ambiguous or has no meaning.
  case head
  /// A request to a proxy has no or other credentials.
  case credentials
  /// A request did not arrive in time.
  case time
  /// The client is a program of another user, or left before that was known.
  case stranger
  /// The client speaks HTTP/2, whose library is missing, with the reason.
  case library(String)
}
