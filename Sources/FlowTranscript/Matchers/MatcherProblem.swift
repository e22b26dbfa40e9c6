internal import FlowCore

/// What is wrong with a matcher, as data and in words.
enum MatcherProblem: Error {
  /// `$any` with another name, or with none.
  case kind(String?)
  case noPattern
  case longPattern(Int)
  case pattern(String)
  /// More patterns than a transcript may have.
  case manyPatterns(Int)
  case near
  case nearValue
  case tolerance(isDuration: Bool)
  case unknownMember(String, of: String)
  /// An example that is not what the matcher asks for.
  case example(String)
  case exampleWithMatcher
  /// An answer that cannot be served.
  case noExample(String)
  case literal
  case blob

  /// The code and the message.
  var wording: (code: DiagnosticCode, message: String) {
    if case .noExample(let matcher) = self {
      return (
        .unservableMatcher, "an answer that is \(matcher) cannot be served; give it an 'example'"
      )
    }
    return (.malformedMatcher, message)
  }

  private var message: String {
    switch self {
    case .kind(let name): Self.kind(name)
    case .noPattern: "'$match' is a regular expression, a text"
    case .longPattern(let limit): "the pattern is longer than \(limit) bytes"
    case .pattern(let message): message
    case .manyPatterns(let limit): "there are more than \(limit) patterns"
    case .near: "'$near' is a list of a value and a tolerance"
    case .nearValue: "'$near' begins with a number, a timestamp or a duration"
    case .tolerance(let isDuration):
      "the tolerance is a \(isDuration ? "duration" : "number") of zero or more"
    case .unknownMember(let name, let owner): "unknown member '\(name)' beside '\(owner)'"
    case .example(let matcher): "the example is not \(matcher)"
    case .exampleWithMatcher: "an example holds values alone"
    case .noExample: ""
    case .blob:
      "'$blob' is 'sha256:' and 64 hexadecimal digits, and its 'size' in bytes stands beside it"
    case .literal: "'$literal' holds an object and stands alone"
    }
  }

  private static func kind(_ name: String?) -> String {
    let known = ValueMatcher.Kind.allCases.map(\.rawValue)
    guard let name else { return "'$any' is the name of a type: \(known.joined(separator: ", "))" }
    let near = Suggestion.phrase(Suggestion.nearest(to: name, among: known))
    return "'$any' knows no type '\(name)'; "
      + (near ?? "it knows \(known.joined(separator: ", "))")
  }
}
