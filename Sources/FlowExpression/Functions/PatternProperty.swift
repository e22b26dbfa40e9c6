private import CPCRE2

/// A category or script of Unicode in a pattern: `\pL`, `\p{Greek}`, `\P{^Lu}`.
struct PatternProperty {
  private let name: String
  private let isNegative: Bool

  /// Reads what begins with `\p` or `\P`; nil for everything else.
  ///
  /// - Throws: `PatternProblem` for a name that RE2 does not know.
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
