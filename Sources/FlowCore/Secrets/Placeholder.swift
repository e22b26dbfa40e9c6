/// What stands in the place of something that must not be seen.
enum Placeholder: Sendable, Hashable {
  /// How a secret was written, where a reader could not guess it.
  enum Form: String, Sendable, CaseIterable {
    case base64
    case hex
  }

  /// A secret of this name.
  case secret(String, Form? = nil)
  /// What a pattern of the project matches, by the pattern's number, from 1.
  case pattern(Int)

  /// `${secret:api_token}`, `${secret:api_token:base64}`, `${redacted:2}`.
  var text: String {
    switch self {
    case .secret(let name, nil): "${secret:\(name)}"
    case .secret(let name, let form?): "${secret:\(name):\(form.rawValue)}"
    case .pattern(let number): "${redacted:\(number)}"
    }
  }

  /// The same secret inside of a text in base 64.
  var inBase64: Placeholder {
    if case .secret(let name, _) = self { return .secret(name, .base64) }
    return self
  }
}
