/// A value of a script as an expression of the scenario.
struct ScriptValue: Equatable {
  enum Kind: Equatable {
    case any
    case text
    case number
    case bool
    case list
    case map
    /// A duration, which scripts read as a number of milliseconds.
    case milliseconds
    case time
    case headers
    case reason
    /// The type of a value, as `typeof` returns it.
    case type
  }

  let code: String
  let kind: Kind
  /// The part of the answer that it is, or nil.
  var answer: ScriptAnswer?
  /// The value, if it is written in the script.
  var literal: ImportedValue?
  /// True for a variable of the file and others whose type the checker may know better.
  var isVariable = false
  /// The expression with null for a missing value, if it differs.
  var lenient: String?
  /// The opposite condition, if it can be said more simply than with `!`.
  var opposite: String?
  /// The strength of its weakest operator.
  let strength: Strength

  /// The operators of expressions, from the weakest.
  enum Strength: Int {
    case choice, or, and, comparison, sum, product, member
  }

  init(_ code: String, _ kind: Kind, _ strength: Strength = .member) {
    (self.code, self.kind, self.strength) = (code, kind, strength)
  }

  /// Creates a value that the script writes.
  init(literal: ImportedValue) {
    let kind: Kind =
      switch literal {
      case .null: .any
      case .bool: .bool
      case .number: .number
      case .text: .text
      case .list: .list
      case .map: .map
      }
    self.init(literal.exactCode, kind)
    self.literal = literal
  }

  /// Creates the value of a part of an answer.
  init(_ answer: ScriptAnswer, of subject: String) {
    let kind: Kind =
      switch answer {
      case .json: .any
      case .status: .number
      case .text, .header: .text
      }
    self.init(answer.code(subject), kind)
    self.answer = answer
    lenient = answer.lenientCode(subject)
  }

  /// The value beside another one: an answer that is compared with a text is its text.
  func beside(_ other: ScriptValue) -> ScriptValue {
    guard answer == .json([]), other.kind == .text,
      let end = code.lastIndex(of: ".")
    else { return self }
    return ScriptValue(.text, of: String(code[..<end]))
  }

  /// The expression in front of a member or behind `!`, in brackets if it needs them.
  var operand: String { operand(of: .member) }

  /// The expression as an operand, in brackets if it needs them.
  func operand(of operator: Strength) -> String {
    strength.rawValue < `operator`.rawValue ? "(\(code))" : code
  }

  /// True for JavaScript's `undefined`, which a missing member is.
  var isUndefined = false

  /// Creates JavaScript's `undefined`.
  static var undefined: ScriptValue {
    var value = ScriptValue(literal: .null)
    value.isUndefined = true
    return value
  }

  /// The expression beside null: what is known to have another type cannot be compared with it.
  var nullable: String { lenient ?? loose }

  /// The expression with a type that only a run knows.
  var loose: String { kind == .any && !isVariable ? operand : "dyn(\(code))" }

  /// The expression as a number, to which JavaScript converts the text of a variable.
  var numeric: String { isVariable ? "decimal(string(\(code)))" : operand(of: .product) }

  /// The expression beside another value: values of different types differ in a run.
  func operand(beside other: ScriptValue) -> String {
    let isUnlike = kind != other.kind && kind != .any && other.kind != .any
    // A variable of a file is a text, and a number where a script has set it to one.
    if isVariable, other.kind == .text { return "string(\(code))" }
    let isUncertain = isVariable && other.kind != .any
    return isUnlike || isUncertain ? "dyn(\(code))" : operand(of: .sum)
  }

  /// True if all elements of a list, as far as it is written, have the kind of a value.
  func hasElements(like value: ScriptValue) -> Bool {
    if value.kind == .any { return !value.isVariable }
    guard case .list(let elements)? = literal else { return true }
    return elements.allSatisfy { ScriptValue(literal: $0).kind == value.kind }
  }

  /// The text of a literal, or nil.
  var text: String? {
    if case .text(let text)? = literal { text.literal } else { nil }
  }

  /// The whole number of a literal, or nil.
  var int: Int? { if case .number(let text)? = literal { Int(text) } else { nil } }

  /// True if it is JavaScript's null or undefined.
  var isNull: Bool { literal == .null }

  /// The condition that the value counts as true in JavaScript.
  var truth: ScriptValue {
    switch kind {
    case .bool: return self
    case .list, .map, .time, .headers, .reason, .type: return ScriptValue("true", .bool)
    case .number, .milliseconds:
      return ScriptValue("\(operand(of: .sum)) != 0", .bool, .comparison)
    case .text where answer == nil:
      return ScriptValue("\(operand(of: .sum)) != ''", .bool, .comparison)
    case .text, .any:
      let value = lenient ?? operand
      return ScriptValue("!(\(value) in [dyn(null), false, 0, ''])", .bool)
    }
  }

  /// The condition that this one is false.
  var negation: ScriptValue {
    var value = ScriptValue(
      opposite ?? "!\(operand)", .bool, opposite == nil ? .member : .comparison)
    value.opposite = code
    return value
  }
}
