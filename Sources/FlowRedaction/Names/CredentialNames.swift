/// The names of values that must never be in an imported scenario, or unnoticed in a recording.
package enum CredentialNames {
  /// The certainty that the value of a name is a secret.
  private enum Kind { case secret, doubtful, harmless }

  /// The place of a value.
  ///
  /// In some places a short name such as `key` says more than in others.
  package enum Place {
    /// A member of JSON, an element, a variable, or anything in a text.
    case field
    /// A header, or a parameter of a query or a path.
    case parameter
  }

  /// The words for a secret, also at the end of a longer one: `accesstoken`.
  private static let nouns = [
    "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey",
    "secretkey", "privatekey", "authorization", "credential", "sessionid", "sessid", "cookie",
    "signature",
  ]
  private static let words: Set<String> = [
    "auth", "pwd", "pass", "pin", "cvc", "cvv", "jwt", "otp", "totp", "session", "sid", "csrf",
    "xsrf", "creds", "bearer", "hmac",
  ]

  /// The words for harmless facts about a secret: `token_type`, `cookie_domain`,
  /// `password_reset_url`.
  private static let harmless: Set<String> = [
    "type", "kind", "expires", "expire", "expiry", "expired", "expiration", "in", "at", "on",
    "endpoint", "name", "username", "policy", "length", "count", "size", "limit", "max", "min",
    "url", "uri", "link", "href", "path", "file", "domain", "host", "port", "site", "samesite",
    "version", "algorithm", "alg", "method", "mode", "format", "scheme", "strategy", "status",
    "enabled", "disabled", "required", "optional", "valid", "validity", "exists", "present",
    "changed", "updated", "created", "age", "ttl", "timeout", "duration", "lifetime", "interval",
    "time", "date", "timestamp", "days", "hours", "minutes", "seconds", "field", "label", "title",
    "placeholder", "hint", "help", "description", "message", "error", "prompt", "strength", "score",
    "rule", "regex", "pattern", "issuer", "audience", "scope", "realm", "email", "usage", "used",
    "remaining", "rate", "budget", "total", "flag", "consent", "banner", "preference", "notice",
    "setting", "option", "prefix", "suffix", "encoding", "charset", "template", "form", "level",
    "rotation", "attempt", "provider",
  ]

  /// The keys that are no secret: `sort_key`.
  private static let openKeys: Set<String> = [
    "public", "primary", "foreign", "sort", "partition", "cache", "idempotency", "routing",
    "object",
    "surrogate", "socket", "group", "order", "row", "range", "translation", "message", "lookup",
    "unique", "index", "map", "property", "label", "shortcut", "file", "image", "project", "issue",
    "parent", "tag", "setting", "feature", "event", "metric",
  ]
  /// The keys that open something: `subscription_key`.
  private static let secretKeys: Set<String> = [
    "api", "access", "private", "secret", "subscription", "function", "functions", "license",
    "encryption", "signing", "master", "account", "auth", "service", "shared", "application", "app",
    "client", "consumer", "admin", "deploy", "ssh", "webhook", "integration", "aes", "rsa",
    "server",
  ]
  /// The tokens that say where a list goes on: `page_token`, `nextToken`.
  private static let places: Set<String> = [
    "page", "next", "nextpage", "prev", "previous", "continuation", "continue", "cursor", "sync",
    "nextsync", "resume", "start", "startpage", "delta", "pagination",
  ]
  /// Counts of the tokens of a language model.
  private static let counted: Set<String> = [
    "max", "min", "total", "prompt", "completion", "input", "output", "num", "cached", "new",
  ]

  /// True if a header, parameter, field or variable of this name holds a secret.
  package static func isSecret(_ name: String) -> Bool { kind(of: name, in: .field) == .secret }

  /// True if a value of this name is a secret: a doubtful name is one only of what looks random.
  package static func isSecret(_ name: String, holding value: String, in place: Place = .field)
    -> Bool
  {
    switch kind(of: name, in: place) {
    case .secret: !isPlain(value)
    case .doubtful: looksRandom(value) && !isSecret(value)
    case .harmless: false
    }
  }

  /// True if a value of this name is no secret, even inside a value that is one.
  package static func isHarmless(_ name: String) -> Bool {
    let words = self.words(of: name)
    return words.last.map { isHarmless(word: $0) || ["user", "login"].contains($0) } ?? false
  }

  /// Returns true if a number of this name is a secret.
  ///
  /// Other numbers count or measure something.
  package static func isSecretNumber(_ name: String) -> Bool {
    let secret: Set<String> = [
      "password", "passwd", "pwd", "passcode", "passphrase", "pin", "otp", "totp", "cvc", "cvv",
      "secret",
    ]
    return isSecret(name) && words(of: name).contains { secret.contains($0) }
  }

  // MARK: - Names

  private static func kind(of name: String, in place: Place) -> Kind {
    guard name.utf8.count <= 128 else { return .harmless }
    let words = self.words(of: name)
    // The address itself is the secret, as for a webhook.
    if words == ["secret", "url"] || words == ["secret", "link"] { return .secret }
    guard let last = words.last, !isHarmless(word: last) else { return .harmless }
    if ["key", "keys"].contains(last) { return kind(ofKey: words, in: place) }
    if last == "tokens", counted.contains(words[0]) { return .harmless }
    if last.hasSuffix("token") {
      let owner = (words.dropLast() + [String(last.dropLast(5))]).filter { !$0.isEmpty }
      if owner.last.map(places.contains) ?? false { return .harmless }
    }
    if ["sig", "sas"].contains(last) { return place == .parameter ? .secret : .doubtful }
    // At the start of a longer name, `secret` mostly describes something: `secret_santa`.
    if words.count > 1, words[0] == "secret", !words.dropFirst().contains(where: isNoun) {
      return ["id", "value", "data", "base", "text", "access"].contains(words[1])
        ? .secret : .doubtful
    }
    let isKeyID = last == "id" && words.dropLast().last == "key"
    return !isKeyID && (words.contains(where: isNoun) || hasSecretKey(words)) ? .secret : .harmless
  }

  private static func isHarmless(word: String) -> Bool {
    harmless.contains(word) || word.hasSuffix("s") && harmless.contains(String(word.dropLast()))
  }

  private static func kind(ofKey words: [String], in place: Place) -> Kind {
    guard words.count > 1 else { return place == .parameter ? .secret : .doubtful }
    let owner = words[words.count - 2]
    if openKeys.contains(owner) { return .harmless }
    let isSecret = hasSecretKey(words) || words.dropLast().contains(where: isNoun)
    return isSecret || place == .parameter ? .secret : .doubtful
  }

  private static func hasSecretKey(_ words: [String]) -> Bool {
    zip(words, words.dropFirst()).contains { secretKeys.contains($0) && $1.hasPrefix("key") }
  }

  private static func isNoun(_ word: String) -> Bool {
    if self.words.contains(word) { return true }
    return nouns.contains { word.hasSuffix($0) || word.hasSuffix($0 + "s") }
  }

  /// Returns the words of a name in lower case: of `X-APIKey2`, `x`, `api` and `key`.
  private static func words(of name: String) -> [String] {
    var (words, word) = ([String](), String.UnicodeScalarView())
    let scalars = Array(name.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isUpper = "A"..."Z" ~= scalar
      let isAfterLower = index > 0 && "a"..."z" ~= scalars[index - 1]
      let isBeforeLower =
        index > 0 && "A"..."Z" ~= scalars[index - 1] && index + 1 < scalars.count
        && "a"..."z" ~= scalars[index + 1]
      let isLetter = scalar.properties.isAlphabetic
      if !isLetter || isUpper && (isAfterLower || isBeforeLower) {
        if !word.isEmpty { words.append(String(word).lowercased()) }
        word = String.UnicodeScalarView()
      }
      if isLetter { word.append(scalar) }
    }
    return word.isEmpty ? words : words + [String(word).lowercased()]
  }
}
