/// A problem of bytes, of a value, or of a schema.
public enum ProtobufError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Bytes that end inside of a field.
  case truncated
  /// A number of more than ten bytes, or a length or a tag that cannot be.
  case malformed(String)
  /// Messages inside each other on more levels than this, or more values.
  case tooLarge(String)
  /// A string that is not UTF-8, by its field.
  case invalidText(String)
  /// A required field without a value.
  case missing(String)
  /// A value that a field cannot have, with the place.
  case value(String, at: String)
  /// The name of a type that is not declared.
  case unknownType(String)
  /// Another problem of a schema.
  case schema(String)

  /// The problem in words.
  public var description: String {
    switch self {
    case .truncated: "the message ends too early"
    case .malformed(let what): "the message is not one of protocol buffers: \(what)"
    case .tooLarge(let what): "the message has \(what)"
    case .invalidText(let field): "the string in '\(field)' is not UTF-8"
    case .missing(let field): "the required field '\(field)' is absent"
    case .value(let problem, ""): problem
    case .value(let problem, let place): "\(place): \(problem)"
    case .unknownType(let name): "the type '\(name)' is not declared"
    case .schema(let problem): problem
    }
  }

  /// Returns the problem of a value, seen from the field around it.
  func inside(_ part: String) -> ProtobufError {
    guard case .value(let problem, let place) = self else { return self }
    if place.isEmpty { return .value(problem, at: part) }
    return .value(problem, at: place.hasPrefix("[") ? part + place : "\(part).\(place)")
  }
}
