internal import FlowCore
internal import HTTPCoding
private import Synchronization

/// A part of a streamed body.
struct Piece: Sendable {
  var text: String?
  var bytes: Bytes?
  var end: Bool

  static let record = Record(
    Piece.init(text:bytes:end:),
    Field("text", \.text, "The piece, if it is UTF-8. Otherwise null."),
    Field(
      "bytes", \.bytes, "Another piece. Otherwise null.", mutated: .whenPresent),
    Field("end", \.end, "True at the end of the body, without a piece."))

  private init(text: String?, bytes: Bytes?, end: Bool) {
    (self.text, self.bytes, self.end) = (text, bytes, end)
  }

  /// Creates a piece of some bytes, or the end.
  init(_ content: [UInt8]?) {
    text = content.flatMap { String(validating: $0, as: UTF8.self) }
    bytes = text == nil ? content.map { Bytes($0) } : nil
    end = content == nil
  }
}

/// A kind of body with pieces of its own, which do not depend on the network.
enum PieceKind: Sendable {
  /// Server-sent events, which an empty line ends.
  case events
  /// Lines, such as of JSON.
  case lines

  /// Creates the kind of a media type, or nil if the body is collected.
  init?(_ type: MediaType) {
    switch type.essence {
    case "text/event-stream": self = .events
    case "application/x-ndjson", "application/ndjson", "application/jsonl": self = .lines
    default: return nil
    }
  }

  /// Each of these ends a piece.
  ///
  /// A line of server-sent events ends with CR LF, LF or CR.
  fileprivate var ends: [[UInt8]] {
    switch self {
    case .events: [Array("\n\n".utf8), Array("\n\r\n".utf8), Array("\r\r".utf8)]
    case .lines: [Array("\n".utf8)]
    }
  }
}

/// Splits a body into pieces that make the same body when they are joined.
struct PieceSplitter: Sendable {
  private let ends: [[UInt8]]
  /// The bytes behind the latest piece.
  private(set) var rest: [UInt8] = []

  init(_ kind: PieceKind) { ends = kind.ends }

  /// Returns the pieces completed by some bytes.
  mutating func pieces(in bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    for byte in bytes {
      rest.append(byte)
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r"),
        ends.contains(where: { rest.suffix($0.count) == $0[...] })
      else { continue }
      pieces.append(rest)
      rest = []
    }
    return pieces
  }
}

/// The body of a response that arrives piece by piece, while its head has been answered.
actor BodyStream {
  private let number: UInt64
  private let url: String
  private let client: HTTPClient
  private let decoder: ContentDecoder
  private var splitter: PieceSplitter
  private var ready: ArraySlice<[UInt8]> = []
  private var hasEnded = false

  /// Creates the stream of a started response.
  ///
  /// - Throws: `HTTPError` for an unknown coding. The exchange has then ended.
  init(
    _ reply: TransferReply, _ kind: PieceKind, from address: WebAddress, with client: HTTPClient
  ) throws(HTTPError) {
    (number, url, self.client) = (reply.number, "\(address)", client)
    splitter = PieceSplitter(kind)
    do {
      decoder = try client.decoder(of: HeaderFields(head: reply.head))
    } catch {
      client.end(reply.number)
      throw .undecoded("\(address)", error)
    }
  }

  /// Waits for the next piece, nil at the end.
  ///
  /// - Throws: `HTTPError`, or `CancellationError`.
  func next(in context: Context) async throws -> [UInt8]? {
    do {
      while ready.isEmpty, !hasEnded { try await read(in: context) }
    } catch let failure as TransferFailure {
      throw client.error(of: failure, url, within: client.settings.timeout)
    } catch let error as ContentCodingError {
      throw HTTPError.undecoded(url, error)
    }
    return ready.popFirst()
  }

  /// Ends the exchange.
  nonisolated func end() { client.end(number) }

  private func read(in context: Context) async throws {
    let bytes = try await client.read(
      number, holdingTimeUntil: .now + client.settings.timeout, in: context)
    guard !bytes.isEmpty else {
      try decoder.finish()
      hasEnded = true
      if !splitter.rest.isEmpty { ready = [splitter.rest] }
      return
    }
    var pieces: [[UInt8]] = []
    try decoder.decode(bytes) { part in
      pieces += splitter.pieces(in: part)
      guard splitter.rest.count <= client.settings.limit else {
        throw HTTPError.tooLarge(url, limit: client.settings.limit)
      }
    }
    ready = pieces[...]
  }
}

/// The open streams of a component.
final class BodyStreams: Sendable {
  private struct State {
    var open: [String: BodyStream] = [:]
    var counts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// Adds a stream, and returns its name: `GET /events#1`.
  ///
  /// The name says which request it belongs to, so that it is the same in every run.
  func add(_ stream: BodyStream, of request: HTTPRequest) -> String {
    let path = request.address.rest.prefix { $0 != "?" }
    let name = "\(request.method) \(path)"
    return state.withLock { state in
      state.counts[name, default: 0] += 1
      let unique = "\(name)#\(state.counts[name] ?? 1)"
      state.open[unique] = stream
      return unique
    }
  }

  /// Returns the next piece of a stream, or ends it.
  ///
  /// A failed or cancelled stream has ended.
  ///
  /// - Throws: `HTTPError`, or `CancellationError`.
  func piece(of name: String, stops: Bool, in context: Context) async throws -> Piece {
    // Nothing else reads it meanwhile.
    guard let stream = state.withLock({ $0.open.removeValue(forKey: name) }) else {
      throw HTTPError.request(.noStream(name))
    }
    do {
      if !stops, let content = try await stream.next(in: context) {
        state.withLock { $0.open[name] = stream }
        return Piece(content)
      }
    } catch {
      stream.end()
      throw error
    }
    stream.end()
    return Piece(nil)
  }
}
