internal import FlowCore

/// The words of this module.
enum Messages {
  // MARK: - Settings

  static func noHost(_ name: String) -> String {
    "'\(name)' in 'hosts' is not a host, such as pay.example or pay.example:8443"
  }

  static func noRole(_ role: String, of host: String) -> String {
    "'\(host)' has the role '\(role)' in 'hosts'; a name is a letter, followed by letters, digits, "
      + "'_' and '-'"
  }

  static let noProxy = "there is no proxy; name the hosts in the setting 'hosts'"

  // MARK: - Refusals

  static func refused(_ refusal: Refusal) -> String {
    switch refusal {
    case .overload: "refused a request: too many others wait"
    case .bodySize: "refused a request: its body is too large"
    case .allBodiesSize: "refused a request: the bodies of all requests are too large"
    case .head: "refused a request: its head is ambiguous or has no meaning"
    case .credentials: "refused a request to the proxy: it does not have the token"
    case .time: "refused a request: it did not arrive in time"
    case .library(let reason): "refused a connection: \(reason)"
    case .stranger:
      "refused a connection: its program belongs to another user, or left at once; "
        + "'anyone: true' accepts the programs of all users"
    }
  }

  // MARK: - Tests

  static let noNews = "this is no news of a test: POST /begin or /end with {\"test\": NAME}\n"

  static let tooManyTests = "too many tests have begun\n"

  static func notBegun(_ test: String) -> String { "'\(test)' has not begun\n" }

  // MARK: - Callbacks

  static func noCallbacks(_ role: String) -> String {
    "the role '\(role)' is not filled; write 'using: {callbacks: …, program: …}' with a component "
      + "'callbacks' and an 'http' component"
  }

  static func noAddress(_ text: String) -> String {
    "'\(text)' is not the address of a program, such as http://127.0.0.1:8080"
  }

  static func noTarget(_ request: PassedRequest) -> String {
    "the server called the program (\(request.method) \(request.path)), and no step 'callbacks' has "
      + "given the program's address in 'to'"
  }

  static func notTaken(
    _ request: PassedRequest, _ program: String, _ reason: String
  ) -> String {
    "the call of the server (\(request.method) \(request.path)) did not reach the program at "
      + "\(program): \(reason)"
  }

  // MARK: - Stubs

  static func noPath(_ path: String) -> String { "the path '\(path)' does not start with '/'" }
  static func noTimes(_ times: Int) -> String { "'times' is \(times), and the least is 1" }
  static func noStatus(_ status: Int) -> String {
    "the status \(status) is not between 200 and 599"
  }
  static func bodies(_ names: [String]) -> String {
    "an answer has one body, and \(names.map { "'\($0)'" }.joined(separator: " and ")) are given"
  }
  static func noHeader(_ name: String) -> String {
    "the header '\(name)' has a carriage return or a control character"
  }
  static let noDelay = "the delay is negative"

  static let overfull =
    "more than \(StubDesk.mostRequests) requests came, or more than \(StubDesk.mostBytes >> 20) MiB "
    + "of bodies; use 'reset' between them"

  // MARK: - Requests without an answer

  static func difference(_ difference: RequestPattern.Difference) -> String {
    switch difference {
    case .method: "the method differs"
    case .host: "the host differs"
    case .path: "the path differs"
    case .header(let name): "'headers.\(name)' differs"
    case .value(let place, let value, let expected):
      "'\(place)' is \(value.summary(limit: 60)), not \(expected.summary(limit: 60))"
    }
  }

  static func usedUp(_ count: Int) -> String {
    "it has answered \(count == 1 ? "once" : "\(count) times"), as often as 'times' allows"
  }

  /// The reason for a request without a stub and a role.
  static let noFrame = "the server ended the connection without a close frame"

  static func unknownMethod(_ method: String) -> String {
    "the description of the component in the role 'grpc' has no method '\(shown(method))'; 'flow plugin lock' reads it again"
  }

  static func unanswered(
    _ request: ReceivedRequest, _ role: String, nearest: (line: String, reasons: [String])?
  ) -> String {
    let text =
      "nothing answers '\(shown(request.line))': no stub fits, and the role '\(role)' is not filled"
    guard let nearest else { return text }
    return text + "; the nearest stub is '\(nearest.line)': "
      + nearest.reasons.joined(separator: ", ")
  }

  /// The reason for a request to a host that is not in `hosts`.
  static func refusedHost(_ request: ReceivedRequest, _ hosts: [String]) -> String {
    "the request '\(shown(request.line))' is refused: 'hosts' has only "
      + hosts.prefix(8).joined(separator: ", ") + (hosts.count > 8 ? ", …" : "")
  }

  /// The reason for a run without a request, and the advice.
  static func unasked(_ what: String) -> String {
    "no request came, although this step gave out the \(what)"
  }

  static let unaskedAdvice = [
    "a program that goes to its server past flow is not recorded",
    "if it asks nothing, a step 'received' with 'expect: {count: 0}' says so",
  ]

  // MARK: - Agents

  static let unaskedAdviceOfAgents = [
    "an agent that starts its servers without 'flow stand-in' is not recorded"
  ]

  static let noToken = "refused a request of an agent: it does not have the token"
  static let onlyPost = "this is a port for POST requests of agents"
  static let noMessage = "the body is not a message of JSON-RPC 2.0"

  static func noStandIn(_ name: String) -> String {
    "an agent asked for '\(shown(name))', and no component is in this role; write 'using: "
      + "{NAME: …}' with a component of 'mcp'"
  }

  static func unaskable(_ method: String) -> String {
    "the agent has not said that it can be asked by '\(shown(method))'"
  }

  static func noMethod(_ method: String) -> String {
    "flow passes no '\(shown(method))' on"
  }

  // MARK: - Certificates

  /// The reason for an encrypted connection that a program did not use.
  static func refusedCertificate(of host: String) -> String {
    "a program connected to '\(shown(host))' and refused the certificate, or asked nothing"
  }

  static let trustAdvice = [
    "the certificate is of the run's authority; 'variables' of 'environment', as 'env' of the program, "
      + "make curl, OpenSSL, Python, Go and Node trust it",
    "a program with a store of its own, such as Java, needs the file 'certificate' of 'environment' "
      + "there",
    "if it is to refuse, a step 'received' with 'expect: {count: 0}' says so",
  ]

  private static func shown(_ line: String) -> String { line.shortened(to: 200) }
}
