package import FlowCore
internal import FlowSystem
private import Synchronization

/// Replaces secrets by placeholders in all output of a run.
///
/// It receives secrets during the run, and finds each of them from then on, encoded or not and
/// inside of longer text. The redacted form of a value derived from a secret equals that of the
/// value derived from its placeholder, so a replay, which has placeholders for secrets, produces
/// the same forms.
package final class Redactor: Sendable {
  private let rules: Mutex<RedactionRules>
  /// By itself, since the rules are copied for every text.
  private let numbering = Mutex(Numbering())
  /// True if there is anything to hide, read for every event.
  private let hasRules: Atomic<Bool>
  /// The redactor that receives every secret, too.
  private let outer: Redactor?
  /// The environment variables from which secrets were read.
  private let variables = Mutex<Set<String>>([])
  /// The credentials of programs that a recording shows.
  private let visible = Mutex<Set<String>>([])

  /// Creates a redactor without secrets.
  package init() {
    rules = Mutex(RedactionRules())
    hasRules = Atomic(false)
    outer = nil
  }

  /// Creates a redactor of one of several runs, with the patterns of `outer`, which receives its
  /// secrets.
  ///
  /// Runs do not share their secrets, so that the output of one does not depend on the others.
  package convenience init(within outer: Redactor) {
    self.init(patternsOf: outer, telling: outer)
  }

  /// Creates a redactor with the patterns of another one that keeps its secrets to itself, for runs
  /// with invented secrets.
  package convenience init(patternsOf other: Redactor) {
    self.init(patternsOf: other, telling: nil)
  }

  private convenience init(patternsOf other: Redactor, telling outer: Redactor?) {
    var rules = RedactionRules()
    rules.use(other.rules.withLock(\.patterns))
    self.init(rules, telling: outer)
    let known = other.secretVariables
    variables.withLock { $0 = known }
  }

  private init(_ rules: RedactionRules, telling outer: Redactor?) {
    hasRules = Atomic(!rules.isEmpty)
    self.rules = Mutex(rules)
    self.outer = outer
  }

  /// The redactor with its present secrets, without patterns, which would match flow's own output
  /// as well.
  package var withoutPatterns: Redactor {
    var rules = rules.withLock { $0 }
    rules.use([])
    return Redactor(rules, telling: nil)
  }

  /// True if there is anything to hide.
  package var isActive: Bool { hasRules.load(ordering: .acquiring) }

  /// Returns true if a string without the blanks around it is long enough to be hidden, or is
  /// empty.
  package static func canHide(_ text: String) -> Bool {
    text.isEmpty || text.withoutBlanksAround.utf8.count >= Needle.shortest
  }

  /// Returns the placeholder for a secret of this name.
  package static func placeholder(for name: String) -> String { Placeholder.secret(name).text }

  /// Hides a secret from now on, unless it is empty.
  ///
  /// - Throws: `SecretError` when it is too short to be hidden.
  package func add(_ secret: String, named name: String) throws(SecretError) {
    if secret.isEmpty { return }
    guard Self.canHide(secret) else { throw .tooShort(name) }
    rules.withLock { rules in
      rules.add(secret, named: name) { base in numbering.withLock { $0.next(of: base) } }
    }
    hasRules.store(true, ordering: .releasing)
    try outer?.add(secret, named: name)
  }

  /// The environment variables from which secrets were read.
  package var secretVariables: Set<String> { variables.withLock { $0 } }

  /// Notes the environment variable from which a secret was read.
  package func note(variable name: String) { variables.withLock { _ = $0.insert(name) } }

  /// Hides secret fields from now on whose texts are too short to be hidden elsewhere.
  func hideFieldsAlone() {
    rules.withLock { $0.hasShortSecrets = true }
    hasRules.store(true, ordering: .releasing)
  }

  /// Returns the string of a number with placeholders, or nil if it may be shown.
  ///
  /// A secret that is only a part of a number is there by chance.
  package func redactedNumber(_ text: String) -> String? {
    guard rules.withLock(\.mayHideNumbers) else { return nil }
    let bytes = Array(text.utf8)
    let findings = findings(in: bytes)
    let isHidden =
      findings.contains { $0.range.count == bytes.count || $0.isOfPattern }
    return isHidden ? String(decoding: findings.replacing(in: bytes), as: UTF8.self) : nil
  }

  /// Hides matches of these patterns from now on, in place of the earlier patterns.
  package func use(_ patterns: [RedactionPattern]) {
    let isEmpty = rules.withLock {
      $0.use(patterns)
      return $0.isEmpty
    }
    hasRules.store(!isEmpty, ordering: .releasing)
  }

  /// A text with placeholders.
  package func redacted(_ text: String) -> String {
    guard isActive else { return text }
    let bytes = Array(text.utf8)
    let findings = findings(in: bytes)
    if findings.isEmpty { return text }
    return String(decoding: findings.replacing(in: bytes), as: UTF8.self)
  }

  /// Returns a text with the names of secrets and patterns in place of what they hide:
  /// `bots/secret-token/send`.
  ///
  /// Without numbers, which depend on what was hidden before, and without the forms of encodings.
  package func named(_ text: String) -> String {
    guard isActive else { return text }
    let bytes = Array(text.utf8)
    let findings = rules.withLock { $0 }.findings(in: bytes)
    return String(decoding: findings.replacing(in: bytes, by: \.label), as: UTF8.self)
  }

  /// Returns true if something in a string is hidden, without numbering it.
  package func hides(_ text: String) -> Bool {
    guard isActive else { return false }
    return !rules.withLock { $0 }.findings(in: Array(text.utf8)).isEmpty
  }

  /// Returns true if the address of a call, as any version of flow wrote it, contains a secret.
  package func isShown(inAddress address: String) -> Bool {
    rules.withLock { $0 }.isShown(inAddress: address)
  }

  /// Returns the stretches of a text that are hidden, in order, without numbering them.
  package func hiddenRanges(in bytes: [UInt8]) -> [Range<Int>] {
    guard isActive else { return [] }
    return rules.withLock { $0 }.findings(in: bytes).map(\.range)
  }

  /// Bytes with placeholders.
  package func redacted(_ bytes: [UInt8]) -> [UInt8] {
    guard isActive else { return bytes }
    return findings(in: bytes).replacing(in: bytes)
  }

  /// Returns a text with an asterisk for each hidden character, so that every line keeps its
  /// length.
  package func masked(_ bytes: [UInt8]) -> [UInt8] {
    guard isActive else { return bytes }
    var (result, end): ([UInt8], Int) = ([], 0)
    for finding in findings(in: bytes) {
      result += bytes[end..<finding.range.lowerBound]
      for byte in bytes[finding.range] {
        switch byte {
        case 0x0A, 0x0D: result.append(byte)
        // What follows the first byte of a character (RFC 3629, section 3).
        case 0x80..<0xC0: continue
        default: result.append(UInt8(ascii: "*"))
        }
      }
      end = finding.range.upperBound
    }
    return result + bytes[end...]
  }

  /// Returns the first secret input that an expression reads, or nil.
  package func secretInput(in code: String) -> String? {
    guard hasSecrets else { return nil }
    let names = rules.withLock { $0.names }
    for range in code.ranges(of: "inputs.") {
      let name = String(
        code[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      if names.contains(name) { return name }
    }
    return nil
  }

  /// Returns the secret of a placeholder, or nil if it is unknown or ambiguous.
  func secret(_ name: String) -> String? { rules.withLock { $0.secret(name) } }

  /// True if a secret is known, as opposed to patterns.
  package var hasSecrets: Bool { secretCount > 0 }

  /// The number of known secrets.
  package var secretCount: Int { rules.withLock(\.secretCount) }

  private func findings(in bytes: [UInt8]) -> [Finding] {
    // Not under the lock, since patterns take their time.
    let findings = rules.withLock { $0 }.findings(in: bytes)
    guard findings.contains(where: \.isUnnumbered) else { return findings }
    return numbering.withLock { $0.number(findings, in: bytes) }
  }

  // MARK: - Credentials of programs

  /// Leaves credentials of programs as they are that a recording shows, so that it stays equal.
  package func leaveVisible(_ texts: Set<String>) { visible.withLock { $0.formUnion(texts) } }

  /// Returns true if a credential of a program stays as it is.
  func leavesVisible(_ text: String) -> Bool { visible.withLock { $0.contains(text) } }

  /// Returns the placeholder of a text in one place, which is hidden nowhere else.
  func placeholder(for text: String, named name: String) -> String {
    hasRules.store(true, ordering: .releasing)
    let base = PlaceholderNumbers.base(ofSecret: name)
    let number = numbering.withLock { $0.number(of: Array(text.utf8)[...], base) }
    return Placeholder.secret(number == 1 ? name : "\(name)#\(number)").text
  }

  // MARK: - Numbers

  /// Stops numbering hidden texts, so that texts of one name share a placeholder.
  ///
  /// For journals, since a process that continues one would number the texts in another order.
  package func stopNumbering() { numbering.withLock { $0.isOn = false } }

  /// Reserves the numbers of a recording, to distinguish served texts from those hidden here.
  package func reserve(_ numbers: [String: Int]) {
    numbering.withLock { $0.reserve(numbers) }
  }

  /// Reserves all numbers of a recording whose hidden texts are unknown.
  ///
  /// A text of one of these secrets is taken for the recorded one.
  package func reserve(_ numbers: [String: Int], except secrets: [String]) {
    let same = Set(secrets.map(PlaceholderNumbers.base(ofSecret:)))
    numbering.withLock { $0.reserveAll(numbers.filter { !same.contains($0.key) }) }
  }

  /// Returns true if a placeholder has a number that was assigned here, and not a recorded one.
  package func isOwn(_ place: PlaceholderNumbers.Place) -> Bool {
    numbering.withLock { $0.isOwn(place) }
  }
}

extension Secrets {
  /// Creates secrets that `given` finds by their names, and that a redactor hides when they are
  /// read.
  package init(redactor: Redactor, given: @escaping @Sendable (String) -> String?) {
    self.init(variables: redactor.secretVariables, given: given) { text in
      redactor.hides(text)
    } naming: { text in
      redactor.named(text)
    } hasAny: {
      redactor.isActive
    } hide: { (secret, name) throws(SecretError) in
      try redactor.add(secret, named: name)
    }
  }
}

extension Redactor {
  private static let beginnings = ["${secret:", "${redacted:"]

  /// Returns true if a value contains a placeholder.
  package static func hasPlaceholder(_ value: Value) -> Bool {
    switch value {
    case .string(let text): hasPlaceholder(text)
    // Redacted bytes need not be text, and placeholders are ASCII.
    case .bytes(let bytes): hasPlaceholder(String(decoding: bytes.content, as: UTF8.self))
    case .list(let values): values.contains(where: hasPlaceholder)
    case .optional(let value): value.map(hasPlaceholder) ?? false
    case .record(let record): record.values.contains(where: hasPlaceholder)
    case .map(let map):
      map.entries.contains { hasPlaceholder($0.key) || hasPlaceholder($0.value) }
    case .null, .bool, .int, .uint, .double, .decimal, .number, .timestamp, .duration, .type: false
    }
  }

  private static func hasPlaceholder(_ text: String) -> Bool {
    // Excludes almost every string.
    text.utf8.contains(UInt8(ascii: "$")) && beginnings.contains { text.contains($0) }
  }

  /// Registers the placeholders of a recorded value as secrets, as in a replay.
  ///
  /// A secret known only to a component is then recognised by its placeholder in derived values,
  /// too.
  package func registerPlaceholders(in value: Value) {
    for name in Self.names(in: value) { registerPlaceholder(of: name) }
  }

  /// The most names taken from a recording, which may come from anyone.
  static let mostNames = 1_000

  private func registerPlaceholder(of name: String) {
    guard secretCount < Self.mostNames else { return }
    // Never too short.
    try? add(Placeholder.secret(name).text, named: name)
  }

  /// Returns the names of the secrets hidden in a value, without their forms and with repetitions.
  private static func names(in value: Value) -> [String] {
    texts(in: value).flatMap { text in
      placeholderBodies(in: text, after: beginnings[0]).compactMap { body in
        let name = body.prefix {
          $0.isASCII && ($0.isLetter || $0.isNumber || "_-.#".contains($0))
        }
        return name.isEmpty || name.utf8.count > PlaceholderNumbers.longestName ? nil : String(name)
      }
    }
  }

  /// Returns the placeholders in a value, such as `${secret:token:base64}` and `${redacted:1}`.
  package static func placeholders(in value: Value) -> Set<String> {
    guard hasPlaceholder(value) else { return [] }
    return Set(
      texts(in: value).flatMap { text in
        beginnings.flatMap { beginning in
          placeholderBodies(in: text, after: beginning).compactMap { body in
            let content = body.prefix(PlaceholderNumbers.longestName + 40).prefix { $0 != "}" }
            return body.dropFirst(content.count).first == "}" ? "\(beginning)\(content)}" : nil
          }
        }
      })
  }

  /// Returns the advice for a placeholder whose secret is unknown, even if one of that name is
  /// given.
  package static func remedy(for placeholder: String, given: (String) -> String?) -> String {
    let parts = placeholder.dropFirst(2).dropLast().split(separator: ":")
    guard parts.first == "secret", parts.count > 1 else {
      return "'\(placeholder)' hides a match of a pattern of 'redact', and its value is unknown"
    }
    let name = String(parts[1])
    if name.contains("#") {
      return "'\(placeholder)' hides one of several secrets of that name, and its value is unknown"
    }
    guard parts.count == 2 else {
      return
        "'\(placeholder)' hides a whole string that contains the secret, and its value is unknown"
    }
    guard let secret = given(name) else {
      if !name.contains(".") { return SecretError.advice(name) }
      return "'\(placeholder)' hides a secret that only a component knew"
    }
    return canHide(secret)
      ? "'\(placeholder)' may hide only part of the secret, such as one line"
      : "\(SecretError.tooShort(name))"
  }

  /// Returns the text after each start of a placeholder.
  private static func placeholderBodies(in text: String, after beginning: String) -> [Substring] {
    guard hasPlaceholder(text) else { return [] }
    return text.ranges(of: beginning).map { text[$0.upperBound...] }
  }

  /// Returns the strings of a value, including its keys and the text in its bytes.
  private static func texts(in value: Value) -> [String] {
    switch value {
    case .string(let text): [text]
    case .bytes(let bytes) where bytes.content.contains(UInt8(ascii: "$")):
      [String(decoding: bytes.content, as: UTF8.self)]
    case .list(let values): values.flatMap(texts)
    case .optional(let value?): texts(in: value)
    case .record(let record): record.values.flatMap(texts)
    case .map(let map): map.entries.flatMap { texts(in: $0.key) + texts(in: $0.value) }
    default: []
    }
  }

  /// Returns a recorded value with the known secrets in place of their placeholders, or nil if any
  /// placeholder remains.
  package func restored(_ value: Value) -> Value? {
    guard Self.hasPlaceholder(value) else { return value }
    let result = restoringKnown(value)
    return Self.hasPlaceholder(result) ? nil : result
  }

  /// Returns the value with the known secrets, and with the other placeholders unchanged.
  package func restoringKnown(_ value: Value) -> Value {
    Self.hasPlaceholder(value) ? value.mappingTexts(restored) : value
  }

  /// By bytes, since the text around a placeholder may not be UTF-8.
  private func restored(_ bytes: [UInt8]) -> [UInt8] {
    let beginning = Array(Self.beginnings[0].utf8)
    var (result, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    while let start = rest.firstRange(of: beginning) {
      let name = rest[start.upperBound...].prefix { $0 != UInt8(ascii: "}") }
      let secret = secret(String(decoding: name, as: UTF8.self)).map { Array($0.utf8) }
      result += rest[..<start.lowerBound]
      result += secret ?? beginning + name + [UInt8(ascii: "}")]
      rest = rest[name.endIndex...].dropFirst()
    }
    return result + rest
  }
}
