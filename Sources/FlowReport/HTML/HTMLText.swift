internal import FlowCore
internal import FlowSystem

// Every text that comes from outside goes through `html`, in elements and in attributes alike.

extension String {
  /// The text as it is shown: nothing in it is markup, and what is invisible or turns the direction of text is seen.
  var html: String {
    // As nearly all texts.
    if everyByte(satisfies: { $0.isPlainInHTML || $0 == 0x0A }) { return self }
    var result = ""
    for scalar in unicodeScalars { result += scalar.html }
    return result
  }

  /// The same, on one line and of bearable length.
  func html(atMost limit: Int) -> String {
    if utf8.count <= limit, everyByte(satisfies: \.isPlainInHTML) { return self }
    return shortened(to: limit).onOneLine.html
  }

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
  /// The duration for machines, as HTML has it: `PT0.012S`.
  var htmlText: String { "PT\(preciseSeconds)S" }

  /// An element with it.
  var time: String { "<time datetime=\"\(htmlText)\">\(reportText)</time>" }
  /// An element with it for people alone, which takes less room.
  var shortTime: String { "<span class=\"q\">\(reportText)</span>" }
}

extension Int {
  /// So many hundredths of a percent, as an attribute has it: `12.05%`.
  var hundredthsOfAPercent: String {
    let rest = self % 100
    return "\(self / 100).\(rest < 10 ? "0" : "")\(rest)%"
  }
}

/// A sign and a word for a state, which colour only repeats.
struct Mark {
  let sign: String
  let word: String
  /// The class of the element that it is in.
  let style: String

  init(_ verdict: ScenarioReport.Verdict) {
    word = verdict.rawValue
    (sign, style) =
      switch verdict {
      case .passed: ("✓", "p")
      case .failed: ("✗", "f")
      case .flaky: ("~", "k")
      case .recorded: ("●", "r")
      case .notRun: ("–", "n")
      }
  }

  init(_ state: RunTrace.Span.State) {
    (sign, word, style) =
      switch state {
      case .passed: ("✓", "passed", "p")
      case .failed: ("✗", "failed", "f")
      case .notRun: ("–", "not run", "n")
      case .cancelled: ("■", "cancelled", "n")
      case .running: ("…", "not ended", "n")
      }
  }

  /// The sign, and the word for those who hear it.
  var html: String {
    "<span class=\"m\" aria-hidden=\"true\">\(sign)</span><span class=\"h\">\(word) </span>"
  }
}
