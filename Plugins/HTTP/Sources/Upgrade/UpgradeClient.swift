public import FlowCore
private import Synchronization

/// A client of one web server, for protocols that begin as HTTP/1.1 and take over its connection
/// (RFC 9110, section 7.8).
///
/// It has the rules of the plugin `http` for addresses, headers, allowed hosts, TLS and proxies.
/// Redirects are not followed, and cookies neither kept nor sent.
public final class UpgradeClient: Sendable {
  private let client: HTTPClient
  private let library: CurlLibrary
  private let connections = Mutex<[ObjectIdentifier: ConnectionThread]>([:])

  /// Checks the settings and loads libcurl.
  ///
  /// - Throws: `ComponentError` for a setting without a meaning, or `LibraryError`.
  public init(_ settings: UpgradeSettings, in context: Context) throws {
    try settings.check()
    client = try HTTPClient(settings.http, in: context)
    library = try CurlLibrary.system()
  }

  /// Connects to the server, sends a request, and waits for the head of its response.
  ///
  /// - Throws: A `CodedError` with a code of the plugin `http`, or `CancellationError`.
  public func open(_ request: UpgradeRequest, in context: Context) async throws -> UpgradeReply {
    let sent = try client.request(upgrading: request, in: context)
    guard sent.address.isAllowed(by: client.network) else {
      let url = UpgradedConnection.url(of: sent.address)
      throw HTTPError.forbidden(sent.address.hostAndPort(), url, isRedirect: false)
    }
    let thread: ConnectionThread
    do throws(TransferThreadError) { thread = try ConnectionThread(library, client.options) } catch
    {
      throw HTTPError.notBegun(error)
    }
    let connection = UpgradedConnection(thread, sent.address, client) { [self] in forget(thread) }
    connections.withLock { $0[ObjectIdentifier(thread)] = thread }
    do {
      let limit = client.settings.timeout
      let reply = try await HTTPClient.within(limit) { try await connection.begin(sent) }
      guard let reply else { throw HTTPError.timeout(connection.url, .answering(limit)) }
      if reply.connection == nil { await connection.close() }
      return reply
    } catch {
      await connection.close()
      throw error
    }
  }

  /// Ends all connections.
  ///
  /// Called once. Nothing is opened afterwards.
  public func close() async {
    for thread in connections.withLock({ Array($0.values) }) { await thread.close() }
    await client.close()
  }

  private func forget(_ thread: ConnectionThread) {
    connections.withLock { $0[ObjectIdentifier(thread)] = nil }
  }
}

/// A request that asks for another protocol.
public struct UpgradeRequest: Sendable {
  /// The path below `base`, which may have a query.
  public var path: String?
  /// The parameters of the query.
  public var query = NamedValues()
  /// The headers, which replace those of the settings.
  public var headers = NamedValues()
  /// The headers of the other protocol, which replace all others of their names.
  public var own: [(name: String, value: String)] = []
  /// The server that another program named, whose request is passed on, or nil for an own request.
  public var passed: Passed?

  /// The parts of another program's request.
  public struct Passed: Sendable {
    /// The server, which is asked without `base`.
    public var origin: String?
    /// The program's name for itself.
    public var agent: String?
    /// Further headers.
    public var aside: NamedValues?

    /// Creates the parts.
    public init(origin: String? = nil, agent: String? = nil, aside: NamedValues? = nil) {
      (self.origin, self.agent, self.aside) = (origin, agent, aside)
    }
  }

  /// Creates a request for `base` itself.
  public init() {}
}

/// The response to a request for another protocol.
public struct UpgradeReply: Sendable {
  /// The status code, 101 for a connection.
  public let status: Int
  /// The headers by lower-case name.
  public let headers: HeaderFields
  /// The body of a response without a connection.
  public let body: [UInt8]
  /// The connection after 101, or nil.
  public let connection: UpgradedConnection?
  /// The bytes that have arrived behind the head of such a response.
  public let start: [UInt8]
  /// The URL of the request.
  public let url: String
}

extension HTTPClient {
  /// Creates the request for another protocol.
  ///
  /// - Throws: `HTTPError`.
  fileprivate func request(
    upgrading input: UpgradeRequest, in context: Context
  ) throws(HTTPError) -> HTTPRequest {
    var request: HTTPRequest
    if let passed = input.passed {
      let exchange = ExchangeInput(
        method: "GET", path: input.path ?? "", query: input.query, headers: input.headers,
        origin: passed.origin.map(WebAddress.ofWeb), agent: passed.agent, aside: passed.aside)
      request = try self.request(passing: exchange, context)
    } else {
      let isWhole = input.path.map { URIReference($0).authority != nil } ?? false
      request = try self.request(
        RequestInput(
          path: isWhole ? nil : input.path,
          url: isWhole ? input.path.map(WebAddress.ofWeb) : nil,
          query: input.query, headers: input.headers), context)
    }
    for (name, value) in input.own { request.set(name, value) }
    return request
  }
}
