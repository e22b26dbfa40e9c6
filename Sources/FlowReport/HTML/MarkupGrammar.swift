internal import FlowSystem

/// The elements and attributes in the scenarios of a page.
///
/// A browser closes some elements implicitly, such as a paragraph before a list. They are refused
/// in such places, since their end tag would then close an element of the page.
enum MarkupGrammar {
  /// The permitted content of an element.
  enum Content: Equatable {
    /// Text and every element that is part of no other one.
    case flow
    /// Text and inline elements.
    case phrase
    /// Text alone.
    case text
    /// These elements alone.
    case only(Set<String>)
    /// Nothing, and no end tag.
    case nothing

    private static let phrases: Set<String> = [
      "a", "b", "button", "code", "del", "em", "i", "img", "ins", "span", "time",
    ]
    private static let blocks: Set<String> = [
      "details", "div", "figure", "h3", "ol", "p", "pre", "section", "svg", "table", "ul",
      // Only as the first child of `details` and `figure`, the only elements with them.
      "summary", "figcaption",
    ]

    /// True if text may be inside.
    var hasText: Bool {
      switch self {
      case .flow, .phrase, .text: true
      case .only, .nothing: false
      }
    }

    /// True if an element may be inside.
    func allows(_ name: String) -> Bool {
      switch self {
      case .flow: Self.phrases.contains(name) || Self.blocks.contains(name)
      case .phrase: Self.phrases.contains(name)
      case .only(let names): names.contains(name)
      case .text, .nothing: false
      }
    }
  }

  /// An element with its permitted content and its attributes.
  struct Element {
    let content: Content
    let attributes: [String: Rule]

    fileprivate init(_ content: Content, _ attributes: [String: Rule] = [:]) {
      self.content = content
      self.attributes = attributes
    }
  }

  /// The permitted values of an attribute.
  enum Rule {
    /// Words of the style sheet.
    case style
    /// A value of this set.
    case words(Set<String>)
    /// Any text.
    case text
    /// No value at all.
    case flag
    /// A name of the scenario's own.
    case anchor
    /// A place in the page, or a file next to it.
    case link
    /// An embedded picture.
    case picture
    /// Numbers, percentages and letters of drawings.
    case drawing
  }

  private static let style: [String: Rule] = ["class": .style]
  private static let named: [String: Rule] = ["class": .style, "id": .anchor]
  private static let shape: [String: Rule] = [
    "class": .style, "x": .drawing, "y": .drawing, "width": .drawing, "height": .drawing,
    "rx": .drawing, "x1": .drawing, "x2": .drawing, "y1": .drawing, "y2": .drawing, "d": .drawing,
    "dx": .drawing, "text-anchor": .words(["start", "middle", "end"]),
  ]

  /// All elements, by their names.
  static let elements: [String: Element] = [
    "a": Element(.text, ["href": .link]),
    "b": Element(.phrase), "code": Element(.phrase), "del": Element(.phrase),
    "em": Element(.phrase), "i": Element(.phrase), "ins": Element(.phrase),
    "span": Element(.phrase, ["class": .style, "aria-hidden": .words(["true"])]),
    "time": Element(.text, ["datetime": .drawing]),
    "button": Element(.text, ["type": .words(["button"]), "class": .words(["copy"])]),
    "img": Element(
      .nothing, ["alt": .text, "loading": .words(["lazy"]), "src": .picture]),
    "details": Element(.flow, named.merging(["open": .flag]) { old, _ in old }),
    "summary": Element(.phrase),
    "div": Element(
      .flow,
      [
        "class": .style, "id": .anchor, "tabindex": .words(["0"]), "role": .words(["group"]),
        "aria-label": .text,
      ]),
    "figure": Element(.flow, style), "figcaption": Element(.phrase),
    "section": Element(.flow, named), "p": Element(.phrase, style), "h3": Element(.phrase),
    "pre": Element(.phrase), "ol": Element(.only(["li"]), style),
    "ul": Element(.only(["li"]), style), "li": Element(.flow, named),
    "table": Element(.only(["caption", "thead", "tbody"]), style), "caption": Element(.phrase),
    "thead": Element(.only(["tr"])), "tbody": Element(.only(["tr"])),
    "tr": Element(.only(["td", "th"])), "td": Element(.phrase),
    "th": Element(.phrase, ["scope": .words(["col", "row"])]),
    "svg": Element(
      .only(["rect", "line", "path", "text"]),
      [
        "role": .words(["img"]), "aria-label": .text, "aria-details": .anchor, "width": .drawing,
        "height": .drawing,
      ]),
    "rect": Element(.nothing, shape), "line": Element(.nothing, shape),
    "path": Element(.nothing, shape), "text": Element(.text, shape),
  ]
}

extension MarkupGrammar.Rule {
  /// Words of the style sheet except those of a whole row and of the page.
  private static let styles: Set<String> = [
    "a", "b", "c", "call", "d", "data", "e", "f", "frame", "g", "h", "head", "i", "in", "j", "k",
    "l", "m", "n", "o", "order", "p", "plan", "q", "r", "report", "t", "u", "v", "w", "wait", "x",
    "y", "z",
  ]

  private static let pictures = ["png", "jpeg", "gif", "webp", "svg+xml"].map {
    "data:image/\($0);base64,"
  }

  /// Returns true for a value written by flow, with names that start with the scenario's anchor.
  func allows(_ value: String?, anchor: String) -> Bool {
    guard let value else { if case .flag = self { return true } else { return false } }
    switch self {
    case .style:
      return value.split(separator: " ", omittingEmptySubsequences: false)
        .allSatisfy { Self.styles.contains(String($0)) }
    case .words(let words): return words.contains(value)
    case .text: return true
    case .flag: return false
    case .anchor: return value.isAnchor && value.continues(anchor)
    case .link:
      return value.utf8.first == UInt8(ascii: "#") && String(value.dropFirst()).isAnchor
        || Attachment.isPath(value)
    case .picture:
      guard let start = Self.pictures.first(where: value.hasPrefix) else { return false }
      return value.utf8.dropFirst(start.utf8.count).allSatisfy {
        $0.isLetter || $0.isDigit || "+/=".utf8.contains($0)
      }
    case .drawing:
      return value.utf8.allSatisfy { $0.isLetter || $0.isDigit || " .-%".utf8.contains($0) }
    }
  }
}

extension String {
  /// True for text possibly written by `anchor`, with the separators of `ScenarioHTML`.
  fileprivate var isAnchor: Bool {
    utf8.allSatisfy { $0.isWordCharacter || ".-/~:+".utf8.contains($0) }
  }

  /// True for an anchor, or one of something below it: `a.yaml+2:first`.
  fileprivate func continues(_ anchor: String) -> Bool {
    guard utf8.starts(with: anchor.utf8) else { return false }
    let next = utf8.dropFirst(anchor.utf8.count).first
    return next == nil || next == UInt8(ascii: ":") || next == UInt8(ascii: "+")
  }
}
