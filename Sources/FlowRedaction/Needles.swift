internal import FlowSystem

/// One way to write a secret, as bytes that a text is searched for.
struct Needle: Sendable {
  /// What is searched for; four bytes or more.
  let bytes: [UInt8]
  /// What it says.
  let placeholder: Placeholder
  /// Whether it is a secret in base 64.
  var isBase64 = false

  /// The fewest bytes of a secret: shorter ones stand in every text by chance.
  static let shortest = 4
  /// The shortest line of a secret of several lines that is searched for by itself.
  private static let shortestLine = 8

  /// All ways to write a secret.
  ///
  /// What is percent-encoded or escaped in JSON is found by decoding the text, so it needs no needle here.
  static func all(for secret: String, named name: String) -> [Needle] {
    let values = [Array(secret.utf8)] + parts(of: secret)
    let needles = (values + values.compactMap(misread)).flatMap { forms(of: $0, name) }
    // What was redacted before stays as it is.
    return needles + protecting(.secret(name))
      + Placeholder.Form.allCases.flatMap { protecting(.secret(name, $0)) }
  }

  /// UTF-8 that was taken for Latin-1, as by a server that answers with the headers of the request; nil for ASCII.
  private static func misread(_ value: [UInt8]) -> [UInt8]? {
    guard value.contains(where: { $0 >= 0x80 }) else { return nil }
    return value.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
  }

  /// What is made of a secret by trimming it and by splitting it into lines, other than the secret itself.
  ///
  /// A file often ends in a blank line that is none of the secret's, and who uses it removes that.
  static func parts(of secret: String) -> [[UInt8]] {
    let lines = secret.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
    var parts = [Array(secret.withoutBlanksAround.utf8)]
    for line in lines {
      for part in [String(line), String(line).withoutBlanksAround]
      where part.utf8.count >= shortestLine && !part.withoutBlanksAround.isEmpty {
        parts.append(Array(part.utf8))
      }
    }
    var known: Set = [Array(secret.utf8)]
    return parts.filter { !$0.isEmpty && known.insert($0).inserted }
  }

  /// A placeholder that stands in the text already.
  static func protecting(_ placeholder: Placeholder) -> [Needle] {
    [Needle(bytes: Array(placeholder.text.utf8), placeholder: placeholder)]
  }

  private static func forms(of value: [UInt8], _ name: String) -> [Needle] {
    let plain = Placeholder.secret(name)
    var needles = [Needle(bytes: value, placeholder: plain)]
    let blank = UInt8(ascii: " ")
    if value.contains(blank) {
      let joined = value.map { $0 == blank ? UInt8(ascii: "+") : $0 }
      needles.append(Needle(bytes: joined, placeholder: plain))
    }
    if value.contains(UInt8(ascii: "+")) {
      // What reads a form or a query takes it for a blank, also where it was written as it is.
      let separated = value.map { $0 == UInt8(ascii: "+") ? blank : $0 }
      needles.append(Needle(bytes: separated, placeholder: plain))
    }
    let quote = UInt8(ascii: "'")
    if value.contains(quote) {
      // How it stands in quotes: of YAML (1.2, section 7.3.2) and in the two ways of shells.
      for quoted in ["''", #"'"'"'"#, #"'\''"#] {
        let bytes = value.flatMap { $0 == quote ? Array(quoted.utf8) : [$0] }
        needles.append(Needle(bytes: bytes, placeholder: plain))
      }
    }
    for isUpperCase in [false, true] {
      let digits = Array(value.hexadecimalText(uppercase: isUpperCase).utf8)
      needles.append(Needle(bytes: digits, placeholder: .secret(name, .hex)))
    }
    // An encoded text is often JSON or a query, in which the secret is escaped already.
    for written in Set([value, escapedInJSON(value), Array(value.percentEncodedText().utf8)]) {
      for phase in 0..<3 { needles += base64(written, phase, name) }
    }
    return needles
  }

  /// The digits that depend on the secret alone, in both alphabets, where `phase` bytes of its first group of
  /// three come before it.
  private static func base64(_ value: [UInt8], _ phase: Int, _ name: String) -> [Needle] {
    let first = (phase * 8 + 5) / 6
    let count = (phase + value.count) * 8 / 6 - first
    let padded = [UInt8](repeating: 0, count: phase) + value
    let digits = Base64.digits(of: padded)[first..<first + count]
    return [Base64.standard, Base64.url].map { alphabet in
      Needle(
        bytes: digits.map { alphabet[Int($0)] }, placeholder: .secret(name, .base64), isBase64: true
      )
    }
  }

  private static func escapedInJSON(_ value: [UInt8]) -> [UInt8] {
    value.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
      case 0x0A: Array(#"\n"#.utf8)
      case 0x0D: Array(#"\r"#.utf8)
      case 0x09: Array(#"\t"#.utf8)
      default: [byte]
      }
    }
  }

}

/// Finds needles in a text: in time proportional to the text, and to the length of a secret where the text
/// keeps beginning one.
struct NeedleTable: Sendable {
  private var needles: [Needle] = []
  /// The needles by their first four bytes.
  private var indices: [UInt32: [Int]] = [:]
  /// Whether a needle begins with two bytes; tells almost every place of a text apart.
  private var begins: [Bool] = []

  mutating func add(_ more: [Needle]) {
    if begins.isEmpty { begins = Array(repeating: false, count: 1 << 16) }
    for needle in more where needle.bytes.count >= Needle.shortest {
      indices[Self.key(needle.bytes, 0), default: []].append(needles.count)
      begins[Self.pair(needle.bytes, 0)] = true
      needles.append(needle)
    }
  }

  /// A needle in a text.
  struct Match {
    let needle: Needle
    let range: Range<Int>
  }

  /// The longest needle that begins at a place.
  func match(in text: [UInt8], at start: Int) -> Match? {
    guard !needles.isEmpty, start + Needle.shortest <= text.count, begins[Self.pair(text, start)],
      let candidates = indices[Self.key(text, start)]
    else { return nil }
    var longest: Match?
    for needle in candidates.lazy.map({ needles[$0] }) {
      guard let match = Self.match(needle, text, start),
        match.range.count > (longest?.range.count ?? 0)
      else { continue }
      longest = match
    }
    return longest
  }

  /// What messages end a text with that they cut off.
  static let ellipsis = Array("…".utf8)

  private static func match(_ needle: Needle, _ text: [UInt8], _ start: Int) -> Match? {
    var count = 0
    while count < needle.bytes.count, start + count < text.count,
      text[start + count] == needle.bytes[count]
    {
      count += 1
    }
    var end = start + count
    if count == needle.bytes.count {
      return Match(needle: needle, range: start..<end)
    }
    // A dash or a quotation mark of the secret begins with bytes of the ellipsis.
    while end > start, end < text.count, 0x80..<0xC0 ~= text[end] { end -= 1 }
    // A long value is shortened for a message, and the beginning of a secret says most of it.
    guard end - start >= Needle.shortest, text[end...].starts(with: ellipsis) else { return nil }
    return Match(needle: needle, range: start..<end)
  }

  private static func pair(_ text: [UInt8], _ start: Int) -> Int {
    Int(text[start]) << 8 | Int(text[start + 1])
  }

  private static func key(_ text: [UInt8], _ start: Int) -> UInt32 {
    UInt32(pair(text, start)) << 16 | UInt32(pair(text, start + 2))
  }
}

/// What stands in the place of something that must not be seen.
enum Placeholder: Sendable, Hashable {
  /// How a secret was written, where a reader could not guess it.
  enum Form: String, Sendable, CaseIterable {
    case base64
    case hex
  }

  /// A secret of this name.
  case secret(String, Form? = nil)
  /// What a pattern of the project matches, by the pattern's number and that of the text, both from 1.
  case pattern(Int, value: Int = 1)

  /// `${secret:api_token}`, `${secret:api_token#2:base64}`, `${redacted:2}`, `${redacted:2#3}`.
  ///
  /// The first text has no number.
  var text: String {
    switch self {
    case .secret(let name, nil): "${secret:\(name)}"
    case .secret(let name, let form?): "${secret:\(name):\(form.rawValue)}"
    case .pattern(let number, 1): "${redacted:\(number)}"
    case .pattern(let number, let value): "${redacted:\(number)#\(value)}"
    }
  }
}
