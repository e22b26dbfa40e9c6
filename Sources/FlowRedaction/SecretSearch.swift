internal import FlowSystem

/// Finds secrets in a text in any encoding.
///
/// The text is decoded, and the result again: escapes of all kinds, base 64 and hexadecimal digits,
/// in any order. The time is proportional to the text, and nearly all texts contain nothing that
/// could decode to a secret.
struct SecretSearch {
  /// The most nested encodings of a secret: three, and one in the secret itself.
  private static let layers = 4

  private let table: NeedleTable
  /// The names of the secrets, without numbers.
  private let names: Set<String>
  private let patterns: [RedactionPattern]

  init(_ table: NeedleTable, names: Set<String>, _ patterns: [RedactionPattern]) {
    self.table = table
    self.names = names
    self.patterns = patterns
  }

  /// Returns the secrets in a text and its placeholders, in order, without overlaps.
  func findings(in text: [UInt8]) -> [Finding] {
    findings(in: SearchedText(bytes: text), Self.layers)
  }

  private func findings(in searched: SearchedText, _ layers: Int) -> [Finding] {
    var searched = searched
    let text = searched.bytes
    var found = hidden(in: text)
    let (hasEscapes, isCut) = table.search(text) {
      found.append(Finding($0.range, [$0.needle.placeholder]))
    }
    found = found.merged()
    searched.isCut = isCut
    guard layers > 0, !table.isEmpty else { return found }
    if hasEscapes, let unescaped = UnescapedText(text, quotes: table.quotes) {
      let inner = SearchedText(bytes: unescaped.bytes, escapes: unescaped.escapes)
      let more = findings(in: inner, layers - 1).map {
        Finding(unescaped.original($0.range), $0.placeholders)
      }
      found = (found + more.filter { !isKnown($0, found, in: text) }).merged()
    }
    // Hexadecimal first, because its digits are also digits of base 64.
    for form in [DigitForm.hexadecimal, .base64] {
      let runs = DigitRuns(form, in: searched, besides: found.map(\.range), for: table)
      if runs.ranges.isEmpty { continue }
      let hidden = findings(in: runs, layers - 1)
      let more = form == .base64 ? wholeTexts(hidden, runs, text) : stretches(hidden, runs)
      if !more.isEmpty { found = (found + more).merged() }
    }
    return found
  }

  /// Returns true if a secret was found apart from a quotation mark next to it that looks like a
  /// doubled one of its own.
  ///
  /// This happens for a secret in quotation marks.
  private func isKnown(_ finding: Finding, _ found: [Finding], in text: [UInt8]) -> Bool {
    guard !table.quotes.isEmpty else { return false }
    let whole = finding.range
    return found.contains { known in
      let inner = known.range
      guard known.placeholders == finding.placeholders, whole.contains(inner), whole != inner else {
        return false
      }
      let isBefore = whole.lowerBound < inner.lowerBound
      let isBehind = whole.upperBound > inner.upperBound
      let (before, behind) = (inner.lowerBound - 1, inner.upperBound)
      guard before >= 0, behind < text.count, text[before] == text[behind],
        "'\"".utf8.contains(text[before])
      else { return false }
      return (!isBefore || whole.lowerBound == before)
        && (!isBehind || whole.upperBound == behind + 1)
    }
  }

  // MARK: - Digits

  private typealias Hidden = (place: DecodedDigits.Place, placeholders: [Placeholder])

  /// Returns the findings in the decoded digits.
  private func findings(in runs: DigitRuns, _ layers: Int) -> [Hidden] {
    runs.form.phases.flatMap { phase -> [Hidden] in
      let decoded = runs.decoded(at: phase)
      if decoded.bytes.isEmpty { return [] }
      let found = findings(in: SearchedText(bytes: decoded.bytes), layers)
      if found.isEmpty { return [] }
      // Hidden text must not be guessable by a digest of the content encoded with it.
      return (found + patterns.findings(in: decoded.bytes, besides: found, number: 1)).merged().map
      {
        (decoded.place(of: $0.range), $0.placeholders)
      }
    }
  }

  /// The hexadecimal digits of secrets alone: each byte has its own.
  private func stretches(_ hidden: [Hidden], _ runs: DigitRuns) -> [Finding] {
    hidden.compactMap { place, placeholders in
      guard placeholders.contains(where: \.isSecret) else { return nil }
      let start = runs.ranges[place.run].lowerBound
      return Finding(
        start + place.bits.lowerBound / 4..<start + place.bits.upperBound / 4,
        placeholders.map { $0.written(as: .hex) })
    }.merged()
  }

  /// Returns the whole base 64 texts that contain secrets, with their padding.
  ///
  /// The digits next to a secret reveal some of it, and the digits after it depend on its length. A
  /// secret that is not encoded ends the text, as its placeholder does in a replay.
  private func wholeTexts(_ hidden: [Hidden], _ runs: DigitRuns, _ text: [UInt8]) -> [Finding] {
    let byRun = Dictionary(grouping: hidden, by: \.place.run)
    return byRun.sorted { $0.key < $1.key }.compactMap { run, hidden in
      let range = runs.ranges[run]
      let parts = hidden.map {
        EncodedContent.Part(bits: $0.place.bits, placeholders: $0.placeholders)
      }
      guard
        let placeholder = EncodedContent(text[range], isCut: runs.isCut(range), parts).placeholder
      else { return nil }
      let padding = text[range.upperBound...].prefix(2).prefix { $0 == UInt8(ascii: "=") }
      return Finding(range.lowerBound..<padding.endIndex, [placeholder])
    }
  }

  // MARK: - What is hidden already

  /// Returns the known placeholders in a text.
  private func hidden(in text: [UInt8]) -> [Finding] {
    PlaceholderNumbers.places(in: text).filter { isKnown($0, in: text) }.map {
      Finding($0.range, [$0.placeholder])
    }
  }

  private func isKnown(_ place: PlaceholderNumbers.Place, in text: [UInt8]) -> Bool {
    if let pattern = place.pattern { return pattern <= patterns.count }
    guard names.contains(String(place.base.dropFirst(PlaceholderNumbers.base(ofSecret: "").count)))
    else { return false }
    // Who knows a secret may have written it where a number or a digest belongs.
    let end = place.range.lowerBound + place.base.utf8.count
    return !(end..<place.range.upperBound).contains { table.match(in: text, at: $0) != nil }
  }
}

extension Placeholder {
  fileprivate var isSecret: Bool {
    if case .secret = self { true } else { false }
  }
}
