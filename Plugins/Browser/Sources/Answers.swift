import FlowCore

/// The open page.
struct Page: Sendable {
  var title: String
  var url: String

  static let record = Record(
    Page.init(title:url:), Field("title", \.title, "The title of the page. Empty if it has none."),
    Field("url", \.url, "The URL of the page. For a data URL, only 'data:'."))
}

extension Page {
  /// Decodes the result of `Script.page`.
  init(answer: Value) throws(BrowserError) {
    guard let title = answer["title"]?.text, let url = answer["url"]?.text else {
      throw .shape("a page")
    }
    self.init(title: title, url: url)
  }

  /// The page in a sentence.
  var sight: String { "the page '\(title.line)' (\(url.line))" }
}

/// The visible state of an element.
struct ElementState: Sendable {
  var count: Int
  var text: String
  var value: String?
  var checked: Bool?
  var attributes: [String: String]
  var displayed: Bool
  var enabled: Bool

  static let record = Record(
    ElementState.init(count:text:value:checked:attributes:displayed:enabled:),
    Field(
      "count", \.count, "The number of matching elements. The other fields describe the first one."),
    Field("text", \.text, "The rendered text."),
    Field("value", \.value, "The value of a form field. Absent for other elements."),
    Field(
      "checked", \.checked, "True for a checked box or radio button. Absent for other elements."),
    Field("attributes", \.attributes, "The attributes."),
    Field(
      "displayed", \.displayed,
      "True if a user can see a part of the element, maybe after scrolling."),
    Field("enabled", \.enabled, "True unless the element is disabled."))
}

extension ElementState {
  /// Decodes the result of `Script.find`.
  init(answer: Value) throws(BrowserError) {
    do { self = try Self.record.decode(answer) } catch { throw .shape("an element's state") }
    attributes[Self.markOfDriver] = nil
  }

  /// The attribute by which chromedriver finds a frame again, which the page does not have.
  private static let markOfDriver = "cd_frame_id_"
}

extension ElementState {
  /// Returns a line about an element that should not be displayed any more.
  func sight(of selector: String) -> String {
    let elements = count == 1 ? "the element" : "the first of \(count) elements"
    return "\(elements) for '\(selector.line)' is still displayed, with the text '\(text.line)'"
  }
}

/// The elements found on a page instead of the expected one.
struct Sight: Sendable {
  private let count: Int
  private let displayed: Int
  private let text: String
  /// The page with the elements.
  let page: Page

  /// Decodes a sight, or returns nil for another result of `Script.find`.
  init?(answer: Value) {
    guard let sight = answer["sight"], case .int(let count)? = sight["count"],
      case .int(let displayed)? = sight["displayed"], let text = sight["text"]?.text,
      let page = try? Page(answer: sight)
    else { return nil }
    (self.count, self.displayed, self.text, self.page) = (count, displayed, text, page)
  }

  /// Returns a line explaining why an element with a selector and a text was not found.
  func text(of selector: String, _ wanted: String?) -> String {
    if count == 0 { return "\(page.sight) has no element that matches '\(selector.line)'" }
    let elements = count == 1 ? "the element" : "the first of \(count) elements"
    if displayed == 0 { return "\(page.sight): \(elements) for '\(selector.line)' is hidden" }
    return "\(page.sight): \(elements) for '\(selector.line)' has the text '\(text.line)'"
  }
}

/// A picture of the page.
struct Screenshot: Sendable {
  var width: Int
  var height: Int
  var bytes: Bytes?

  static let record = Record(
    Screenshot.init(width:height:bytes:), Field("width", \.width, "The width in pixels."),
    Field("height", \.height, "The height in pixels."),
    Field("bytes", \.bytes, "The screenshot as PNG. Absent when 'to' is given.", volatile: true))

  /// The screenshot without its content.
  var withoutBytes: Screenshot {
    var copy = self
    copy.bytes = nil
    return copy
  }
}

extension Screenshot {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Decodes a picture in base 64, with its size from the first chunk of a PNG.
  ///
  /// See https://www.w3.org/TR/png-3/#11IHDR.
  init(answer: Value) throws(BrowserError) {
    guard let text = answer.text, let bytes = Bytes(base64: text), bytes.content.count >= 24,
      bytes.content.starts(with: Self.signature)
    else { throw .shape("a picture") }
    let number = { (start: Int) in
      bytes.content[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    self.init(width: number(16), height: number(20), bytes: bytes)
  }
}

/// A part of the page as seen by assistive technology.
struct AccessibleNode: RecordRepresentable {
  var role: String
  var name: String
  var level: Int?
  var focusable: Bool

  static let record = Record(
    AccessibleNode.init(role:name:level:focusable:),
    Field("role", \.role, "The role, such as button, heading or StaticText."),
    Field("name", \.name, "The accessible name. Empty if there is none."),
    Field("level", \.level, "The level of a heading. Absent for other nodes."),
    Field("focusable", \.focusable, "True if the node can have the focus.", default: false))
}

extension AccessibleNode {
  private static let greatestCount = 10_000
  private static let layout: Set = ["none", "generic", "InlineTextBox", "LineBreak"]

  /// Returns the nodes in a result of `Accessibility.getFullAXTree`, level by level in page order.
  ///
  /// Without nodes that exist only for the layout, and texts that repeat the name around them.
  static func rows(ofTree answer: Value) throws(BrowserError) -> [AccessibleNode] {
    guard let nodes = answer["nodes"]?.elements else { throw .shape("an accessibility tree") }
    var known: [String: Value] = [:]
    for node in nodes { if let id = node["nodeId"]?.text { known[id] = node } }
    var rows: [AccessibleNode] = []
    // The next node is at the end, with the name of its parent.
    var waiting = nodes.filter { $0["parentId"] == nil }.reversed().map { ($0, "") }
    while let (node, outer) = waiting.popLast(), rows.count < greatestCount {
      let row = AccessibleNode(node, in: outer)
      if let row { rows.append(row) }
      let children = node["childIds"]?.elements ?? []
      // Each node once, even if the result repeats it.
      let found = children.compactMap { $0.text.flatMap { known.removeValue(forKey: $0) } }
      waiting += found.reversed().map { ($0, row?.name ?? outer) }
    }
    return rows
  }

  /// Creates a node, or nil if it has nothing to say.
  private init?(_ node: Value, in outer: String) {
    guard node["ignored"] != .bool(true), let role = node["role"]?["value"]?.text else {
      return nil
    }
    let name = node["name"]?["value"]?.text ?? ""
    guard !Self.layout.contains(role), !(role == "StaticText" && name == outer) else { return nil }
    let properties = node["properties"]?.elements ?? []
    func property(_ name: String) -> Value? {
      properties.first { $0["name"]?.text == name }?["value"]?["value"]
    }
    var level: Int?
    if case .int(let number)? = property("level") { level = number }
    self.init(
      role: role, name: name, level: level, focusable: property("focusable") == .bool(true))
  }
}
