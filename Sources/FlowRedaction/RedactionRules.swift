/// What must not be seen: the secrets that are known and the project's patterns.
struct RedactionRules: Sendable {
  private var table = NeedleTable()
  private var secrets: Set<[UInt8]> = []
  /// The secrets of each name; rarely more than one.
  private var named: [String: [String]] = [:]
  /// Their names without numbers.
  private var baseNames: Set<String> = []
  private(set) var patterns: [RedactionPattern] = []

  /// Whether texts of secret fields are hidden that are too short to be hidden elsewhere.
  var hasShortSecrets = false
  /// Whether a number can be a secret, or what a pattern matches.
  var mayHideNumbers: Bool { hasNumber || !patterns.isEmpty }
  private var hasNumber = false

  /// Whether there is nothing to hide.
  var isEmpty: Bool { secrets.isEmpty && patterns.isEmpty && !hasShortSecrets }

  /// Takes a secret; one that is known keeps its first name, and another one of that name has a number.
  mutating func add(_ secret: String, named name: String, number: (_ base: String) -> Int) {
    guard secrets.insert(Array(secret.utf8)).inserted else { return }
    named[name, default: []].append(secret)
    if secret.utf8.allSatisfy({ 0x30...0x39 ~= $0 || "+-.eE".utf8.contains($0) }) {
      hasNumber = true
    }
    baseNames.insert(String(name.prefix { $0 != "#" }))
    // One that was learnt from what is recorded has its number.
    let isLearnt = secret == Placeholder.secret(name).text
    let number = isLearnt ? 1 : number(PlaceholderNumbers.base(ofSecret: name))
    table.add(Needle.all(for: secret, named: number == 1 ? name : "\(name)#\(number)"))
  }

  /// Takes patterns in the place of those that are there.
  mutating func use(_ patterns: [RedactionPattern]) { self.patterns = patterns }

  /// How many secrets are known.
  var secretCount: Int { secrets.count }

  /// The names of the secrets.
  var names: Set<String> { Set(named.keys) }

  /// The secret that a placeholder stands for; nil when there is none, or when it may stand for several: for
  /// another secret of the name, for the secret without its blank lines, or for one of its lines.
  func secret(_ name: String) -> String? {
    // One that was learnt from what is recorded is no secret.
    let secrets = named[name]?.filter { $0 != Placeholder.secret(name).text } ?? []
    guard secrets.count == 1, Needle.parts(of: secrets[0]).isEmpty else { return nil }
    return secrets[0]
  }

  /// What must not be seen in a text, in order.
  func findings(in bytes: [UInt8]) -> [Finding] {
    if isEmpty { return [] }
    let secrets = SecretSearch(table, names: baseNames, patterns).findings(in: bytes)
    // Which of a pattern's texts it is, is not known yet.
    return patterns.isEmpty
      ? secrets : (secrets + patterns.findings(in: bytes, besides: secrets, number: 0)).merged()
  }
}

extension [RedactionPattern] {
  /// What the patterns match in what no secret covers, with one number.
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
  /// The stretches of a text that match, in order; the whole text when that takes too long.
  package let ranges: @Sendable ([UInt8]) -> [Range<Int>]

  package init(ranges: @escaping @Sendable ([UInt8]) -> [Range<Int>]) {
    self.ranges = ranges
  }
}

/// A stretch of a text that must not be seen, and what stands in its place.
struct Finding: Sendable {
  /// The stretch, in bytes.
  var range: Range<Int>
  /// What stands in its place, in order.
  var placeholders: [Placeholder]

  init(_ range: Range<Int>, _ placeholders: [Placeholder]) {
    self.range = range
    self.placeholders = placeholders
  }

  /// Whether a pattern has found it.
  var isOfPattern: Bool {
    placeholders.contains { if case .pattern = $0 { true } else { false } }
  }

  /// Whether a pattern has found something whose number is not known yet.
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
    // Of a secret that ends as it begins there are more findings than places, which say nothing new.
    return chosen.joined(with: sorted)
  }

  /// Findings without overlaps, made longer where others cover what they do not; all are in order.
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

  /// The text with what stands in the findings' places; they are merged.
  func replacing(in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var end = 0
    for finding in self {
      result += bytes[end..<finding.range.lowerBound]
      for placeholder in finding.placeholders { result += placeholder.text.utf8 }
      end = finding.range.upperBound
    }
    return result + bytes[end...]
  }
}
