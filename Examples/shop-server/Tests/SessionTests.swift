import Testing

/// The login: a token that expires and is renewed once.
@Suite struct SessionTests {
  private static func refusal(_ message: String) -> String {
    #"401 Content-Type: application/json {"error":"unauthorized","message":"\#(message)"}"#
  }

  private let server: RunningServer

  init() throws {
    server = try RunningServer(["--token-requests", "2"], password: "open sesame")
  }

  private func ask(_ request: String, token: String = "", _ body: String = "") throws -> String {
    try server.ask(request, token.isEmpty ? [] : ["Authorization: Bearer \(token)"], body)
      .replacing("\n", with: " ")
  }

  /// The two tokens of an answer.
  private func tokens(_ answer: String) throws -> (access: String, refresh: String) {
    let match = try #require(
      answer.wholeMatch(
        of:
          /200 Content-Type: application\/json {"token":"(shop_[0-9a-f]{32})","refresh":"(shop_[0-9a-f]{32})"}/
      ), "\(answer)")
    return (String(match.1), String(match.2))
  }

  private func logIn() throws -> (access: String, refresh: String) {
    try tokens(ask("POST /login", #"{"password":"open sesame"}"#))
  }

  @Test func `a token is good for some requests, and is renewed once`() throws {
    let first = try logIn()
    for _ in 1...2 { #expect(try ask("GET /rows", token: first.access).hasPrefix("200 ")) }
    #expect(
      try ask("GET /rows", token: first.access) == Self.refusal("the token has expired"))

    let refresh = #"{"refresh":"\#(first.refresh)"}"#
    let second = try tokens(ask("POST /refresh", refresh))

    #expect(try ask("GET /rows", token: second.access).hasPrefix("200 "))
    #expect(try ask("POST /refresh", refresh) == Self.refusal("the refresh token is unknown"))
  }

  @Test func `nobody asks without a token`() throws {
    let session = try logIn()
    let unknown = Self.refusal("the token is missing or unknown")

    for token in ["", session.refresh, "shop_"] {
      for request in ["GET /balance", "POST /balance/add", "GET /nothing"] {
        #expect(try ask(request, token: token) == unknown)
      }
    }
    #expect(
      try ask("POST /login", #"{"password":"open"}"#) == Self.refusal("the password is wrong"))
    #expect(try ask("DELETE /faults").hasPrefix("200 "))
  }

  @Test func `without a password there is no login`() throws {
    let server = try RunningServer()

    #expect(
      try server.ask("POST /login", [], #"{"password":"x"}"#).hasPrefix("409 "))
  }
}
