internal import FlowCore
internal import FlowSystem

/// `jwt.decode(token)`: the content of a JSON Web Token (RFC 7519), whose signature is not checked.
enum TokenFunction {
  static let all = Function.typed("jwt.decode", isMember: false, decode)

  /// The header and the claims.
  ///
  /// A token has three parts (RFC 7515, section 7.1), of which the last is empty without a
  /// signature.
  private static func decode(
    _ frame: inout Frame, _ token: String
  ) throws(EvaluationError) -> [String: Value] {
    try frame.charge(1 + token.utf8.count / 8)
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .notAToken }
    return [
      "header": try object(parts[0], "header"), "payload": try object(parts[1], "payload"),
    ]
  }

  private static func object(
    _ part: Substring, _ name: String
  ) throws(EvaluationError) -> Value {
    guard let bytes = Base64.decodeForURL(String(part)) else { throw .notAToken }
    let value: Value
    do throws(JSONError) { value = try Value(json: bytes) } catch { throw .tokenPart(name) }
    guard case .map = value else { throw .tokenPart(name) }
    if let excess = value.excess() { throw .excess(excess) }
    return value
  }
}
