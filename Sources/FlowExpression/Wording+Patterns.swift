/// What is wrong with a regular expression; printed as the end of a sentence.
enum PatternProblem: Error, CustomStringConvertible {
  /// A backslash ends it.
  case trailingBackslash
  /// `\Z` and the like, which RE2 does not have.
  case escape(String)
  /// `\1`, `\k<name>`.
  case backReference
  /// An escape by number that is no character: `\xg`, `\x{110000}`.
  case character(String)
  /// A class has no end.
  case missingBracket
  /// A set that is not one of POSIX: `[:letter:]`.
  case set(String)
  /// A name that Unicode does not have: `\p{greek}`.
  case property(String)
  /// A range or a repetition that ends before it begins: `z-a`.
  case reversed(String)
  /// A group has no end.
  case missingParenthesis
  /// A parenthesis ends nothing.
  case unexpectedParenthesis
  /// `(?=a)`.
  case lookingAround
  /// `(?>a)`, `(?x)`.
  case group
  /// `(?P<a-b>c)`.
  case groupName
  /// `(*UCP)`.
  case verb
  /// `a++`.
  case possessive
  /// `a**`.
  case repeatedRepetition(String)
  /// A repetition stands first.
  case nothingToRepeat(String)
  /// A repetition beyond the limit.
  case manyRepetitions(String, Int)

  var description: String {
    switch self {
    case .trailingBackslash: "it ends with a backslash"
    case .escape(let text): "'\(Wording.cut(text))' is not supported"
    case .backReference: "back references are not supported"
    case .character(let text): "'\(Wording.cut(text))' is not a character"
    case .missingBracket: "missing terminating ] for character class"
    case .set(let text): "'\(Wording.cut(text))' is not a set of characters"
    case .property(let text): "'\(Wording.cut(text))' is not a category or script of Unicode"
    case .reversed(let text): "'\(Wording.cut(text))' ends before it begins"
    case .missingParenthesis: "missing closing parenthesis"
    case .unexpectedParenthesis: "unmatched closing parenthesis"
    case .lookingAround: "looking around is not supported"
    case .group: "this kind of group is not supported"
    case .groupName: "a group's name has letters, digits and underscores"
    case .verb: "verbs are not supported"
    case .possessive: "possessive quantifiers are not supported"
    case .repeatedRepetition(let text): "'\(Wording.cut(text))' repeats a repetition"
    case .nothingToRepeat(let text): "nothing stands before '\(Wording.cut(text))'"
    case .manyRepetitions(let text, let limit):
      "'\(Wording.cut(text))' makes more than \(limit) repetitions"
    }
  }
}
