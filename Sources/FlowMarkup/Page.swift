private import CXML2

/// The elements and texts of a page of HTML, in its order.
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

  private let library: MarkupLibrary
  private let page: OpaquePointer?
  /// The page or element around the next node, and all those around it.
  private var open = [Open(index: nil)]

  private struct Open {
    let index: Int?
    var latest: Int? = nil
    var count = 0
  }

  /// Reads a page.
  ///
  /// A zero byte is U+FFFD, as in browsers: the library takes it for the end.
  ///
  /// - Throws: `MarkupSearch.Problem` for a page with too many attributes, or one that the library
  ///   does not read to its end.
  init(_ text: String, with library: MarkupLibrary) throws(MarkupSearch.Problem) {
    var scan = PageScan(text)
    if scan.hasTooManyAttributes() { throw .attributes(limit: PageScan.mostAttributes) }
    self.library = library
    var problem = flow_xml_problem()
    let text = text.withoutZeros
    unsafe page = text.withCString { bytes in
      unsafe flow_html_read(library.functions, bytes, Int32(text.utf8.count), &problem)
    }
    if let loss = PageLoss(problem) { throw .page(loss, line: Int(problem.line)) }
    guard let page = unsafe page else { return }
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe flow_html_walk(
      page,
      { context, node, depth, isElement in
        unsafe Unmanaged<Page>.fromOpaque(context).takeUnretainedValue()
          .add(node, Int(depth), isElement)
      }, context)
    close(downTo: 0)
  }

  deinit { if let page = unsafe page { unsafe flow_html_free(library.functions, page) } }

  private func add(_ content: OpaquePointer, _ depth: Int, _ isElement: Bool) {
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
    unsafe String(cString: flow_html_name(nodes[index].content))
  }

  /// The texts in an element together, or a text.
  func text(of index: Int) -> String {
    unsafe string(flow_html_text(library.functions, nodes[index].content)) ?? ""
  }

  /// The value of an element's attribute, or nil.
  func attribute(_ name: String, of index: Int) -> String? {
    unsafe string(flow_html_attribute(library.functions, nodes[index].content, name))
  }

  private func string(_ characters: UnsafeMutablePointer<CChar>?) -> String? {
    guard let characters = unsafe characters else { return nil }
    defer { unsafe flow_html_free_text(library.functions, characters) }
    return unsafe String(cString: characters)
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

extension PageLoss {
  /// Creates the reason of a problem, or nil if there is none.
  fileprivate init?(_ problem: flow_xml_problem) {
    let message = problem.message
    if message.isEmpty { return nil }
    switch Int(problem.code) {
    case flow_html_too_deep: self = .tooDeep
    case flow_html_long_text: self = .longText
    case flow_html_open_value: self = .openValue
    case flow_html_open_comment: self = .openComment
    case flow_html_open_tag: self = .openTag
    default: self = .other(message)
    }
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
