internal import FlowCore

/// What a component does against its secrets, and what the sample leaves out of them.
///
/// It is never told what was seen of a secret: the author may have given one that is real.
enum SecretFault {
  /// The fields of a call that differ with other secrets.
  case told(String, fields: [String])
  case logged(String)
  /// What differs though no component answered otherwise.
  case sample([String])
  /// Recordings that mean the same.
  case form
  case varying
  case oneValue(String)
  case unused(String, near: [String])
  case unfilled(String)

  /// The fault in words, at a place of the sample.
  func diagnostic(at span: SourceSpan?) -> Diagnostic {
    let (message, notes) = wording
    return Diagnostic(ContractFault.code, message, at: span, notes: notes)
  }

  private var wording: (message: String, notes: [String]) {
    switch self {
    case .told(let name, let fields):
      ("'\(name)' tells something that is made of a secret", Self.notes(fields))
    case .logged(let name):
      (
        "'\(name)' logs something that is made of a secret",
        ["a line of the log differs with other secrets", "log nothing that is made of them"]
      )
    case .sample(let fields):
      (
        "the sample itself makes something of a secret",
        fields.map { "\($0) differs with other secrets" }
          + ["what an expression makes of a secret is not hidden; leave that to the component"]
      )
    case .form:
      (
        "how something is recorded is made of a secret",
        ["the order of calls, or the form of a number, differs with other secrets"]
      )
    case .varying:
      (
        "two runs with the same secrets differ, so nothing is known about what is made of them",
        ["the check 'repetition' says more"]
      )
    case .oneValue, .unused, .unfilled: givenWording
    }
  }

  private static func notes(_ fields: [String]) -> [String] {
    let notes = fields.map { "\($0) differs with other secrets" }
    if fields.contains("error") {
      return notes + ["give secrets in the options that are accepted alike, or answer them alike"]
    }
    let words = fields.contains("message") ? ["word the error without them"] : []
    let advice = "declare the field 'secret: true', or tell nothing that is made of them"
    return notes + words + (fields == ["message"] ? [] : [advice])
  }

  private var givenWording: (message: String, notes: [String]) {
    switch self {
    case .oneValue(let name):
      (
        "the secret '\(name)' has one value alone, so nothing is known about what is made of it",
        ["give two or more that differ in the options' 'secrets'"]
      )
    case .unused(let name, let near):
      (
        "the sample does not use the secret '\(name)'",
        Suggestion.phrase(near).map { [$0] } ?? []
      )
    case .unfilled(let field):
      (
        "the sample gives \(field) no secret, so nothing is known about what is made of it",
        ["declare an input 'secret: true' and fill the field with it"]
      )
    default: ("", [])
    }
  }
}
