private import CPCRE2

/// A class in brackets, as PCRE2 writes it.
///
/// The rules are those of `ParseCharClass` in RE2's `parse.cc`.
struct PatternClass {
  private var reader: PatternReader
  private let ignoresCase: Bool
  private var text = "["

  static func translated(
    _ reader: inout PatternReader, ignoringCase: Bool
  ) throws(PatternProblem) -> String {
    var scanner = PatternClass(reader: reader, ignoresCase: ignoringCase)
    try scanner.scan()
    reader = scanner.reader
    return scanner.text
  }

  private mutating func scan() throws(PatternProblem) {
    _ = reader.take("[")
    if reader.take("^") { text += "^" }
    // A bracket that comes first is literal.
    repeat { try scanPart() } while reader.next != "]" && reader.next != nil
    guard reader.take("]") else { throw .missingBracket }
    text += "]"
  }

  private mutating func scanPart() throws(PatternProblem) {
    if let set = try posixSet() ?? Self.set(&reader) {
      text += set.text(ignoringCase: ignoresCase)
    } else if let property = try PatternProperty(&reader) {
      text += property.parts(ignoringCase: ignoresCase).joined()
    } else {
      try scanRange()
    }
  }

  /// `\d` and its like; nil for everything else.
  static func set(_ reader: inout PatternReader) -> PatternSet? {
    guard reader.next == "\\", let set = reader.peek(1).flatMap(PatternSet.init(escape:)) else {
      return nil
    }
    _ = (reader.take(), reader.take())
    return set
  }

  /// `[:alpha:]`; nil for everything else, also where the end is missing.
  private mutating func posixSet() throws(PatternProblem) -> PatternSet? {
    let start = reader.position
    guard let name = reader.take(from: "[:", through: ":]") else { return nil }
    guard let set = PatternSet(posix: name) else { throw .set(reader.text(from: start)) }
    return set
  }

  private mutating func scanRange() throws(PatternProblem) {
    let start = reader.position
    let first = try character()
    text += first.patternText
    guard reader.next == "-", let end = reader.peek(1), end != "]" else { return }
    _ = reader.take()
    let last = try character()
    guard first <= last else { throw .reversed(reader.text(from: start)) }
    text += "-" + last.patternText
  }

  private mutating func character() throws(PatternProblem) -> Unicode.Scalar {
    if reader.next == "\\" { return try PatternEscape.character(&reader) }
    guard let scalar = reader.take() else { throw .missingBracket }
    return scalar
  }
}

extension Unicode.Scalar {
  /// The character for itself, whatever it means to PCRE2.
  var patternText: String {
    let isPlain = isWordCharacter || value >= 0xA0
    return isPlain ? String(self) : "\\x{" + String(value, radix: 16) + "}"
  }
}

/// A set of characters with a name, `\d` or `[:alpha:]`, as PCRE2 writes it inside of a class.
///
/// They hold characters of ASCII only. PCRE2's own sets of the same names differ: its `\s` holds the vertical
/// tab, and its `\w` does not disregard case.
struct PatternSet {
  private let ranges: [ClosedRange<UInt8>]
  private let isNegative: Bool

  /// `\d`, `\s`, `\w`, or with a capital all other characters; nil for another letter.
  init?(escape mark: Unicode.Scalar) {
    switch mark {
    case "d", "D": ranges = [0x30...0x39]
    case "s", "S": ranges = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
    case "w", "W": ranges = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    default: return nil
    }
    isNegative = mark.value < 0x60
  }

  /// What is between `[:` and `:]`; nil when there is no such set.
  init?(posix name: String) {
    isNegative = name.utf8.first == UInt8(ascii: "^")
    guard let ranges = Self.posix[isNegative ? String(name.unicodeScalars.dropFirst()) : name]
    else { return nil }
    self.ranges = ranges
  }

  private static let posix: [String: [ClosedRange<UInt8>]] = [
    "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A],
    "alpha": [0x41...0x5A, 0x61...0x7A],
    "ascii": [0x00...0x7F],
    "blank": [0x09...0x09, 0x20...0x20],
    "cntrl": [0x00...0x1F, 0x7F...0x7F],
    "digit": [0x30...0x39],
    "graph": [0x21...0x7E],
    "lower": [0x61...0x7A],
    "print": [0x20...0x7E],
    "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E],
    "space": [0x09...0x0D, 0x20...0x20],
    "upper": [0x41...0x5A],
    "word": [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A],
    "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66],
  ]

  func text(ignoringCase: Bool) -> String {
    if !isNegative {
      return ranges.map { Self.text(UInt32($0.lowerBound), UInt32($0.upperBound)) }.joined()
    }
    // Where case is ignored, a character that is one of them but for its case is not one of the others.
    var (text, start) = ("", UInt32(0))
    for member in ignoringCase ? folded : members {
      if start < member { text += Self.text(start, member - 1) }
      start = member + 1
    }
    return text + Self.text(start, 0x10FFFF)
  }

  private var members: [UInt32] { ranges.flatMap { $0.map { UInt32($0) } } }

  private var folded: [UInt32] {
    var all = Set(members)
    for letter in UInt32(0x61)...0x7A where all.contains(letter) || all.contains(letter - 0x20) {
      all.formUnion([letter, letter - 0x20])
    }
    // The long s and the sign of Kelvin are letters of ASCII but for their case.
    if all.contains(0x73) { all.insert(0x17F) }
    if all.contains(0x6B) { all.insert(0x212A) }
    return all.sorted()
  }

  private static func text(_ first: UInt32, _ last: UInt32) -> String {
    "\\x{" + String(first, radix: 16) + "}-\\x{" + String(last, radix: 16) + "}"
  }
}

/// A category or script of Unicode in a pattern: `\pL`, `\p{Greek}`, `\P{^Lu}`.
struct PatternProperty {
  private let name: String
  private let isNegative: Bool

  /// Reads what begins with `\p` or `\P`; nil for everything else.
  init?(_ reader: inout PatternReader) throws(PatternProblem) {
    guard reader.next == "\\", let mark = reader.peek(1), mark == "p" || mark == "P" else {
      return nil
    }
    let start = reader.position
    _ = (reader.take(), reader.take())
    var name = reader.take("{") ? reader.take(through: "}") : reader.take().map { String($0) }
    let isInverted = name?.utf8.first == UInt8(ascii: "^")
    if isInverted { name?.unicodeScalars.removeFirst() }
    guard let name, Self.categories.contains(name) || Self.scripts.contains(name) else {
      throw .property(reader.text(from: start))
    }
    self.name = name
    isNegative = (mark == "P") != isInverted
  }

  /// The parts of a class that PCRE2 writes it with.
  func parts(ignoringCase: Bool) -> [String] {
    let sign = isNegative ? "\\P" : "\\p"
    switch name {
    // RE2 does not count what is not assigned.
    case "C" where isNegative: return ["\\P{C}", "\\p{Cn}"]
    case "C": return ["\\p{Cc}", "\\p{Cf}", "\\p{Co}", "\\p{Cs}"]
    case "Lu", "Ll", "Lt": return [sign + (ignoringCase ? "{L&}" : "{\(name)}")]
    default:
      // Since 10.40 a script's name alone also means the characters that it shares with others.
      let isScript = Self.scripts.contains(name) && PCRE2_MINOR >= 40
      return [sign + (isScript ? "{sc:\(name)}" : "{\(name)}")]
    }
  }

  /// The categories that RE2 knows.
  private static let categories = Set(
    """
    Any C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs
    """.split(separator: " ").map { String($0) })

  /// The scripts that RE2 knows, those of Unicode 15.
  private static let scripts = Set(
    """
    Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali
    Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian
    Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret
    Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian
    Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul Hanifi_Rohingya
    Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi
    Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi
    Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian
    Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin
    Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro
    Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu
    Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic
    Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya
    Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan
    Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese
    Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu
    Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi
    Zanabazar_Square
    """.split { $0 == " " || $0 == "\n" }.map { String($0) })
}
