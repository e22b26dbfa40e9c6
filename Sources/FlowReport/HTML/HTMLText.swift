internal import FlowCore
internal import FlowSystem

/// Growing markup: literals of the program are markup, and every other text is escaped.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  /// Constant markup of the program, copied as soon as something follows it.
  private var constant: StaticString = ""
  /// The whole markup, unless it is constant.
  private var buffer = TextBuffer()

  /// Markup of the program.
  init(stringLiteral markup: StaticString) { constant = markup }

  /// Creates markup of the program with its interpolations.
  init(stringInterpolation pieces: StringInterpolation) { self = pieces.html }

  /// Creates markup from a file of the program.
  init(trusted bytes: [UInt8]) { buffer.append(bytes: bytes) }

  /// The number of bytes.
  var count: Int { constant.utf8CodeUnitCount + buffer.count }

  /// True if it has no bytes.
  var isEmpty: Bool { count == 0 }

  /// The markup.
  var bytes: [UInt8] { whole.bytes }

  /// The markup as text.
  var text: String { whole.text }

  private var whole: TextBuffer {
    var copy = self
    copy.begin()
    return copy.buffer
  }

  /// Has all of it in the buffer.
  private mutating func begin() {
    if constant.utf8CodeUnitCount == 0 { return }
    buffer.append(constant: constant)
    constant = ""
  }

  /// Removes everything from a place on.
  mutating func cut(at place: Int) {
    begin()
    buffer.cut(at: place)
  }

  static func += (html: inout HTML, more: HTML) {
    html.begin()
    if more.constant.utf8CodeUnitCount > 0 {
      html.buffer.append(constant: more.constant)
    } else {
      html.buffer.append(more.buffer)
    }
  }

  static func + (first: HTML, second: HTML) -> HTML { "\(first)\(second)" }

  /// Appends markup and a number from 0.
  mutating func append(_ markup: HTML, _ number: Int) {
    self += markup
    buffer.append(number: number)
  }

  /// Appends text as it is shown: nothing in it is markup, and what is invisible or turns the direction of text is seen.
  mutating func append(text: String) {
    begin()
    // As nearly all texts.
    if text.everyByte(satisfies: { $0.isPlainInHTML || $0 == 0x0A }) {
      return buffer.append(text: text)
    }
    for scalar in text.unicodeScalars { buffer.append(text: scalar.html) }
  }

  /// Appends text on one line, cut to a limit.
  mutating func append(text: String, atMost limit: Int) {
    append(text: text.onOneLine(atMost: limit))
  }

  /// Appends text as a part of an anchor.
  ///
  /// See `String.anchor`.
  mutating func append(anchor text: String) {
    begin()
    for byte in text.utf8 {
      switch byte {
      case _ where byte.isLetter || byte.isDigit, UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "/"):
        buffer.append(byte)
      case UInt8(ascii: "#"): buffer.append(UInt8(ascii: "~"))
      case UInt8(ascii: "_"): buffer.append(constant: "__")
      default: buffer.append(text: "_" + [byte].hexadecimalText(uppercase: true))
      }
    }
  }

  /// Markup with interpolations.
  ///
  /// Frequent parts of a page are appended piece by piece instead, without an allocation.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var html: HTML = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      html.buffer = TextBuffer(capacity: literalCapacity + 24 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: StaticString) { html.buffer.append(constant: literal) }

    /// Markup.
    mutating func appendInterpolation(_ more: HTML) { html += more }

    /// Appends a number from 0.
    mutating func appendInterpolation(_ number: Int) { html.buffer.append(number: number) }

    /// Text as it is shown.
    mutating func appendInterpolation(text: String) { html.append(text: text) }

    /// Appends text on one line, cut to a limit.
    mutating func appendInterpolation(text: String, atMost limit: Int) {
      html.append(text: text, atMost: limit)
    }
  }
}

extension Sequence<HTML> {
  /// Returns all elements in their order as one.
  func joined(by separator: HTML = "") -> HTML {
    var (all, isFirst) = (HTML(""), true)
    for html in self {
      if !isFirst { all += separator }
      all += html
      isFirst = false
    }
    return all
  }
}

extension String {
  /// Returns the string on one line, cut to a limit in characters.
  func onOneLine(atMost limit: Int) -> String {
    // As nearly all texts.
    if utf8.count <= limit, everyByte(satisfies: { 0x20..<0x7F ~= $0 }) { return self }
    return shortened(to: limit).onOneLine
  }

  /// The string as a part of an anchor, free of characters that a URL would escape.
  ///
  /// Letters, digits, `.`, `-` and `/` stay, `#` becomes `~`, `_` is doubled, and every other byte
  /// is `_` and two digits.
  var anchor: String {
    var anchor = HTML("")
    anchor.append(anchor: self)
    return anchor.text
  }
}

extension UInt8 {
  /// The visible characters below 64 without an escape, a bit each: all except `"`, `&`, `'`, `<`
  /// and `>`.
  private static let plain: UInt64 = 0xAFFF_FF3B_0000_0000

  /// True for a visible character that needs no escape in HTML.
  fileprivate var isPlainInHTML: Bool {
    self < 64 ? Self.plain &>> UInt64(self) & 1 == 1 : self < 0x7F
  }
}

extension Unicode.Scalar {
  fileprivate var html: String {
    switch self {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case "\n", "\t": String(self)
    default:
      breaksText || properties.isNoncharacterCodePoint
        ? "\\u{\(String(value, radix: 16))}" : String(self)
    }
  }
}

extension Duration {
  /// An element with it, also as HTML has it for machines: `PT0.012S`.
  var time: HTML { "<time datetime=\"PT\(text: preciseSeconds)S\">\(text: reportText)</time>" }
}

extension Int {
  /// So many hundredths of a percent, as an attribute has it: `12.05%`.
  var hundredthsOfAPercent: HTML {
    let rest = self % 100
    return "\(self / 100).\(rest < 10 ? "0" : "")\(rest)%"
  }
}

/// The sign and the word for a state, with a colour that only repeats them.
struct Mark {
  /// Its parts, shared by its copies.
  private final class Parts: Sendable {
    let sign: HTML
    let word: HTML
    let style: HTML
    let html: HTML

    init(_ sign: HTML, _ word: HTML, _ style: HTML) {
      (self.sign, self.word, self.style) = (sign, word, style)
      html =
        "<span class=\"m\" aria-hidden=\"true\">\(sign)</span><span class=\"h\">\(word) </span>"
    }
  }

  private let parts: Parts

  var sign: HTML { parts.sign }
  var word: HTML { parts.word }
  /// The class of the element around it.
  var style: HTML { parts.style }
  /// The sign, and the word for screen readers.
  var html: HTML { parts.html }

  private init(_ sign: HTML, _ word: HTML, _ style: HTML) { parts = Parts(sign, word, style) }

  // Made once, since every step of a page has one.
  private static let passed = Mark("✓", "passed", "p")
  private static let failed = Mark("✗", "failed", "f")
  private static let flaky = Mark("~", "flaky", "k")
  private static let recorded = Mark("●", "recorded", "r")
  /// A scenario whose recorded answers were altered, with any score.
  static let scored = Mark("%", "scored", "e")
  private static let notRun = Mark("–", "not run", "n")
  private static let cancelled = Mark("■", "cancelled", "n")
  private static let running = Mark("…", "not ended", "n")

  init(_ verdict: ScenarioReport.Verdict) {
    self =
      switch verdict {
      case .passed: .passed
      case .failed: .failed
      case .flaky: .flaky
      case .recorded: .recorded
      case .notRun: .notRun
      }
  }

  init(_ state: RunTrace.Span.State) {
    self =
      switch state {
      case .passed: .passed
      case .failed: .failed
      case .notRun: .notRun
      case .cancelled: .cancelled
      case .running: .running
      }
  }
}
