internal import FlowSystem

/// Markup that grows: what stands in the program is markup as it is, and every other text is escaped.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  private var buffer = TextBuffer()

  /// Markup of the program.
  init(stringLiteral markup: StaticString) { buffer.append(constant: markup) }

  /// Markup of the program with what is put into it.
  init(stringInterpolation pieces: StringInterpolation) { buffer = pieces.buffer }

  /// What a file of the program says.
  init(trusted bytes: [UInt8]) { buffer.append(bytes: bytes) }

  /// How many bytes there are.
  var count: Int { buffer.count }

  /// Whether there is nothing.
  var isEmpty: Bool { buffer.isEmpty }

  /// The markup.
  var bytes: [UInt8] { buffer.bytes }

  /// The markup as text.
  var text: String { buffer.text }

  /// Takes away what begins at a place.
  mutating func cut(at place: Int) { buffer.cut(at: place) }

  static func += (html: inout HTML, more: HTML) { html.buffer.append(more.buffer) }

  static func + (first: HTML, second: HTML) -> HTML { "\(first)\(second)" }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var buffer: TextBuffer

    init(literalCapacity: Int, interpolationCount: Int) {
      buffer = TextBuffer(capacity: literalCapacity + 24 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: StaticString) { buffer.append(constant: literal) }

    /// Markup.
    mutating func appendInterpolation(_ html: HTML) { buffer.append(html.buffer) }

    /// A number from 0.
    mutating func appendInterpolation(_ number: Int) { buffer.append(number: number) }

    /// Text as it is shown: nothing in it is markup, and what is invisible or turns the direction of text is seen.
    mutating func appendInterpolation(text: String) {
      // As nearly all texts.
      if text.everyByte(satisfies: { $0.isPlainInHTML || $0 == 0x0A }) {
        return buffer.append(text: text)
      }
      for scalar in text.unicodeScalars { buffer.append(text: scalar.html) }
    }

    /// The same, on one line and of bearable length.
    mutating func appendInterpolation(text: String, atMost limit: Int) {
      if text.utf8.count <= limit, text.everyByte(satisfies: \.isPlainInHTML) {
        return buffer.append(text: text)
      }
      appendInterpolation(text: text.shortened(to: limit).onOneLine)
    }
  }
}

extension Sequence<HTML> {
  /// All of it, one after the other.
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
  /// The text as a part of an anchor, which can stand in an address as it is: letters, digits, `.`, `-` and `/` stay,
  /// `#` becomes `~`, `_` is doubled, and every other byte is `_` and two digits.
  var anchor: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "/"):
        bytes.append(byte)
      case UInt8(ascii: "#"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "_"): bytes += [byte, byte]
      default: bytes += [UInt8(ascii: "_")] + Array([byte].hexadecimalText(uppercase: true).utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether it is a character that stands for itself in HTML, and is seen.
  fileprivate var isPlainInHTML: Bool {
    switch self {
    case 0x26, 0x3C, 0x3E, 0x22, 0x27: false
    default: 0x20..<0x7F ~= self
    }
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
  /// An element with it for people alone, which takes less room.
  var shortTime: HTML { "<span class=\"q\">\(text: reportText)</span>" }
}

extension Int {
  /// So many hundredths of a percent, as an attribute has it: `12.05%`.
  var hundredthsOfAPercent: HTML {
    let rest = self % 100
    return "\(self / 100).\(rest < 10 ? "0" : "")\(rest)%"
  }
}

/// A sign and a word for a state, which colour only repeats.
struct Mark {
  /// What it consists of, shared by its copies.
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
  /// The class of the element that it is in.
  var style: HTML { parts.style }
  /// The sign, and the word for those who hear it.
  var html: HTML { parts.html }

  private init(_ sign: HTML, _ word: HTML, _ style: HTML) { parts = Parts(sign, word, style) }

  // Made once, since every step of a page has one.
  private static let passed = Mark("✓", "passed", "p")
  private static let failed = Mark("✗", "failed", "f")
  private static let flaky = Mark("~", "flaky", "k")
  private static let recorded = Mark("●", "recorded", "r")
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
