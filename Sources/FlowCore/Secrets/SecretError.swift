/// A secret that cannot be had, or cannot be hidden.
public enum SecretError: Error, Sendable, Hashable {
  /// Nobody gave a secret of this name.
  case missing(String)
  /// A secret of fewer than 4 bytes stands in every text by chance, and cannot be hidden.
  case tooShort(String)
  /// A name is letters, digits and `_`.
  case invalidName(String)
}

extension SecretError: CustomStringConvertible {
  /// What is wrong, with the name and never with the value.
  public var description: String {
    switch self {
    case .missing(let name):
      "the secret '\(name)' is not given; " + Self.advice(name)
    case .tooShort(let name): "the secret '\(name)' has fewer than 4 bytes and cannot be hidden"
    case .invalidName(let name):
      "'\(Value.escaped(name))' is no name of a secret: letters, digits and '_'"
    }
  }

  /// How a secret is given: `give it with --secret token=@FILE, or in FLOW_SECRET_TOKEN`.
  package static func advice(_ name: String) -> String {
    "give it with --secret \(name)=@FILE, or in \(Secrets.variable(of: name)); in a Swift test, in LiveOptions"
  }
}
