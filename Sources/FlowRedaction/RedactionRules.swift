/// The rules for hiding: the known secrets and the project's patterns.
struct RedactionRules: Sendable {
  private var table = NeedleTable()
  private var secrets: Set<[UInt8]> = []
  /// The secrets of each name, rarely more than one.
  private var named: [String: [String]] = [:]
  /// Their names without numbers.
  private var baseNames: Set<String> = []
  private(set) var patterns: [RedactionPattern] = []

  /// True if secret fields hide texts that are too short to be hidden elsewhere.
  var hasShortSecrets = false
  /// True if a number can be a secret or match a pattern.
  var mayHideNumbers: Bool { hasNumber || !patterns.isEmpty }
  private var hasNumber = false

  /// True if there is nothing to hide.
  var isEmpty: Bool { secrets.isEmpty && patterns.isEmpty && !hasShortSecrets }

  /// Adds a secret.
  ///
  /// A known one keeps its first name, and another one of the same name gets a number.
  mutating func add(_ secret: String, named name: String, number: (_ base: String) -> Int) {
    guard secrets.insert(Array(secret.utf8)).inserted else { return }
    named[name, default: []].append(secret)
    if secret.utf8.allSatisfy({ 0x30...0x39 ~= $0 || "+-.eE".utf8.contains($0) }) {
      hasNumber = true
    }
    baseNames.insert(String(name.prefix { $0 != "#" }))
    // A secret learnt from a recording has its number.
    let isLearnt = secret == Placeholder.secret(name).text
    let number = isLearnt ? 1 : number(PlaceholderNumbers.base(ofSecret: name))
    table.add(Needle.all(for: secret, named: number == 1 ? name : "\(name)#\(number)"))
  }

  /// Replaces the patterns.
  mutating func use(_ patterns: [RedactionPattern]) { self.patterns = patterns }

  /// The number of known secrets.
  var secretCount: Int { secrets.count }

  /// The names of the secrets.
  var names: Set<String> { Set(named.keys) }

  /// Returns true if an address contains a secret, or its beginning where it was cut off, with `-`
  /// in place of other characters than letters and digits.
  func isShown(inAddress address: String) -> Bool {
    let address = Self.plain(address)
    return named.contains { name, texts in
      texts.contains { text in
        guard text != Placeholder.secret(name).text else { return false }
        let text = Self.plain(text)
        return address.contains(text)
          || text.utf8.count > Self.shortestBeginning
            && address.contains(text.prefix(Self.shortestBeginning))
      }
    }
  }

  /// The characters of a secret that an address has by chance hardly ever.
  private static let shortestBeginning = 12

  private static func plain(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }

  /// Returns the secret of a placeholder, or nil if there is none or it is ambiguous.
  ///
  /// It is ambiguous if it may represent another secret of the name, the secret without its blank
  /// lines, or one of its lines.
  func secret(_ name: String) -> String? {
    // A placeholder learnt from a recording is not a secret.
    let secrets = named[name]?.filter { $0 != Placeholder.secret(name).text } ?? []
    guard secrets.count == 1, Needle.parts(of: secrets[0]).isEmpty else { return nil }
    return secrets[0]
  }

  /// Returns the parts of a text to hide, in order.
  func findings(in bytes: [UInt8]) -> [Finding] {
    if isEmpty { return [] }
    let secrets = SecretSearch(table, names: baseNames, patterns).findings(in: bytes)
    // Which of a pattern's texts it is, is not known yet.
    return patterns.isEmpty
      ? secrets : (secrets + patterns.findings(in: bytes, besides: secrets, number: 0)).merged()
  }
}

extension [RedactionPattern] {
  /// Returns the matches of the patterns outside of all secrets, with one number.
  func findings(in bytes: [UInt8], besides secrets: [Finding], number: Int) -> [Finding] {
    var findings: [Finding] = []
    if isEmpty { return findings }
    var start = 0
    for end in secrets.map(\.range) + [bytes.count..<bytes.count] {
      let stretch = Array<UInt8>(bytes[start..<end.lowerBound])
      if !stretch.isEmpty {
        for (index, pattern) in enumerated() {
          findings += pattern.ranges(stretch).filter { !$0.isEmpty }.map {
            Finding(
              start + $0.lowerBound..<start + $0.upperBound,
              [.pattern(index + 1, value: number)])
          }
        }
      }
      start = end.upperBound
    }
    return findings
  }
}

/// A pattern of the project's file, whose matches must not be seen.
///
/// A closure, because the regular expressions belong to a module above this one.
package struct RedactionPattern: Sendable {
  /// Returns the matches in a text in order, or the whole text if that takes too long.
  package let ranges: @Sendable ([UInt8]) -> [Range<Int>]

  package init(ranges: @escaping @Sendable ([UInt8]) -> [Range<Int>]) {
    self.ranges = ranges
  }
}

/// A part of a text to hide, and its replacement.
struct Finding: Sendable {
  /// The stretch, in bytes.
  var range: Range<Int>
  /// The replacement, in order.
  var placeholders: [Placeholder]

  init(_ range: Range<Int>, _ placeholders: [Placeholder]) {
    self.range = range
    self.placeholders = placeholders
  }

  /// True if a pattern found it.
  var isOfPattern: Bool {
    placeholders.contains { if case .pattern = $0 { true } else { false } }
  }

  /// True if it contains a pattern's match without a number yet.
  var isUnnumbered: Bool {
    placeholders.contains { if case .pattern(_, 0) = $0 { true } else { false } }
  }
}

extension [Finding] {
  /// The findings by their places, without overlaps: nothing that any of them covers is left.
  func merged() -> [Finding] {
    let sorted = sorted {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
    var chosen: [Finding] = []
    for finding in sorted where finding.range.lowerBound >= chosen.last?.range.upperBound ?? 0 {
      chosen.append(finding)
    }
    if chosen.count == count { return chosen }
    // A secret that ends as it starts has more findings than places, and they add nothing.
    return chosen.joined(with: sorted)
  }

  /// Returns findings without overlaps, extended by others that cover more.
  ///
  /// All are in order.
  private func joined(with others: [Finding]) -> [Finding] {
    var result: [Finding] = []
    var first = 0
    for finding in others {
      while first < count, self[first].range.upperBound <= finding.range.lowerBound { first += 1 }
      let isChosen = first < count && self[first].range == finding.range
      if !isChosen, covers(finding.range, from: first) { continue }
      guard var last = result.last, finding.range.lowerBound < last.range.upperBound else {
        result.append(finding)
        continue
      }
      guard finding.range.upperBound > last.range.upperBound else { continue }
      last.range = last.range.lowerBound..<finding.range.upperBound
      if last.placeholders.last != finding.placeholders.last {
        last.placeholders += finding.placeholders
      }
      result[result.count - 1] = last
    }
    return result
  }

  private func covers(_ range: Range<Int>, from first: Int) -> Bool {
    var (end, index) = (range.lowerBound, first)
    while index < count, self[index].range.lowerBound <= end, end < range.upperBound {
      end = self[index].range.upperBound
      index += 1
    }
    return end >= range.upperBound
  }

  /// Returns the text with the replacements for the findings, which are merged.
  func replacing(
    in bytes: [UInt8], by written: (Placeholder) -> String = { $0.text }
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var end = 0
    for finding in self {
      result += bytes[end..<finding.range.lowerBound]
      for placeholder in finding.placeholders { result += written(placeholder).utf8 }
      end = finding.range.upperBound
    }
    return result + bytes[end...]
  }
}
