/// The secrets that a run was given, by name; whatever is read here is hidden from then on.
///
///     let token = try context.secrets.value("api_token")
public struct Secrets: Sendable {
  private let redactor: Redactor
  private let given: @Sendable (String) -> String?

  /// Secrets that `given` finds by their names; `redactor` hides those that are read.
  package init(redactor: Redactor, given: @escaping @Sendable (String) -> String?) {
    self.redactor = redactor
    self.given = given
  }

  /// No secrets.
  package static let none = Secrets(redactor: Redactor()) { _ in nil }

  /// The secret of a name: letters, digits and `_`.
  ///
  /// It comes from `--secret`, or from the environment variable `FLOW_SECRET_` with the name in capitals; in a
  /// test, from its options.
  ///
  /// - Throws: `SecretError` when it is not given, or too short to be hidden.
  public func value(_ name: String) throws(SecretError) -> String {
    guard Self.isName(name) else { throw .invalidName(name) }
    guard let value = given(name), !value.isEmpty else { throw .missing(name) }
    try redactor.add(value, named: name)
    return value
  }

  /// The environment variable of a secret: `FLOW_SECRET_API_TOKEN`.
  package static func variable(of name: String) -> String {
    "FLOW_SECRET_" + name.uppercased()
  }

  /// Whether a text can name a secret.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_")
      }
  }
}
