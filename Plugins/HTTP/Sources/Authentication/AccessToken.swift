internal import FlowCore

/// A token from a server of tokens (RFC 6749, section 5.1).
struct AccessToken: Sendable, Equatable {
  let text: String
  /// The instant from which the token is not used any more, or nil if the server names none.
  let end: ContinuousClock.Instant?

  /// Reads a response received at an instant.
  ///
  /// - Throws: `TokenError`.
  init(_ reply: TransferReply, at now: ContinuousClock.Instant) throws(TokenError) {
    let value = try? Value(json: reply.body)
    guard reply.status == 200 else { throw .status(reply.status, value?["error"]?.text) }
    guard let text = value?["access_token"]?.text, !text.isEmpty else { throw .missing }
    guard Header.isValue(text) else { throw .malformed }
    self.text = text
    end = value?["expires_in"]?.seconds.map { now + Self.use(within: $0) }
  }

  /// True if a request may still be sent with the token.
  var isCurrent: Bool { end.map { ContinuousClock.now < $0 } ?? true }

  /// The time for which a token is used: without its end, which could come while a request is under way.
  private static func use(within seconds: Int) -> Duration {
    .seconds(seconds - min(10, seconds / 2))
  }
}

extension Value {
  fileprivate subscript(name: String) -> Value? {
    if case .map(let map) = self { map[name] } else { nil }
  }

  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  /// A number of seconds, which some servers write as a string.
  fileprivate var seconds: Int? {
    let seconds = Int(interpolated)
    return seconds.map { max(0, min($0, 31_536_000)) }
  }
}

/// A response of a server of tokens without a token.
enum TokenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The status, and the code of the error in the body.
  case status(Int, String?)
  case missing
  case malformed
  case hidden(SecretError)

  var description: String {
    switch self {
    case .status(let status, let code):
      "the server of tokens returned \(status)" + (code.map { ": \($0.excerpt)" } ?? "")
    case .missing: "the server of tokens returned no 'access_token'"
    case .malformed: "the 'access_token' has a line break or a control character"
    case .hidden(let error): "\(error)"
    }
  }
}
