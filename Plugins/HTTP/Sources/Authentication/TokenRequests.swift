internal import FlowCore

extension HTTPClient {
  /// Sends a request with a token if it needs one, and once more with a new one after a 401.
  ///
  /// The server has not carried out a request that it answers by 401.
  func authorized(
    _ request: HTTPRequest, hiding secrets: Secrets,
    _ send: (HTTPRequest) async throws -> Response
  ) async throws -> Response {
    guard let credentials = request.credentials else { return try await send(request) }
    let token = try await token(for: credentials, hiding: secrets)
    let response = try await send(request.with(token: token))
    guard response.reply.status == 401, response.address.isSameServer(as: request.address) else {
      return response
    }
    if request.isStream { end(response.reply.number) }
    tokens.discard(token, for: credentials)
    return try await send(
      request.with(token: try await self.token(for: credentials, hiding: secrets)))
  }

  private func token(
    for credentials: ClientCredentials, hiding secrets: Secrets
  ) async throws -> AccessToken {
    try await tokens.token(for: credentials) {
      let request: HTTPRequest
      do throws(RequestError) { request = try tokenRequest(for: credentials) } catch {
        throw HTTPError.request(error)
      }
      let reply = try await exchange(request)
      do throws(TokenError) {
        let token = try AccessToken(reply, at: .now)
        do throws(SecretError) { try secrets.hide(token.text, as: "access_token") } catch {
          throw .hidden(error)
        }
        return token
      } catch {
        throw HTTPError.noToken("\(request.address)", error)
      }
    }
  }

  private func tokenRequest(
    for credentials: ClientCredentials
  ) throws(RequestError) -> HTTPRequest {
    var request = try credentials.request()
    request.follows = false
    request.usesProxy = settings.usesProxy
    request.unixSocket = unixSocket(for: request.address)
    return request
  }
}
