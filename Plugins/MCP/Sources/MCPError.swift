import FlowCore

/// An error in using a server.
enum MCPError: CodedError, CustomStringConvertible {
  /// A tool that reports a failure, with its text.
  case failed(String)
  /// A failure with a code of the tool's own.
  case declared(ErrorCode, String)
  /// An answer that contradicts the protocol or the tool's schema.
  case malformed(String)
  /// A server that has ended, or cannot be reached.
  case unavailable(String)
  /// A status of HTTP that is a failure, of the answer to a method.
  case status(Int, String)
  /// A request without an answer in time.
  case timeout(String, Duration)
  /// A tool that asks for input that the step does not give.
  case inputRequired(String)
  /// A program that cannot be started.
  case notStarted(String)
  /// A server that differs from flow.lock.
  case changed([LockDifference])
  /// A declaration, a setting or an entry of flow.lock without a meaning.
  case invalid(String)

  private static let mostDifferences = 20

  var code: ErrorCode {
    switch self {
    case .failed: .failed
    case .declared(let code, _): code
    case .malformed: .malformed
    case .unavailable, .notStarted, .status: .unavailable
    case .timeout: .timeout
    case .inputRequired: .inputRequired
    case .changed, .invalid: .settings
    }
  }

  /// The message, such as `no answer to 'tools/call' within 2 s`.
  var description: String {
    switch self {
    case .failed(let text), .declared(_, let text), .malformed(let text), .unavailable(let text),
      .inputRequired(let text), .notStarted(let text), .invalid(let text):
      text
    case .timeout(let what, let limit): "no answer to '\(what)' within \(limit.encoded)"
    case .status(let status, let method):
      "the server answered '\(method)' with the status \(status)"
        + (status == 401 || status == 403 ? "; give it 'bearer' or 'headers'" : "")
    case .changed(let differences): Self.text(of: differences)
    }
  }

  private static func text(of differences: [LockDifference]) -> String {
    let shown = differences.prefix(mostDifferences).map(\.description)
    let rest = differences.count - shown.count
    return "the server differs from flow.lock: " + shown.joined(separator: "; ")
      + (rest > 0 ? "; and \(rest) more" : "")
      + ". Run 'flow plugin lock' and review what changed"
  }
}

extension ErrorCode {
  static let failed = ErrorCode("failed", "The tool reports an error.")
  static let malformed = ErrorCode(
    "malformed", "The answer contradicts the protocol or the schema of the tool.")
  static let unavailable = ErrorCode(
    "unavailable", "The server has ended, or cannot be reached.")
  static let timeout = ErrorCode("timeout", "The server does not answer in time.")
  static let inputRequired = ErrorCode(
    "input_required", "The tool asks for input that 'answers' does not have.")
}
