/// The importer around a script, which knows the variables of the file.
protocol ScriptHost {
  /// Returns the value of a variable of the file as it is before the request.
  mutating func variable(named name: String, line: Int) -> ImportedText

  /// Returns the value of a variable of the file before the request, or nil if it has none yet.
  mutating func known(_ name: String, line: Int) -> ImportedText?

  /// Returns a text with its templates replaced.
  mutating func templated(_ text: String, line: Int) -> ImportedText

  /// Returns the text of a value with this name, without what is secret in it.
  mutating func written(_ text: String, of name: String, line: Int) -> ImportedText

  /// Returns the value that is compared with one of this name, without what is secret in it.
  mutating func compared(_ value: ImportedValue, with name: String, line: Int) -> ImportedValue

  /// Returns the expression for the time before the request.
  mutating func now() -> String

  /// Returns the expression for a time as a text in a format of `strftime`.
  mutating func formatted(_ time: String, as format: String) -> String

  /// Returns the expression for a random whole number, drawn before the request.
  mutating func randomNumber(from least: Int, to most: Int) -> String
}

/// An effect of a script.
enum ScriptEffect: Equatable {
  /// A variable set to a value; of secret names the place in the answer is secret, too.
  case set(String, ScriptValue)
  /// A variable removed.
  case unset(String)
  /// An expected status.
  case status(String)
  /// A condition that must hold.
  case check(String)
  /// A statement that is not supported, with its name.
  case skipped(String)

  /// The name of the variable that it sets or removes, or nil.
  var changed: String? {
    switch self {
    case .set(let name, _), .unset(let name): name
    case .status, .check, .skipped: nil
    }
  }
}
