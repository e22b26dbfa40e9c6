internal import FlowRedaction

/// Secrets that requests send in another encoding, such as a token in base 64.
extension ImportedScenario {
  /// Creates a secret input for each part of a text that contains a known secret in an encoding.
  ///
  /// A run hides such a part, so its recording could not be replayed with the part in the scenario.
  mutating func hideEncodedSecrets() {
    if secrets.isEmpty { return }
    var texts: [String] = []
    _ = ScenarioText(self, seeing: { texts.append($0) }).text
    let redactor = Redactor()
    for (value, input) in secrets.sorted(by: { $0.value < $1.value }) {
      // One that is too short is not hidden by a run either.
      try? redactor.add(value, named: input)
    }
    for text in texts {
      let bytes = Array(text.utf8)
      for range in redactor.hiddenRanges(in: bytes) {
        let part = Self.shortest(bytes[range], redactor)
        know(encoded: part, of: Self.secret(of: redactor.redacted(part)), line: line(of: part))
      }
    }
  }

  /// Returns a hidden text without the segments of a path around the secret.
  ///
  /// A slash is also a digit of base 64, so the digits of a secret seem to go on beyond it.
  private static func shortest(_ bytes: ArraySlice<UInt8>, _ redactor: Redactor) -> String {
    var text = String(decoding: bytes, as: UTF8.self)
    while let slash = text.firstIndex(of: "/") {
      let rest = String(text[text.index(after: slash)...])
      guard redactor.hides(rest) else { break }
      text = rest
    }
    while let slash = text.lastIndex(of: "/") {
      let rest = String(text[..<slash])
      guard redactor.hides(rest) else { break }
      text = rest
    }
    return text
  }

  /// The name in a placeholder such as `${secret:token:base64}`.
  private static func secret(of placeholder: String) -> String {
    let name = placeholder.drop { $0 != ":" }.dropFirst().prefix { !":#}".contains($0) }
    return name.isEmpty ? "secret" : String(name)
  }

  /// The line of the first request with a text, or else of the first one.
  private func line(of text: String) -> Int {
    let request = requests.first { request in
      ([request.url] + (request.headers + request.query).map(\.value)).contains {
        $0.written.contains(text)
      }
    }
    return (request ?? requests.first)?.line ?? 1
  }
}
