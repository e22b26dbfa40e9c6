internal import FlowCore
internal import GRPCCoding
internal import ProtobufCoding

/// A failed call, or a declaration without a meaning.
enum GRPCError: CodedError, CustomStringConvertible {
  /// A status other than `ok`, with the server's message and the details.
  case status(GRPCStatus, String, [Value])
  /// A message that contradicts flow.lock.
  case malformed(String)
  /// A host that the run does not allow.
  case forbidden(String)
  /// A declaration, a setting or an entry of flow.lock without a meaning.
  case invalid(String)
  /// A server that differs from flow.lock.
  case noStream(String)

  private static let longestDetails = 1_000

  var code: ErrorCode {
    switch self {
    case .status(let status, _, _): .of(status)
    case .malformed: .malformed
    case .forbidden: .forbidden
    case .invalid: .settings
    case .noStream: .of(.failedPrecondition)
    }
  }

  /// The message of the server, with the details behind it.
  var description: String {
    switch self {
    case .status(let status, let message, let details):
      let text = GRPCText.line(message, limit: 2_000)
      let shown = text.isEmpty ? "the server returned the status \(status.name)" : text
      if details.isEmpty { return shown }
      return shown + "; details: " + Value.list(details).summary(limit: Self.longestDetails)
    case .malformed(let text), .invalid(let text): return text
    case .forbidden(let host): return "'\(host)' is not among the allowed hosts"
    case .noStream(let name): return "there is no open stream '\(GRPCText.line(name, limit: 100))'"
    }
  }
}

extension ErrorCode {
  static let malformed = ErrorCode(
    "malformed", "A message contradicts the description in flow.lock, or the protocol.")
  static let forbidden = ErrorCode("forbidden", "The run does not allow to connect to the host.")

  /// The errors of every call.
  static let ofCalls: [ErrorCode] =
    GRPCStatus.allCases.filter { $0 != .ok }.map(of) + [.malformed, .forbidden]

  /// The code of a status.
  static func of(_ status: GRPCStatus) -> ErrorCode { ErrorCode(status.name, summary(status)) }

  private static func summary(_ status: GRPCStatus) -> String {
    switch status {
    case .ok: "The call has an answer."
    case .cancelled: "The call was cancelled."
    case .unknown: "The server failed in another way."
    case .invalidArgument: "The message has no meaning to the server."
    case .deadlineExceeded: "There is no answer in time."
    case .notFound: "Something that was asked for does not exist."
    case .alreadyExists: "Something that was to be made exists already."
    case .permissionDenied: "The caller may not do it."
    case .resourceExhausted: "A quota is used up, or a message is too large."
    case .failedPrecondition: "The state of the server, or of the stream, does not allow it."
    case .aborted: "A conflict with other calls ended it."
    case .outOfRange: "A position is behind an end."
    case .unimplemented: "The server does not have the method."
    case .internal: "A defect of the server, or an answer that contradicts the protocol."
    case .unavailable: "The server cannot be reached, or is not ready."
    case .dataLoss: "Data is lost."
    case .unauthenticated: "The caller is not known."
    }
  }
}
