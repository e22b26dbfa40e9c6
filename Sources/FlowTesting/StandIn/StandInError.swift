internal import FlowCore

/// A script that does not fit the component it stands in for.
public enum StandInError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The component has no such operation; near names are offered.
  case unknownOperation(String, near: [String])
  /// An operation is scripted in two places.
  case scriptedTwice(String)
  /// The operation does not declare the error; near codes are offered.
  case unknownError(String, of: String, near: [String])
  /// The answer is no record of the operation's output; the first text says why.
  case wrongAnswer(String, of: String)
  /// A sequence stands inside a sequence.
  case nestedSequence(of: String)

  /// What is wrong with the script.
  public var description: String {
    switch self {
    case .unknownOperation(let name, let near):
      "there is no operation '\(name)'" + Self.offer(near)
    case .scriptedTwice(let name): "'\(name)' is scripted twice"
    case .unknownError(let code, let name, let near):
      "'\(name)' does not declare the error '\(code)'" + Self.offer(near)
    case .wrongAnswer(let problem, let name): "the answer of '\(name)' does not fit: \(problem)"
    case .nestedSequence(let name): "'\(name)' has a sequence inside a sequence"
    }
  }

  private static func offer(_ near: [String]) -> String {
    Suggestion.phrase(near).map { "; \($0)" } ?? ""
  }
}

/// A call that a stand-in has no answer for.
struct UnscriptedCall: Error, CustomStringConvertible {
  /// The call.
  let call: ComponentCall
  /// How many answers were scripted and given; 0 when the operation has none at all.
  let answers: Int

  /// Which call, and what the script holds for it.
  var description: String {
    let scripted =
      answers == 0
      ? "no answer is scripted"
      : answers == 1 ? "the one scripted answer is used up" : "all \(answers) answers are used up"
    return
      "\(scripted) for '\(call.name)', called at '\(call.address)' with \(call.input.summary())"
  }
}
