/// What must not be seen: the secrets that are known and the project's patterns.
struct RedactionRules: Sendable {
  /// How many layers of escapes may lie on each other around a secret.
  private static let layers = 2

  private var table = NeedleTable()
  private var secrets: Set<[UInt8]> = []
  /// The secrets of each name; rarely more than one.
  private var named: [String: [String]] = [:]
  private(set) var patterns: [RedactionPattern] = []
  /// How many patterns have placeholders that are left alone.
  private var protected = 0

  /// Whether there is nothing to hide.
  var isEmpty: Bool { secrets.isEmpty && patterns.isEmpty }

  /// Takes a secret; one that is known keeps its first name.
  mutating func add(_ secret: String, named name: String) {
    guard secrets.insert(Array(secret.utf8)).inserted else { return }
    named[name, default: []].append(secret)
    table.add(Needle.all(for: secret, named: name))
  }

  /// Takes patterns in the place of those that are there.
  mutating func use(_ patterns: [RedactionPattern]) {
    self.patterns = patterns
    for number in protected..<max(protected, patterns.count) {
      table.add(Needle.protecting(.pattern(number + 1)))
    }
    protected = max(protected, patterns.count)
  }

  /// How many secrets are known.
  var secretCount: Int { secrets.count }

  /// The secret that a placeholder stands for; nil when there is none, or when it may stand for several: for
  /// another secret of the name, for the secret without its blank lines, or for one of its lines.
  func secret(_ name: String) -> String? {
    guard let secrets = named[name], secrets.count == 1, Needle.parts(of: secrets[0]).isEmpty
    else { return nil }
    return secrets[0]
  }

  /// What must not be seen in a text, in order.
  func findings(in bytes: [UInt8]) -> [Finding] {
    if isEmpty { return [] }
    let secrets = secretFindings(in: bytes, withBase64: true)
    return patterns.isEmpty
      ? secrets : (secrets + patternFindings(bytes, besides: secrets)).merged()
  }

  // MARK: - Secrets

  private func secretFindings(in bytes: [UInt8], withBase64: Bool) -> [Finding] {
    var findings: [Finding] = []
    var waiting = [(text: DecodedText(bytes), layers: Self.layers)]
    while let (text, layers) = waiting.popLast() {
      for finding in search(text.bytes, withBase64: withBase64) {
        findings.append(Finding(text.original(finding.range), finding.parts))
      }
      guard layers > 0 else { continue }
      waiting += DecodedText.Layer.allCases.compactMap { layer in
        text.removing(layer).map { ($0, layers - 1) }
      }
    }
    return findings.merged()
  }

  private func search(_ bytes: [UInt8], withBase64: Bool) -> [Finding] {
    var findings: [Finding] = []
    var place = 0
    while place + Needle.shortest <= bytes.count {
      defer { place += 1 }
      guard let match = table.match(in: bytes, at: place, withBase64: withBase64) else { continue }
      let finding = finding(match, in: bytes, behind: findings.last?.range.upperBound ?? 0)
      findings.append(finding)
      // The rest of the encoded text was looked through with it.
      if match.needle.phase != nil { place = max(place, finding.range.upperBound - 1) }
    }
    return findings.merged()
  }

  private func finding(
    _ match: NeedleTable.Match, in bytes: [UInt8], behind begin: Int
  ) -> Finding {
    if let group = match.group, !match.isCut {
      var start = match.range.lowerBound
      while start > begin, Base64Text.isDigit(bytes[start - 1]) { start -= 1 }
      let run = start..<endOfBase64(with: match, group: group, in: bytes)
      if let finding = finding(inBase64: run, group, match.range, bytes) { return finding }
    }
    return Finding(match.range, [.placeholder(match.needle.placeholder)])
  }

  /// Where a text in base 64 ends: where its digits do, and before a secret that is none of its bytes.
  ///
  /// What joins it to the next text may be a digit, as in `aHVudGVy/aHVudGVy`.
  private func endOfBase64(
    with match: NeedleTable.Match, group: Int, in bytes: [UInt8]
  ) -> Int {
    var alphabet = bytes[match.range].lazy.compactMap(Base64Text.alphabet).first
    var (place, last) = (match.range.upperBound, match.range.upperBound)
    while place < bytes.count, Base64Text.isDigit(bytes[place]) {
      if let next = table.match(in: bytes, at: place, withBase64: true) {
        guard next.isInText(ofGroup: group, alphabet, bytes) else {
          return joiner(behind: last, before: next, in: bytes)
        }
        last = max(last, next.range.upperBound)
      }
      let other = Base64Text.alphabet(bytes[place])
      // No text is of both alphabets.
      if let alphabet, let other, alphabet != other { break }
      alphabet = alphabet ?? other
      place += 1
    }
    return place
  }

  /// Where a text ends whose last secret ends at a place, and which a secret in a text of its own follows.
  private func joiner(
    behind last: Int, before next: NeedleTable.Match, in bytes: [UInt8]
  ) -> Int {
    let begin = next.group ?? next.range.lowerBound
    let between = last..<max(last, begin)
    let joiner = between.last {
      Base64Text.alphabet(bytes[$0]) != nil && (next.group == nil || (begin - $0) % 4 == 1)
    }
    return joiner ?? between.upperBound
  }

  /// What is found in a text in base 64 up to its end, the rest of it encoded anew: a digit at the border of a
  /// secret would tell of it, and all digits behind it would depend on its length.
  private func finding(
    inBase64 run: Range<Int>, _ group: Int, _ place: Range<Int>, _ bytes: [UInt8]
  ) -> Finding? {
    let start = run.lowerBound + (((group - run.lowerBound) % 4) + 4) % 4
    guard start <= place.lowerBound else { return nil }
    let content = Base64Text.decoded(bytes[start..<run.upperBound])
    let inner = secretFindings(in: content, withBase64: false)
    guard let first = inner.first else { return nil }
    let from = start + first.range.lowerBound * 8 / 6
    var parts: [Finding.Part] = []
    // The digit that the secret shares with what stands before it.
    let before = content[..<first.range.lowerBound].suffix(first.range.lowerBound % 3)
    if let digit = Base64Text.encoded(before).last { parts.append(.text([digit])) }
    var end = first.range.lowerBound
    for finding in inner {
      parts += Self.encoded(content[end..<finding.range.lowerBound])
      parts += finding.parts.map(\.inBase64)
      end = finding.range.upperBound
    }
    parts += Self.encoded(content[end...])
    var to = run.upperBound
    while to < bytes.count, bytes[to] == UInt8(ascii: "="), to - run.upperBound < 2 { to += 1 }
    return Finding(from..<to, parts)
  }

  private static func encoded(_ content: ArraySlice<UInt8>) -> [Finding.Part] {
    content.isEmpty ? [] : [.text(Base64Text.encoded(content))]
  }

  // MARK: - Patterns

  /// What the patterns match in what no secret covers.
  private func patternFindings(_ bytes: [UInt8], besides secrets: [Finding]) -> [Finding] {
    var findings: [Finding] = []
    var start = 0
    for end in secrets.map(\.range) + [bytes.count..<bytes.count] {
      let stretch = Array(bytes[start..<end.lowerBound])
      if !stretch.isEmpty {
        for (index, pattern) in patterns.enumerated() {
          findings += pattern.ranges(stretch).filter { !$0.isEmpty }.map {
            Finding(
              start + $0.lowerBound..<start + $0.upperBound,
              [.placeholder(.pattern(index + 1))])
          }
        }
      }
      start = end.upperBound
    }
    return findings
  }
}

extension Finding.Part {
  fileprivate var inBase64: Finding.Part {
    if case .placeholder(let placeholder) = self { return .placeholder(placeholder.inBase64) }
    return self
  }
}
