private import CGumbo

/// The elements and texts of a page of HTML, in its order, as browsers read it.
///
/// Kept beside the page's own tree, so that each condition of a selector is found in one walk over
/// them: other pages have 100,000 elements beside each other.
@safe final class Page {
  /// An element, or a text in one.
  @safe struct Node {
    /// The node in the page's own tree.
    fileprivate let content: OpaquePointer
    let isElement: Bool
    /// The index of the element around it, or nil.
    let parent: Int?
    /// The index of the element before it in the same element, or nil.
    let previous: Int?
    /// The number of elements before it in the same element.
    let precedingElements: Int
  }

  private(set) var nodes: [Node] = []
  /// The number of elements in each element, and in the page itself at the key nil.
  private var sizes: [Int?: Int] = [:]
  private lazy var types = TypePlaces(self)

  private let page: OpaquePointer
  private let end: PageEnd
  /// The problem with the first element inside of too many others, or nil.
  private var depthProblem: MarkupSearch.Problem?
  /// The page or element around the next node, and all those around it.
  private var open = [Open(index: nil)]

  private struct Open {
    let index: Int?
    var latest: Int? = nil
    var count = 0
  }

  /// The most elements around another one.
  ///
  /// The library takes quadratic time for them.
  private static let deepest = 256

  /// Reads a page.
  ///
  /// A zero byte is U+FFFD.
  ///
  /// - Throws: `MarkupSearch.Problem` for a page over a limit, or one whose end is in a tag or a
  ///   comment, so that a part of it is in no text.
  init(_ text: String, with library: PageLibrary) throws(MarkupSearch.Problem) {
    var scan = PageScan(text)
    if scan.hasTooManyAttributes() { throw .attributes(limit: PageScan.mostAttributes) }
    end = PageEnd(notIn: text)
    var outcome = FLOW_GUMBO_READ
    var line: Int32 = 1
    let marked = text.withoutZeros + end.markup
    let page = unsafe marked.withCString { bytes in
      unsafe flow_gumbo_read(
        library.functions, bytes, marked.utf8.count, Int32(Self.deepest), &outcome, &line)
    }
    guard let page = unsafe page else {
      throw .page(outcome == FLOW_GUMBO_TOO_DEEP ? .tooDeep : .tooLarge, line: Int(line))
    }
    unsafe self.page = page
    unsafe flow_gumbo_walk(
      page,
      { context, node, depth, kind, isInert in
        unsafe Unmanaged<Page>.fromOpaque(context).takeUnretainedValue()
          .visit(node, Int(depth), kind, isInert: isInert)
      }, Unmanaged.passUnretained(self).toOpaque())
    close(downTo: 0)
    if let depthProblem { throw depthProblem }
    if let loss = end.loss(scan) { throw .page(loss.reason, line: loss.line) }
  }

  deinit { unsafe flow_gumbo_free(page) }

  private func visit(
    _ node: OpaquePointer, _ depth: Int, _ kind: flow_gumbo_kind, isInert: Bool
  ) {
    switch kind {
    case FLOW_GUMBO_COMMENT:
      unsafe end.note(
        comment: Self.text(flow_gumbo_characters(node)), line: Int(flow_gumbo_line(node)))
    case FLOW_GUMBO_TEXT:
      let isEmpty = unsafe end.note(text: Self.text(flow_gumbo_characters(node)))
      if !isInert, !isEmpty { unsafe add(node, depth, isElement: false) }
    default:
      if depth > Self.deepest, depthProblem == nil {
        depthProblem = unsafe .page(.tooDeep, line: Int(flow_gumbo_line(node)))
      }
      if !isInert { unsafe add(node, depth, isElement: true) }
    }
  }

  private func add(_ content: OpaquePointer, _ depth: Int, isElement: Bool) {
    close(downTo: depth + 1)
    let around = open[depth]
    unsafe nodes.append(
      Node(
        content: content, isElement: isElement, parent: around.index, previous: around.latest,
        precedingElements: around.count))
    guard isElement else { return }
    open[depth].latest = nodes.count - 1
    open[depth].count += 1
    open.append(Open(index: nodes.count - 1))
  }

  /// Notes the sizes of elements that have ended.
  private func close(downTo count: Int) {
    while open.count > count {
      let ended = open.removeLast()
      if ended.count > 0 { sizes[ended.index] = ended.count }
    }
  }

  // MARK: - Nodes

  /// The name of an element in lower case.
  func name(of index: Int) -> String {
    unsafe Self.text(flow_gumbo_name(page, nodes[index].content)).lowercased()
  }

  /// The texts in an element together, or a text.
  func text(of index: Int) -> String {
    if !nodes[index].isElement { return characters(of: index) }
    var text = ""
    // What is inside of an element follows it.
    for inner in (index + 1)..<nodes.count {
      guard let parent = nodes[inner].parent, parent >= index else { break }
      if !nodes[inner].isElement { text += characters(of: inner) }
    }
    return text
  }

  private func characters(of index: Int) -> String {
    end.removed(from: unsafe Self.text(flow_gumbo_characters(nodes[index].content)))
  }

  private static func text(_ text: flow_gumbo_text) -> String {
    unsafe String(
      decoding: UnsafeRawBufferPointer(start: text.start, count: text.count), as: UTF8.self)
  }

  /// The value of an element's attribute, or nil.
  func attribute(_ name: String, of index: Int) -> String? {
    unsafe flow_gumbo_attribute(nodes[index].content, name).map { unsafe String(cString: $0) }
  }

  /// True if an element has no elements and no text.
  func isEmpty(_ index: Int) -> Bool {
    // What is inside of it follows it.
    index + 1 == nodes.count || nodes[index + 1].parent != index
  }

  /// The position of an element among those beside it, from 1.
  func place(of index: Int, isFromEnd: Bool, isOfType: Bool) -> Int {
    let node = nodes[index]
    let before = isOfType ? types.preceding[index] : node.precedingElements
    if !isFromEnd { return before + 1 }
    return (isOfType ? types.sizes[index] : sizes[node.parent, default: 0]) - before
  }
}

extension String {
  fileprivate var withoutZeros: String {
    if !utf8.contains(0) { return self }
    var text = ""
    text.unicodeScalars.append(
      contentsOf: unicodeScalars.lazy.map { $0 == "\0" ? "\u{FFFD}" : $0 })
    return text
  }
}

/// The places of elements among those with the same name.
private struct TypePlaces {
  private struct Kind: Hashable {
    let parent: Int?
    let name: String
  }

  /// The number of elements of its kind before each element.
  private(set) var preceding: [Int] = []
  /// The number of elements of its kind.
  private(set) var sizes: [Int] = []

  init(_ page: Page) {
    var counts: [Kind: Int] = [:]
    let kinds = page.nodes.indices.map { index in
      page.nodes[index].isElement
        ? Kind(parent: page.nodes[index].parent, name: page.name(of: index)) : nil
    }
    for kind in kinds {
      preceding.append(kind.map { counts[$0, default: 0] } ?? 0)
      if let kind { counts[kind, default: 0] += 1 }
    }
    sizes = kinds.map { kind in kind.flatMap { counts[$0] } ?? 0 }
  }
}

/// A comment behind the end of a page, by which the reader shows that it has read all of it.
///
/// Where a tag or a comment is still open, the standard drops it with all that follows, without a
/// word. The comment is in no tree then. In a script or a text area it is text.
final class PageEnd {
  private let name: String
  private var isFound = false
  /// The line of the comment that has no end, or nil.
  private var openComment: Int?

  /// Creates the end of a page that does not have the same comment.
  init(notIn page: String) {
    var number = 0
    while page.utf8.firstRange(of: "flow-end-\(number)".utf8) != nil { number += 1 }
    name = "flow-end-\(number)"
  }

  var markup: String { "<!--\(name)-->" }

  func note(comment: String, line: Int) {
    if comment == name {
      isFound = true
    } else if comment.utf8.firstRange(of: name.utf8) != nil {
      openComment = line
    }
  }

  /// Notes the text of a node, and returns true if it has nothing before the end.
  func note(text: String) -> Bool {
    guard hasEnd(text) else { return false }
    isFound = true
    return text.utf8.count == markup.utf8.count
  }

  /// Returns a text without the end.
  func removed(from text: String) -> String {
    hasEnd(text) ? String(decoding: text.utf8.dropLast(markup.utf8.count), as: UTF8.self) : text
  }

  private func hasEnd(_ text: String) -> Bool {
    text.utf8.last == UInt8(ascii: ">")
      && text.utf8.suffix(markup.utf8.count).elementsEqual(markup.utf8)
  }

  /// The reason and the line of the lost end, or nil without a loss.
  func loss(_ scan: PageScan) -> (reason: PageLoss, line: Int)? {
    if isFound { return nil }
    if let openComment { return (.openComment, openComment) }
    return (scan.endsInValue ? .openValue : .openTag, scan.lineOfOpenTag)
  }
}
