internal import FlowCore
private import Synchronization

/// The login: a password buys a token, which is good for some requests and is then renewed.
///
/// There is one session: each login and each renewal ends the one before.
final class Session: Sendable {
  private let password: String
  private let requests: Int
  private let tokens = Mutex<Tokens?>(nil)

  private struct Tokens {
    let access = Session.newToken()
    let refresh = Session.newToken()
    var left: Int
  }

  init(password: String, requests: Int) {
    self.password = password
    self.requests = requests
  }

  private static let password = Record<String>("password", "The shop's password.")
  private static let refresh = Record<String>("refresh", "The token that renews the other one.")

  /// Answers the tokens of a new session.
  func logIn(_ request: Request) throws -> Reply {
    guard try request.decode(Self.password) == password else {
      throw Refusal.unauthorized("the password is wrong")
    }
    return tokens.withLock { begin(&$0) }
  }

  /// Returns new tokens for the refresh token, which is good for this alone, once.
  func renew(_ request: Request) throws -> Reply {
    let refresh = try request.decode(Self.refresh)
    return try tokens.withLock { tokens throws(Refusal) in
      guard tokens?.refresh == refresh else { throw .unauthorized("the refresh token is unknown") }
      return begin(&tokens)
    }
  }

  /// Counts a request with the session's token, and refuses every other one.
  func admit(_ request: Request) throws(Refusal) {
    try tokens.withLock { tokens throws(Refusal) in
      guard let now = tokens, request.fields[.authorization] == "Bearer \(now.access)" else {
        throw .unauthorized("the token is missing or unknown")
      }
      guard now.left > 0 else { throw .unauthorized("the token has expired") }
      tokens?.left -= 1
    }
  }

  private func begin(_ tokens: inout Tokens?) -> Reply {
    let new = Tokens(left: requests)
    tokens = new
    return .answer(
      Answer([("token", .string(new.access)), ("refresh", .string(new.refresh))]))
  }

  private static func newToken() -> String {
    let digits = Array("0123456789abcdef")
    return "shop_" + String((0..<32).map { _ in digits[Int.random(in: 0..<16)] })
  }
}
