internal import FlowSystem

/// A check that a scenario's markup from another process has the form of `ScenarioHTML`.
///
/// A page runs only its own script, but foreign markup could leave the page, hide the rest, or
/// imitate the page's controls. So it may contain only flow's own elements, each with its own
/// attributes, nested as a browser keeps them, and all of them closed.
struct ScenarioMarkup {
  /// The most bytes in the compressed part of a scenario.
  static let mostInflated = 64 << 20

  private let anchor: String

  /// Returns true if the markup belongs to a scenario with this path and verdict.
  ///
  /// Counts the inflated bytes.
  static func isWritten(
    _ text: String, of scenario: ScenarioReport, _ budget: inout PartBudget
  ) -> Bool {
    let markup = ScenarioMarkup(anchor: scenario.path.anchor)
    do throws(MarkupReader.Foreign) {
      try markup.check(text, Mark(scenario.verdict).style.text, &budget)
      return true
    } catch {
      return false
    }
  }

  /// Checks the element of the scenario: its row, and the details below it.
  private func check(
    _ text: String, _ style: String, _ budget: inout PartBudget
  ) throws(MarkupReader.Foreign) {
    guard text.shownJSON.utf8.count == text.utf8.count, text.hasSuffix(">\n") else {
      throw MarkupReader.Foreign()
    }
    var reader = MarkupReader(Array(text.utf8.dropLast()))
    guard case .opening(let name, var attributes, false)? = try reader.next(),
      name == "div" || name == "details",
      attributes.first == MarkupReader.Attribute(name: "class", value: "s \(style)")
    else { throw MarkupReader.Foreign() }
    let packed = attributes.firstIndex { $0.name == "data-z" && name == "details" }
      .flatMap { attributes.remove(at: $0).value }
    attributes.removeFirst()
    guard attributes.contains(where: { $0.name == "id" }) else { throw MarkupReader.Foreign() }
    var check = try ContentCheck(anchor: anchor, inside: name, attributes)
    let labels = try check.run(&reader)
    // The page's script reads the first one of each row.
    guard labels == 1 else { throw MarkupReader.Foreign() }
    if let packed { try checkPacked(packed, &budget) }
  }

  /// Checks the packed part, inflated when the scenario is opened: the content of a `div`.
  private func checkPacked(
    _ text: String, _ budget: inout PartBudget
  ) throws(MarkupReader.Foreign) {
    guard let bytes = Base64.decode(text),
      let inflated = Deflate.inflated(bytes, atMost: min(Self.mostInflated, budget.inflated)),
      let markup = String(validating: inflated, as: UTF8.self),
      markup.shownJSON.utf8.count == inflated.count
    else { throw MarkupReader.Foreign() }
    budget.inflated -= inflated.count
    var reader = MarkupReader(inflated)
    var check = try ContentCheck(anchor: anchor, inside: nil, [])
    guard try check.run(&reader) == 0 else { throw MarkupReader.Foreign() }
  }
}

/// Checks a sequence of elements, each inside of one that may have it, up to the end of the outermost one.
private struct ContentCheck {
  /// An open element.
  private struct Frame {
    let name: String
    let content: MarkupGrammar.Content
    var hasChildren = false

    /// True while the summary at the start of `details` is missing.
    var needsSummary: Bool { name == "details" && !hasChildren }
  }

  private let anchor: String
  /// The content of a `div` around everything, and the outermost element first.
  private var frames: [Frame] = []
  private let outermost: Int
  private var labels = 0

  /// Creates a check of the content of an open element, or of markup without a parent.
  init(
    anchor: String, inside name: String?, _ attributes: [MarkupReader.Attribute]
  ) throws(MarkupReader.Foreign) {
    self.anchor = anchor
    frames = [Frame(name: "", content: .flow)]
    outermost = name == nil ? 1 : 2
    if let name { try open(name, attributes) }
  }

  /// Reads to the end and returns the number of elements with the class of a row's label.
  mutating func run(_ reader: inout MarkupReader) throws(MarkupReader.Foreign) -> Int {
    while let token = try reader.next() {
      // Nothing follows the outermost element.
      guard frames.count >= outermost, let parent = frames.last else {
        throw MarkupReader.Foreign()
      }
      switch token {
      case .text:
        guard parent.content.hasText, !parent.needsSummary else { throw MarkupReader.Foreign() }
      case .opening(let name, let attributes, let isClosed):
        guard parent.content.allows(name), parent.needsSummary == (name == "summary") else {
          throw MarkupReader.Foreign()
        }
        frames[frames.count - 1].hasChildren = true
        try open(name, attributes)
        let isEmpty = frames.last?.content == .nothing
        // HTML has no sign for an element that is closed at once, and pictures have it always.
        guard isClosed == (isEmpty && name != "img") else { throw MarkupReader.Foreign() }
        if isEmpty { frames.removeLast() }
      case .closing(let name):
        guard parent.name == name, frames.count > 1, !parent.needsSummary else {
          throw MarkupReader.Foreign()
        }
        frames.removeLast()
      }
    }
    guard frames.count == 1 else { throw MarkupReader.Foreign() }
    return labels
  }

  private mutating func open(
    _ name: String, _ attributes: [MarkupReader.Attribute]
  ) throws(MarkupReader.Foreign) {
    guard let element = MarkupGrammar.elements[name] else { throw MarkupReader.Foreign() }
    for attribute in attributes {
      guard let rule = element.attributes[attribute.name],
        rule.allows(attribute.value, anchor: anchor)
      else { throw MarkupReader.Foreign() }
      if attribute.name == "class", attribute.value == "l" { labels += 1 }
    }
    frames.append(Frame(name: name, content: element.content))
  }
}
