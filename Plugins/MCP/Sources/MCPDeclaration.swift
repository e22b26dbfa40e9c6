import FlowCore

/// A plugin in flow.yaml, of a program or of a server behind HTTP.
public struct MCPDeclaration: Sendable {
  let mcp: Value
  let state: String
  let env: [String: String?]
  let secrets: [String: String]
  let headers: [String: String]
  let bearer: String?

  static let record = Record(
    MCPDeclaration.init(mcp:state:env:secrets:headers:bearer:),
    Field("mcp", \.mcp, "The program and its arguments, or the URL of a server."),
    Field(
      "state", \.state, "The place of the server's state: none, memory or external.",
      default: ComponentState.external.rawValue),
    Field("env", \.env, "Environment variables to set. Null removes a variable.", default: [:]),
    Field(
      "secrets", \.secrets,
      "Environment variables, or headers for a URL, to set to secrets, by the names of these.",
      default: [:]),
    Field("headers", \.headers, "Headers of all requests to a URL.", default: [:]),
    Field("bearer", \.bearer, "The name of a secret, the token for a URL."))

  private init(
    mcp: Value, state: String, env: [String: String?], secrets: [String: String],
    headers: [String: String], bearer: String?
  ) {
    self.headers = headers
    self.bearer = bearer
    self.mcp = mcp
    self.state = state
    self.env = env
    self.secrets = secrets
  }

  /// The place of a server.
  enum Place: Sendable, Hashable {
    /// A program and its arguments, never empty.
    case program([String])
    case url(String)
  }

  /// The place of the server.
  func place() throws(MCPError) -> Place {
    switch mcp {
    case .string(let url) where url.hasPrefix("https://") || url.hasPrefix("http://"):
      return .url(url)
    case .string(let text):
      throw .invalid(
        "'\(ServerText.line(text))' is not a URL; write a program as a list, such as "
          + "[\(text.split(separator: " ").joined(separator: ", "))]")
    case .list(let parts):
      let words = parts.compactMap(\.string)
      guard words.count == parts.count, let program = words.first, !program.isEmpty else {
        throw .invalid("'mcp' needs a program and its arguments, each a string")
      }
      guard !words.contains(where: { $0.utf8.contains(0) }) else {
        throw .invalid("an argument of 'mcp' contains a zero byte")
      }
      return .program(words)
    default: throw .invalid("'mcp' is a list of a program and its arguments, or a URL")
    }
  }

  /// The place of the server's state.
  func componentState() throws(MCPError) -> ComponentState {
    guard let state = ComponentState(rawValue: state) else {
      throw .invalid("'state' is none, memory or external, not '\(ServerText.line(self.state))'")
    }
    return state
  }

  /// Checks everything that needs no server.
  func check() throws(MCPError) {
    _ = try componentState()
    switch try place() {
    case .program:
      guard headers.isEmpty, bearer == nil else {
        throw .invalid("'headers' and 'bearer' are for a URL, and 'mcp' is a program")
      }
    case .url(let url):
      guard env.isEmpty else {
        throw .invalid("'env' is for a program, and 'mcp' is a URL, which can have 'headers'")
      }
      try WebPlace.check(url, headers)
    }
  }
}

/// The settings of a component in a scenario.
struct MCPSettings: Sendable {
  var timeout: Duration
  var startTimeout: Duration
  var env: [String: String?] = [:]
  var subscribe: [String]
  /// The names of abilities.
  var offers: [String]?
  var headers: [String: String] = [:]
  var bearer: String?

  /// The settings for a program.
  static let ofProgram = Record(
    { timeout, start, env, subscribe, offers in
      MCPSettings(
        timeout: timeout, startTimeout: start, env: env, subscribe: subscribe, offers: offers)
    }, .timeout, .startTimeout,
    Field(
      "env", \.env, "Environment variables to set for the program. Null removes a variable.",
      default: [:]), .subscribe, .offers)

  /// The settings for a URL.
  static let ofURL = Record(
    { timeout, start, subscribe, offers, headers, bearer in
      MCPSettings(
        timeout: timeout, startTimeout: start, subscribe: subscribe, offers: offers,
        headers: headers, bearer: bearer)
    }, .timeout, .startTimeout, .subscribe, .offers,
    Field(
      "headers", \.headers, "Headers of all requests, beside those of the declaration.",
      default: [:]),
    Field("bearer", \.bearer, "A token, sent as 'Authorization: Bearer …'.", secret: true))

  static let standard = MCPSettings(
    timeout: .seconds(60), startTimeout: .seconds(30), subscribe: [])
}

extension Field where Model == MCPSettings, Content == Duration {
  fileprivate static var timeout: Field {
    Field("timeout", \.timeout, "The longest time for an answer.", default: .seconds(60))
  }
  fileprivate static var startTimeout: Field {
    Field(
      "start_timeout", \.startTimeout, "The longest time for the start of the server.",
      default: .seconds(30))
  }
}

extension Field where Model == MCPSettings, Content == [String] {
  fileprivate static var subscribe: Field {
    Field("subscribe", \.subscribe, "The URIs of resources whose changes are events.", default: [])
  }
}

extension Field where Model == MCPSettings, Content == [String]? {
  fileprivate static var offers: Field {
    Field(
      "offers", \.offers,
      "What the server may ask the agent behind a 'stand-in' for: sampling, roots, elicitation.")
  }
}
