internal import FlowSystem

/// The secrets given to a run, by name.
///
/// Every secret that is read is hidden from then on.
///
///     let token = try context.secrets.value("api_token")
public struct Secrets: Sendable {
  /// Hides a secret of a name from now on.
  package typealias Hide = @Sendable (_ secret: String, _ name: String) throws(SecretError) -> Void

  private let hide: Hide
  private let given: @Sendable (String) -> String?
  private let hides: @Sendable (String) -> Bool
  private let naming: @Sendable (String) -> String
  private let hasAny: @Sendable () -> Bool
  /// The environment variables that `--secret NAME` has read.
  ///
  /// A component that starts a program lets it inherit neither these nor any with the prefix
  /// `FLOW_SECRET_`. A scenario passes a secret on itself if it wants to.
  public let variables: Set<String>

  /// Creates secrets that `given` finds by their names.
  ///
  /// `hide` receives every secret that is read, `hasAny` returns true if some text is hidden, `hides`
  /// returns true for a string that contains hidden text, and `naming` puts names in the places of
  /// hidden texts.
  package init(
    variables: Set<String> = [], given: @escaping @Sendable (String) -> String?,
    hides: @escaping @Sendable (String) -> Bool = { _ in false },
    naming: @escaping @Sendable (String) -> String = { $0 },
    hasAny: @escaping @Sendable () -> Bool = { false }, hide: @escaping Hide
  ) {
    self.variables = variables
    self.hide = hide
    self.given = given
    self.hides = hides
    self.naming = naming
    self.hasAny = hasAny
  }

  /// No secrets.
  package static let none = Secrets { _ in
    nil
  } hide: { _, _ in
  }

  /// Returns the secret of a name, which consists of letters, digits and `_`.
  ///
  /// It comes from `--secret`, or from the environment variable `FLOW_SECRET_` with the name in
  /// capitals. In a test it comes from the test's options.
  ///
  /// - Throws: `SecretError` when it is not given, or too short to be hidden.
  public func value(_ name: String) throws(SecretError) -> String {
    guard Self.isName(name) else { throw .invalidName(name) }
    guard let value = given(name), !value.isEmpty else { throw .missing(name) }
    try hide(value, name)
    return value
  }

  /// Hides a text that the component received, such as a token, in everything that the run writes.
  ///
  /// - Throws: `SecretError` when it is too short to be hidden, or the name is invalid.
  public func hide(_ text: String, as name: String) throws(SecretError) {
    guard Self.isName(name) else { throw .invalidName(name) }
    try hide(text, name)
  }

  /// Returns true if a string contains any secret of the run, also encoded.
  ///
  /// A component asks before it passes a string on to an unintended receiver, such as a server to
  /// which another one redirects. All hidden secrets count, and not only those read here.
  public func areRevealed(by text: String) -> Bool { hides(text) }

  /// True if the run hides any text so far.
  ///
  /// A component asks before it shows what nobody can hide text in, such as a picture.
  public var areHidden: Bool { hasAny() }

  /// Returns a string with the names of hidden texts in their places: `bots/secret-token/send`.
  ///
  /// It is the same for every text that a secret has in its runs.
  func named(in text: String) -> String { naming(text) }

  /// The environment variable of a secret: `FLOW_SECRET_API_TOKEN`.
  package static func variable(of name: String) -> String {
    "FLOW_SECRET_" + name.uppercased()
  }

  /// Returns true if a string can be the name of a secret.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_")
      }
  }
}

/// A secret that is missing, or cannot be hidden.
public enum SecretError: Error, Sendable, Hashable {
  /// No secret of this name is given.
  case missing(String)
  /// The secret has fewer than 4 bytes, which occur in every text by chance and cannot be hidden.
  case tooShort(String)
  /// A name is letters, digits and `_`.
  case invalidName(String)
  /// The secret part of an answer has bytes that are not text.
  case notText(String)
  /// The secret part of an answer has more texts than can be hidden.
  case tooMany(String, most: Int)
}

extension SecretError: CustomStringConvertible {
  /// The problem, with the name and never with the value.
  public var description: String {
    switch self {
    case .missing(let name):
      "the secret '\(name)' is missing; " + Self.advice(name)
    case .tooShort(let name): "the secret '\(name)' has fewer than 4 bytes and cannot be hidden"
    case .notText(let name): "the secret '\(name)' has bytes that are not text and cannot be hidden"
    case .tooMany(let name, let most): "the secret '\(name)' has more than \(most) texts"
    case .invalidName(let name):
      "'\(name.escaped)' cannot be the name of a secret: use letters, digits and '_'"
    }
  }

  /// The way to give a secret: `pass it with --secret token=@FILE, or in FLOW_SECRET_TOKEN`.
  package static func advice(_ name: String) -> String {
    "pass it with --secret \(name)=@FILE, or in \(Secrets.variable(of: name)); in a Swift test, in LiveOptions"
  }
}
