public import FlowCore
internal import HTTPCoding

/// A client of one web server, for plugins with protocols on top of HTTP.
///
/// It has the rules of the plugin `http` for allowed hosts, redirects, credentials and sizes.
public struct WebClient: Sendable {
  private let client: HTTPClient
  private let address: WebAddress
  private let secrets: Secrets

  // Callers have limits of their own.
  private static let longest = Duration.seconds(86_400)

  /// Checks the settings and starts the client's thread, which runs until `close`.
  ///
  /// `headers` and `bearer` are sent with every request, and not to another server. A response has
  /// at most `limit` bytes.
  ///
  /// - Throws: `WebError`, or `ComponentError` for a setting without a meaning.
  public init(
    _ url: String, headers: [String: String], bearer: String?, limit: Int, in context: Context
  ) throws {
    address = try Self.address(url, headers)
    secrets = context.secrets
    let settings = HTTPSettings(
      headers: Self.values(headers), bearer: bearer, timeout: Self.longest, follows: true,
      limit: limit, connectTimeout: .seconds(10), isInsecure: false)
    try settings.check()
    client = try HTTPClient(settings, in: context)
  }

  /// Checks a URL and headers.
  ///
  /// - Throws: `WebError`.
  public static func check(_ url: String, headers: [String: String]) throws(WebError) {
    _ = try address(url, headers)
  }

  private static func address(
    _ url: String, _ headers: [String: String]
  ) throws(WebError) -> WebAddress {
    do throws(RequestError) { _ = try values(headers).headers } catch { throw WebError("\(error)") }
    do throws(WebAddressError) { return try WebAddress(url) } catch .login {
      throw WebError("a URL with a user or a password is not accepted")
    } catch {
      throw WebError("\(error)")
    }
  }

  private static func values(_ headers: [String: String]) -> NamedValues {
    NamedValues(headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
  }

  /// Sends a request, with a body of JSON or without one, and waits for the head of its response.
  ///
  /// The headers replace those of the client.
  ///
  /// - Throws: `WebError` or `CancellationError`.
  public func send(
    _ method: String, headers: [(name: String, value: String)], json body: [UInt8]? = nil
  ) async throws -> WebResponse {
    do {
      let request = try request(method, headers, body)
      let response = try await client.send(request, hiding: secrets)
      return try WebResponse(response.reply, from: response.address, with: client)
    } catch let error as HTTPError {
      throw WebError("\(error)")
    } catch let error as RequestError {
      throw WebError("\(error)")
    }
  }

  private func request(
    _ method: String, _ headers: [(name: String, value: String)], _ body: [UInt8]?
  ) throws(RequestError) -> HTTPRequest {
    let kind = EncodedBody.Kind.json
    var request = try HTTPRequest(
      method: method, address: address,
      body: body.map { EncodedBody(kind: kind, type: kind.type, bytes: $0) })
    if let authentication = client.settings.authentication {
      request.authenticate(authentication)
    }
    try request.add(client.settings.headers)
    for (name, value) in headers {
      try HTTPRequest.check(name, value)
      request.set(name, value)
    }
    request.acceptCodings()
    return request.streaming
  }

  /// Ends all requests and the thread.
  ///
  /// Called once.
  public func close() async { await client.close() }

  /// Returns the result of some work, or cancels it and returns nil after a real span of time.
  public static func within<Success: Sendable>(
    _ span: Duration, _ work: @escaping @Sendable () async throws -> Success
  ) async throws -> Success? {
    try await HTTPClient.within(span, work)
  }
}

/// A response whose body is read as it arrives.
public actor WebResponse {
  /// The status code.
  public nonisolated let status: Int
  private nonisolated let headers: HeaderFields
  private nonisolated let number: UInt64
  private let url: String
  private let client: HTTPClient
  private let decoder: ContentDecoder
  private var hasEnded: Bool

  /// Creates the response of a started exchange.
  ///
  /// - Throws: `WebError` for an unknown coding. The exchange has then ended.
  init(
    _ reply: TransferReply, from address: WebAddress, with client: HTTPClient
  ) throws(WebError) {
    (status, number, url, self.client) = (reply.status, reply.number, "\(address)", client)
    headers = HeaderFields(head: reply.head)
    // After 101 another protocol follows, which is not read.
    hasEnded = reply.status == 101
    do throws(ContentCodingError) { decoder = try client.decoder(of: headers) } catch {
      client.end(reply.number)
      throw WebError("\(HTTPError.undecoded("\(address)", error))")
    }
  }

  /// Returns the value of a header by its lower-case name.
  public nonisolated func header(_ name: String) -> String? { headers[name] }

  /// The media type in lower case, without parameters, or an empty string.
  public nonisolated var mediaType: String { MediaType(headers["content-type"] ?? "").essence }

  /// Waits for the next bytes of the body, nil at its end.
  ///
  /// - Throws: `WebError` or `CancellationError`.
  public func next() async throws -> [UInt8]? {
    do {
      while !hasEnded {
        let bytes = try await client.read(number)
        hasEnded = bytes.isEmpty
        if hasEnded { try decoder.finish() }
        let decoded = try decode(bytes)
        if !decoded.isEmpty { return decoded }
      }
      return nil
    } catch let failure as TransferFailure {
      throw WebError("\(client.error(of: failure, url, within: client.settings.timeout))")
    } catch let error as ContentCodingError {
      throw WebError("\(HTTPError.undecoded(url, error))")
    }
  }

  private func decode(_ bytes: [UInt8]) throws -> [UInt8] {
    var decoded: [UInt8] = []
    try decoder.decode(bytes) { piece in
      guard piece.count <= client.settings.limit - decoded.count else {
        throw WebError("\(HTTPError.tooLarge(url, limit: client.settings.limit))")
      }
      decoded += piece
    }
    return decoded
  }

  /// Waits for the whole body.
  ///
  /// - Throws: As `next`, and `WebError` for a body above the limit of the client.
  public func body() async throws -> [UInt8] {
    var body: [UInt8] = []
    while let bytes = try await next() {
      guard bytes.count <= client.settings.limit - body.count else {
        throw WebError("\(HTTPError.tooLarge(url, limit: client.settings.limit))")
      }
      body += bytes
    }
    return body
  }

  /// Ends the exchange.
  public nonisolated func end() { client.end(number) }
}

/// A failed request, in the words of the plugin `http`.
public struct WebError: Error, CustomStringConvertible {
  /// The reason, with the URL.
  public let description: String

  init(_ description: String) { self.description = description }
}
