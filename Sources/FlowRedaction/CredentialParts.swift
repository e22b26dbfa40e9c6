package import FlowCore

/// A visit to the credentials in a request or an answer of a program, found by the names that
/// imports hide.
///
/// What is hidden already is a placeholder, and no credential.
package struct CredentialParts {
  /// A credential in a value.
  package struct Part {
    /// The path of the text that contains it, such as `headers.authorization`.
    package let path: String
    /// The name that says what it is, such as `authorization`.
    package let name: String
    /// The credential, without the scheme before it.
    package let text: String
    /// The text that contains it.
    package let whole: String
  }

  /// Returns the replacement of a credential, or nil to leave it.
  package typealias Replacement = (Part) -> String?

  /// The parts of a request and an answer whose members are headers or parameters.
  private static let parameters: Set<String> = ["headers", "query", "trailers"]

  /// The part of an answer that has the names of a JSON text, and `#` for its values.
  private static let layout = "layout"

  private let replacement: Replacement

  /// Returns a value with replaced credentials.
  package static func replaced(in value: Value, by replacement: Replacement) -> Value {
    withoutActuallyEscaping(replacement) { CredentialParts(replacement: $0).replaced(in: value) }
  }

  /// Calls `visit` with each credential in a value.
  package static func visit(_ value: Value, _ visit: (Part) -> Void) {
    _ = replaced(in: value) { part in
      visit(part)
      return nil
    }
  }

  private func replaced(in value: Value) -> Value {
    switch value {
    case .record(let record):
      let values = zip(record.type.fields, record.values).map { field, value in
        field.name == Self.layout ? value : replaced(in: value, Member(top: field.name))
      }
      return .record(RecordValue(record.type, values))
    case .map(let map):
      var copy = map
      for entry in map.entries {
        copy[entry.key] = replaced(in: entry.value, Member(top: entry.key.interpolated))
      }
      return .map(copy)
    default: return value
    }
  }

  /// A value's place, and the name that says what it is.
  private struct Member {
    let path: String
    let name: String
    let place: CredentialNames.Place
    /// True below the name of a secret.
    var isInside = false

    init(top name: String) {
      (path, self.name) = (name, name)
      place = CredentialParts.parameters.contains(name) ? .parameter : .field
    }

    init(_ key: String, in owner: Member) {
      (path, name, place) = ("\(owner.path).\(key)", key, owner.place)
      isInside =
        owner.isInside || owner.place == .field && CredentialNames.isSecret(owner.name)
    }

    /// True if a text of this name is a secret.
    func hides(_ text: String) -> Bool {
      CredentialNames.isSecret(name, holding: text, in: place)
        || isInside && !CredentialNames.isHarmless(name) && !CredentialNames.isPlain(text)
    }
  }

  private func replaced(in value: Value, _ member: Member) -> Value {
    switch value {
    case .string(let text): return .string(replaced(in: text, member))
    case .int, .uint, .double, .decimal, .number:
      guard CredentialNames.isSecretNumber(member.name) else { return value }
      let part = Part(
        path: member.path, name: member.name, text: "\(value)", whole: "\(value)")
      return replacement(part).map { .string($0) } ?? value
    case .optional(let value?): return .optional(replaced(in: value, member))
    case .list(let values): return .list(values.map { replaced(in: $0, member) })
    case .map(let map):
      var copy = map
      for entry in map.entries {
        copy[entry.key] = replaced(
          in: entry.value, Member(entry.key.interpolated, in: member))
      }
      return .map(copy)
    default: return value
    }
  }

  private func replaced(in text: String, _ member: Member) -> String {
    if Redactor.hasPlaceholder(.string(text)) { return text }
    if member.place == .parameter, member.name.lowercased() == "cookie" {
      return replaced(inCookies: text, member)
    }
    if member.hides(text) {
      let scheme = text.scheme
      let part = Part(
        path: member.path, name: member.name, text: String(text.dropFirst(scheme.count)),
        whole: text)
      return replacement(part).map { scheme + $0 } ?? text
    }
    return replaced(in: text, at: SecretFinder.secrets(in: text)) { name, secret in
      Part(path: "\(member.path).\(name)", name: name, text: secret, whole: text)
    }
  }

  /// Returns the cookies of a request with replaced secrets: what has the name of one, or looks
  /// like one.
  ///
  /// The others, such as a language, stay.
  private func replaced(inCookies text: String, _ member: Member) -> String {
    let cookies = text.split(separator: ";", omittingEmptySubsequences: false)
    return cookies.map { cookie in
      guard let sign = cookie.firstIndex(of: "=") else { return String(cookie) }
      let value = cookie[cookie.index(after: sign)...]
      let name = String(cookie[..<sign].drop { $0 == " " })
      let isSecret =
        CredentialNames.isSecret(name, holding: String(value), in: .parameter)
        || CredentialNames.looksRandom(String(value))
      guard isSecret else { return String(cookie) }
      let part = Part(path: member.path, name: "cookie", text: String(value), whole: text)
      return replacement(part).map { cookie[...sign] + $0 } ?? String(cookie)
    }.joined(separator: ";")
  }

  private func replaced(
    in text: String, at places: [SecretFinder.Place], _ part: (String, String) -> Part
  ) -> String {
    var (result, end) = ("", text.startIndex)
    for place in places where place.range.lowerBound >= end {
      result += text[end..<place.range.lowerBound]
      let secret = String(text[place.range])
      result += replacement(part(place.name, secret)) ?? secret
      end = place.range.upperBound
    }
    return end == text.startIndex ? text : result + text[end...]
  }
}
