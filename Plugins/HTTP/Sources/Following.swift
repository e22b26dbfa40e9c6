internal import FlowCore

/// The response to a request, after redirects.
struct Response: Sendable {
  var reply: TransferReply
  /// The URL of the response.
  var address: WebAddress
  var elapsed: Duration
  /// The responses that led to this one.
  var hops: [Hop] = []
}

/// A response that redirected a request.
struct Hop: RecordRepresentable {
  var status: Int
  var url: String
  var headers: HeaderFields

  static let record = Record(
    Hop.init(status:url:headers:),
    Field("status", \.status, "The status code, such as 302."),
    Field("url", \.url, "The URL of this response."),
    Field("headers", \.headers, "The headers, in the form of those of the answer."))
}

extension Hop {
  fileprivate init(_ reply: TransferReply, from address: WebAddress) {
    var headers = HeaderFields(head: reply.head)
    _ = headers.remove("date")
    self.init(status: reply.status, url: "\(address)", headers: headers)
  }
}

extension HTTPClient {
  static let greatestRedirectCount = 10

  /// Sends a request with a token if it needs one, and follows redirects.
  func send(_ request: HTTPRequest, hiding secrets: Secrets) async throws -> Response {
    try await authorized(request, hiding: secrets) { try await follow($0, hiding: secrets) }
  }

  private func follow(_ first: HTTPRequest, hiding secrets: Secrets) async throws -> Response {
    var request = first
    var source: String?
    var elapsed = Duration.zero
    var hops: [Hop] = []
    let limit = settings.redirectLimit ?? Self.greatestRedirectCount
    for _ in 0...limit {
      let reply = try await exchange(request, elapsed, from: source)
      elapsed += reply.elapsed
      guard request.follows, HTTPRequest.isRedirect(reply.status),
        let location = reply.location(of: request)
      else {
        return Response(reply: reply, address: request.address, elapsed: elapsed, hops: hops)
      }
      hops.append(Hop(reply, from: request.address))
      source = "\(request.address)"
      request = try Self.request(request, after: reply.status, to: location, hiding: secrets)
    }
    throw HTTPError.tooManyRedirects("\(first.address)", limit: limit)
  }

  private static func request(
    _ request: HTTPRequest, after status: Int, to location: String, hiding secrets: Secrets
  ) throws(HTTPError) -> HTTPRequest {
    let target: WebAddress
    do { target = try WebAddress(location) } catch {
      throw .redirect("\(request.address)", error)
    }
    do { return try request.redirected(by: status, to: target, hiding: secrets) } catch {
      throw .refusedRedirect("\(request.address)", error)
    }
  }
}

extension TransferReply {
  /// Returns the target of a redirect.
  ///
  /// libcurl adds its login to the target of a relative one.
  fileprivate func location(of request: HTTPRequest) -> String? {
    guard let location, request.login != nil, let start = location.firstRange(of: "://"),
      HeaderFields(head: head)["location"]?.contains("@") != true
    else { return location }
    let authority = location[start.upperBound...].prefix { !"/?#".contains($0) }
    guard let end = authority.lastIndex(of: "@") else { return location }
    return String(location[..<start.upperBound]) + String(location[end...].dropFirst())
  }
}
