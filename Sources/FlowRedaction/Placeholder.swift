/// A replacement for hidden text.
enum Placeholder: Sendable, Hashable {
  /// The encoding of a secret, if a reader could not guess it.
  enum Form: String, Sendable, CaseIterable {
    case base64
    case hex
  }

  /// A secret of this name, with the digest of any content encoded with it, or nil.
  case secret(String, Form? = nil, content: String? = nil)
  /// The match of a project's pattern, by the numbers of the pattern and of the text, both from 1.
  case pattern(Int, value: Int = 1)

  /// The digits of the digest of a content: enough that no two of them have the same by chance.
  static let contentDigits = 16

  /// `${secret:api_token}`, `${secret:api_token#2:base64}`, `${redacted:2}`, `${redacted:2#3}`.
  ///
  /// The first text has no number. `${secret:api_token:base64:3f2a90cc1b7de604}` was encoded with something else.
  var text: String {
    switch self {
    case .secret(let name, nil, _): "${secret:\(name)}"
    case .secret(let name, let form?, nil): "${secret:\(name):\(form.rawValue)}"
    case .secret(let name, let form?, let content?):
      "${secret:\(name):\(form.rawValue):\(content)}"
    case .pattern(let number, 1): "${redacted:\(number)}"
    case .pattern(let number, let value): "${redacted:\(number)#\(value)}"
    }
  }

  /// The name of the hidden text, for addresses: `secret-api_token`, `redacted-2`.
  var label: String {
    switch self {
    case .secret(let name, _, _): "secret-\(name.prefix { $0 != "#" })"
    case .pattern(let number, _): "redacted-\(number)"
    }
  }

  /// The placeholder of the same secret in another form.
  func written(as form: Form) -> Placeholder {
    guard case .secret(let name, _, let content) = self else { return self }
    return .secret(name, form, content: content)
  }
}
