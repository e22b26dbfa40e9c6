import FlowRedaction
import Foundation
import Testing

/// Secrets under generated compositions of encodings.
@Suite struct EncodedSecretTests {
  private static let secrets = [
    "hunter22", "k&y<9>\"x'", "p\u{FC}ss/w\u{F6}rd", "sn\u{F6}w \u{1F600} m+n", #"C:\new\table"#,
    #"100%41 "" ''q"#, "a b+c=d/e==", "x&amp;y\\\"z", "{\"t\":\"v/w\"}", "line one\nline two",
    "$h4ll`o!#~", "${HOME}/secret", "0123456789abcdef", "Zm9vYmFyYmF6", "\u{E9}\u{E8}",
  ]

  @Test func `a secret is found under up to three encodings, and a placeholder in the same places`()
    throws
  {
    var chance = Chance(seed: 20)
    let redactors = try Self.secrets.map(Self.redactor)
    let replayed = try Self.redactor("${secret:key}")
    for index in 0..<4_000 {
      let (secret, live) = (
        Self.secrets[index % redactors.count], redactors[index % redactors.count]
      )
      let seed = chance.next()
      let (text, names) = Self.composition(of: secret, seed: seed)

      let redacted = live.redacted(text)

      #expect(redacted.contains("${secret:key"), "\(names) \(secret): \(text)")
      #expect(
        redacted == replayed.redacted(Self.composition(of: "${secret:key}", seed: seed).text),
        "\(names) \(secret): \(text)")
    }
  }

  private static func redactor(_ secret: String) throws -> Redactor {
    let redactor = Redactor()
    try redactor.add(secret, named: "key")
    return redactor
  }

  @Test(arguments: secrets) func `an encoded text without the secret stays as it is`(
    _ secret: String
  ) throws {
    let redactor = try Self.redactor(secret)
    var chance = Chance(seed: 7)
    for _ in 0..<100 {
      let (text, _) = Self.composition(of: "Swordfish & Co: 'n\"", seed: chance.next())

      #expect(redactor.redacted(text) == text)
    }
  }

  /// A text with others around it, encoded once to three times.
  private static func composition(
    of secret: String, seed: UInt64
  ) -> (text: String, names: [String]) {
    var chance = Chance(seed: seed)
    var (text, names) = (secret, [String]())
    for _ in 0..<1 + Int(chance.next() % 3) {
      let encoding = chance.element(of: Encoding.allCases)
      // What follows on digits without padding must be none of them, and a blank may become one.
      let around = ["", ": ", "<", "\u{E9}, "]
      let before = chance.element(of: around + [" ", "user:"])
      let after = chance.element(of: around)
      text = encoding.encoded(before + text + after, style: chance.next())
      names.append("\(encoding)")
    }
    return ("(\(text))", names)
  }
}

/// An encoding that programs apply to texts; a style says which of its ways is taken.
private enum Encoding: CaseIterable {
  case percent, form, json, reference, csv, yaml, shell, base64, hexadecimal

  func encoded(_ text: String, style: UInt64) -> String {
    switch self {
    case .percent: text.utf8.map { Self.percent($0, style) }.joined()
    case .form:
      text.utf8.map { $0 == 0x20 ? "+" : Self.percent($0, style & ~1) }.joined()
    case .json: text.unicodeScalars.map { Self.json($0, style) }.joined()
    case .reference: text.unicodeScalars.map { Self.reference($0, style) }.joined()
    case .csv: text.replacing("\"", with: "\"\"")
    case .yaml: text.replacing("'", with: "''")
    case .shell: text.replacing("'", with: style & 1 == 0 ? #"'\''"# : #"'"'"'"#)
    case .base64: Self.base64(text, style)
    case .hexadecimal: text.utf8.map { Self.hexadecimal($0, isUpper: style & 1 == 0) }.joined()
    }
  }

  private static func hexadecimal(_ byte: UInt8, isUpper: Bool) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: isUpper)
  }

  private static func percent(_ byte: UInt8, _ style: UInt64) -> String {
    let character = Character(Unicode.Scalar(byte))
    let isPlain =
      byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
    // Some leave the slash alone.
    let isLeft = isPlain || style & 4 != 0 && byte == UInt8(ascii: "/")
    return isLeft ? "\(character)" : "%" + hexadecimal(byte, isUpper: style & 2 == 0)
  }

  private static func json(_ scalar: Unicode.Scalar, _ style: UInt64) -> String {
    switch scalar {
    case "\"", "\\": return "\\\(scalar)"
    case "\n": return "\\n"
    case "/" where style & 1 == 0: return "\\/"
    case "&" where style & 2 == 0, "<" where style & 2 == 0, ">" where style & 2 == 0,
      _ where !scalar.isASCII && style & 4 == 0:
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16, uppercase: style & 8 == 0)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    default: return "\(scalar)"
    }
  }

  private static func reference(_ scalar: Unicode.Scalar, _ style: UInt64) -> String {
    let names: [Unicode.Scalar: String] = [
      "&": "amp", "<": "lt", ">": "gt", "\"": "quot", "'": "apos", "\u{FC}": "uuml",
    ]
    guard names[scalar] != nil || !scalar.isASCII else { return "\(scalar)" }
    switch style % 3 {
    case 0: return names[scalar].map { "&\($0);" } ?? "\(scalar)"
    case 1: return "&#\(scalar.value);"
    default: return "&#x\(String(scalar.value, radix: 16));"
    }
  }

  private static func base64(_ text: String, _ style: UInt64) -> String {
    var digits = Data(text.utf8).base64EncodedString()
    if style & 1 == 0 { digits = digits.replacing("=", with: "") }
    if style & 2 == 0 {
      digits = digits.replacing("+", with: "-").replacing("/", with: "_")
    }
    return digits
  }
}

/// Numbers that are the same for the same seed.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }
}
