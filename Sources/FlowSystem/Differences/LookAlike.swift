/// Characters that a reader cannot tell apart, or cannot see.
///
/// The pairs are the usual ones of Unicode Technical Standard 39, "Confusable Detection": letters
/// of two alphabets, dashes, quotes and points. Its whole table would be larger than this module.
package enum LookAlike {
  /// Returns true if two texts print alike: in another alphabet, composed or with spaces of other
  /// kinds.
  package static func isSame(
    _ first: some Sequence<Unicode.Scalar>, _ second: some Sequence<Unicode.Scalar>
  ) -> Bool {
    // Strings are compared by canonical equivalence.
    form(first) == form(second)
  }

  private static func form(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var form = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar.isASCII {
        form.append(scalar)
      } else if let other = likeness(of: scalar) {
        form.append(other)
      } else if !scalar.isInvisible {
        form.append(scalar)
      }
    }
    return String(form)
  }

  private static func likeness(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if let known = pairs[scalar] { return known }
    // Forms of the width of an ideograph (Unicode 16, block "Halfwidth and Fullwidth Forms").
    if 0xFF01...0xFF5E ~= scalar.value { return Unicode.Scalar(scalar.value - 0xFEE0) }
    return scalar.properties.generalCategory == .spaceSeparator ? " " : nil
  }

  private static let pairs: [Unicode.Scalar: Unicode.Scalar] = {
    var pairs: [Unicode.Scalar: Unicode.Scalar] = [:]
    for (like, others) in groups {
      for other in others.unicodeScalars { pairs[other] = like }
    }
    return pairs
  }()

  private static let groups: [(Unicode.Scalar, String)] = [
    ("A", "АΑ"), ("B", "ВΒ"), ("C", "СϹ"), ("E", "ЕΕ"), ("F", "Ϝ"), ("H", "НΗ"), ("I", "ІΙӀ"),
    ("J", "ЈͿ"), ("K", "КΚ\u{212A}"), ("M", "МΜ"), ("N", "Ν"), ("O", "ОΟ"), ("P", "РΡ"),
    ("S", "Ѕ"), ("T", "ТΤ"), ("X", "ХΧ"), ("Y", "ҮΥ"), ("Z", "Ζ"),
    ("a", "аɑα"), ("c", "сϲ"), ("d", "ԁ"), ("e", "е"), ("h", "һ"), ("i", "іı"), ("j", "јϳ"),
    ("l", "ӏ"), ("o", "оοօ"), ("p", "рρ"), ("q", "ԛ"), ("s", "ѕ"), ("u", "υ"), ("v", "ν"),
    ("w", "ԝ"), ("x", "х"), ("y", "уγ"), ("μ", "\u{B5}"), ("Ω", "\u{2126}"),
    ("-", "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{FE58}"),
    ("'", "\u{2018}\u{2019}\u{201B}\u{2032}\u{02B9}\u{02BC}\u{B4}"),
    ("\"", "\u{201C}\u{201D}\u{201F}\u{2033}"), (".", "\u{2024}"), (",", "\u{201A}\u{FF0C}"),
    (":", "\u{2236}\u{A789}"), (";", "\u{37E}"), ("/", "\u{2044}\u{2215}"), ("|", "\u{2223}"),
    ("~", "\u{223C}"), ("*", "\u{2217}"), ("·", "\u{2022}\u{22C5}\u{387}"),
  ]
}

extension Unicode.Scalar {
  /// True if it shows nothing, or a blank that is not U+0020.
  package var isInvisible: Bool {
    if isASCII { return false }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .spaceSeparator,
      .surrogate, .unassigned:
      return true
    default:
      // U+2800 is a pattern of Braille without dots.
      return properties.isDefaultIgnorableCodePoint || value == 0x2800
    }
  }

  /// `\u{a0}`, as Swift writes it.
  package var escape: String { "\\u{" + String(value, radix: 16) + "}" }
}
