internal import FlowCore

/// A status of gRPC, by its number (https://grpc.io/docs/guides/status-codes/).
public enum GRPCStatus: Int, Sendable, CaseIterable {
  /// The call has an answer.
  case ok = 0
  /// The client has ended the call.
  case cancelled = 1
  /// Another failure.
  case unknown = 2
  /// The message has no meaning to the server.
  case invalidArgument = 3
  /// The time for the call is over.
  case deadlineExceeded = 4
  /// Something that was asked for does not exist.
  case notFound = 5
  /// Something that was to be made exists.
  case alreadyExists = 6
  /// The caller may not do it.
  case permissionDenied = 7
  /// A quota, or the space of the server, is used up.
  case resourceExhausted = 8
  /// The state of the server does not allow it.
  case failedPrecondition = 9
  /// A conflict with other calls ended it.
  case aborted = 10
  /// A position is behind an end.
  case outOfRange = 11
  /// The server does not have the method.
  case unimplemented = 12
  /// A defect of the server, or an answer that contradicts the protocol.
  case `internal` = 13
  /// The server cannot be reached, or is not ready.
  case unavailable = 14
  /// Data is lost.
  case dataLoss = 15
  /// The caller is not known.
  case unauthenticated = 16

  /// The name in scenarios: `not_found`.
  public var name: String {
    switch self {
    case .ok: "ok"
    case .cancelled: "cancelled"
    case .unknown: "unknown"
    case .invalidArgument: "invalid_argument"
    case .deadlineExceeded: "deadline_exceeded"
    case .notFound: "not_found"
    case .alreadyExists: "already_exists"
    case .permissionDenied: "permission_denied"
    case .resourceExhausted: "resource_exhausted"
    case .failedPrecondition: "failed_precondition"
    case .aborted: "aborted"
    case .outOfRange: "out_of_range"
    case .unimplemented: "unimplemented"
    case .internal: "internal"
    case .unavailable: "unavailable"
    case .dataLoss: "data_loss"
    case .unauthenticated: "unauthenticated"
    }
  }

  /// The status with a name in scenarios, or nil.
  public init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }

  /// The status of a number, `unknown` for one that the protocol does not have.
  public init(number: Int) { self = GRPCStatus(rawValue: number) ?? .unknown }

  /// The status of a response of HTTP without one of its own
  /// (https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md).
  public init(httpStatus: Int) {
    switch httpStatus {
    case 400: self = .internal
    case 401: self = .unauthenticated
    case 403: self = .permissionDenied
    case 404: self = .unimplemented
    case 429, 502, 503, 504: self = .unavailable
    default: self = .unknown
    }
  }
}

/// The text of a status in the header `grpc-message`.
public enum GRPCMessage {
  private static let printable = PercentEncoding(keeping: " !\"#$&'()*+,/:;<=>?@[\\]^`{|}")

  /// Encodes a text: all but printable ASCII, and `%`, as `%` with two digits.
  public static func encoded(_ text: String) -> String { printable.encode(text.utf8) }

  /// Decodes a text.
  ///
  /// Text that is not encoded correctly stays as it is.
  public static func decoded(_ text: String) -> String {
    let bytes = PercentEncoding.bytes(decoding: text.utf8, isLenient: true) ?? Array(text.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The text of a span in the header `grpc-timeout`: at most eight digits and a unit.
public enum GRPCTimeout {
  private static let units: [(name: Character, nanoseconds: Int)] = [
    ("n", 1), ("u", 1_000), ("m", 1_000_000), ("S", 1_000_000_000), ("M", 60_000_000_000),
    ("H", 3_600_000_000_000),
  ]

  /// Encodes a span, rounded up to the finest unit in which it has eight digits.
  public static func encoded(_ span: Duration) -> String {
    let (seconds, attoseconds) = span.components
    if seconds < 0 { return "0n" }
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    for (name, size) in units {
      let count = (nanoseconds + Int128(size) - 1) / Int128(size)
      if count <= 99_999_999 { return "\(count)\(name)" }
    }
    return "99999999H"
  }

  /// Decodes a span, or returns nil for another text.
  public static func decoded(_ text: String) -> Duration? {
    guard let unit = units.first(where: { $0.name == text.last }), 2...9 ~= text.utf8.count,
      let count = Int(text.dropLast()), count >= 0
    else { return nil }
    let nanoseconds = Int128(count) * Int128(unit.nanoseconds)
    return .seconds(Int64(nanoseconds / 1_000_000_000))
      + .nanoseconds(Int64(nanoseconds % 1_000_000_000))
  }
}
