private import CGumbo
private import CXML2
package import FlowSystem

/// A search in documents of XML by libxml2, or of HTML by libgumbo.
package struct MarkupSearch: Sendable {
  /// The reason why there is no search, or no result.
  package enum Problem: Error, Sendable, Hashable {
    /// libxml2 or libgumbo is missing or too old.
    case library(LibraryError)
    /// The path is not one of XPath 1.0, or has no value in the document.
    case path(String)
    /// The path has a prefix that the document does not declare, unlike these.
    case prefix(String, declared: [String])
    /// The selector is malformed, or of a kind that is not supported.
    case selector(String)
    /// The document is not well-formed.
    case document(String, line: Int)
    /// The document declares entities.
    case entities
    /// The document type is longer than the limit, in bytes.
    case declarations(limit: Int)
    /// The document declares attributes with values for too many elements.
    case declaredAttributes
    /// An element has more attributes than the limit.
    case attributes(limit: Int)
    /// An element is in the scope of more namespaces than the limit.
    case namespaces(limit: Int)
    /// The rest of the page, or of a text in it, cannot be read.
    case page(PageLoss, line: Int)
    /// The document is longer than the limit, in bytes.
    case tooLong(limit: Int)
    /// The search takes more steps than allowed.
    case tooManySteps
  }

  /// The result of a search.
  package struct Found: Sendable, Hashable {
    /// The texts of what is found, in the order of the document.
    package let texts: [String]
    /// The number of taken steps: visited nodes, and checks of one.
    package let steps: Int
  }

  /// The language of the documents.
  private enum Language {
    case xml(path: String, MarkupLibrary)
    case html(Selector, PageLibrary)
  }

  /// The longest document, in bytes.
  package static let longest = 10 << 20

  private let language: Language

  /// Creates a search for the nodes at a path of XPath 1.0 in documents of XML.
  ///
  /// - Throws: `Problem.library` or `Problem.path`.
  package init(xpath: String) throws(Problem) {
    let library: MarkupLibrary
    do { library = try MarkupLibrary.system() } catch { throw .library(error) }
    var problem = flow_xml_problem()
    guard unsafe flow_xml_is_path(library.functions, xpath, &problem) else {
      throw .path(problem.message)
    }
    language = .xml(path: xpath, library)
  }

  /// Creates a search for the elements that a selector of CSS chooses in pages of HTML.
  ///
  /// - Throws: `Problem.library` or `Problem.selector`.
  package init(selector: String) throws(Problem) {
    let parsed: Selector
    do throws(Selector.Problem) { parsed = try Selector(selector) } catch {
      throw .selector(error.message)
    }
    do { language = .html(parsed, try PageLibrary.system()) } catch { throw .library(error) }
  }

  /// Returns the texts of what is found in a document.
  ///
  /// `isEnough` is asked after each text. Some paths visit each node of a document for each other
  /// one, and nothing stops libxml2 except the limit of steps.
  ///
  /// - Throws: `Problem` for a document that cannot be searched.
  package func find(
    in document: String, atMost steps: Int = 64 << 20,
    until isEnough: ([String]) -> Bool = { _ in false }
  ) throws(Problem) -> Found {
    guard document.utf8.count <= Self.longest else { throw .tooLong(limit: Self.longest) }
    return try withoutActuallyEscaping(isEnough) { isEnough throws(Problem) in
      let texts = Texts(isEnough)
      let taken =
        switch language {
        case .xml(let path, let library):
          try Self.find(path, library, in: document, atMost: steps, texts)
        case .html(let selector, let library):
          try Self.find(selector, library, in: document, atMost: steps, texts)
        }
      return Found(texts: texts.all, steps: taken)
    }
  }

  private static func find(
    _ selector: Selector, _ library: PageLibrary, in document: String, atMost limit: Int,
    _ texts: Texts
  ) throws(Problem) -> Int {
    let page = try Page(document, with: library)
    // The values of attributes are compared, too.
    let steps = (page.nodes.count + document.utf8.count / 32) * (1 + selector.weight)
    if steps > limit { throw .tooManySteps }
    page.visit(selector, texts.add)
    return steps
  }

  private static func find(
    _ path: String, _ library: MarkupLibrary, in document: String, atMost limit: Int,
    _ texts: Texts
  ) throws(Problem) -> Int {
    var scan = DocumentScan(document)
    let count = try scan.bytesToParse()
    var problem = flow_xml_problem()
    let isFound = unsafe path.withCString { path in
      var search = unsafe flow_xml_search(
        path: path, most_steps: UInt(max(1, limit)), visit: Texts.visit,
        context: Unmanaged.passUnretained(texts).toOpaque())
      return unsafe document.withCString { characters in
        unsafe flow_xml_find(
          library.functions, characters, Int32(count), &search, &problem)
      }
    }
    if isFound { return Int(problem.steps) }
    if problem.line > 0 { throw .document(problem.message, line: Int(problem.line)) }
    if problem.steps >= max(1, limit) { throw .tooManySteps }
    guard Int(problem.code) == flow_xml_unknown_prefix,
      let prefix = PathPrefixes(path).all.first(where: { !scan.prefixes.contains($0) })
    else { throw .path(problem.message) }
    throw .prefix(prefix, declared: scan.prefixes)
  }
}

/// The reason why a page is not read, or its rest is lost.
package enum PageLoss: Sendable, Hashable {
  /// Too many elements are inside of each other.
  case tooDeep
  /// The page takes too much memory.
  case tooLarge
  /// The page ends in a quoted value of an attribute.
  case openValue
  /// The page ends in a comment.
  case openComment
  /// The page ends in a tag.
  case openTag
}

/// The texts found so far.
private final class Texts {
  private(set) var all: [String] = []
  private let isEnough: ([String]) -> Bool

  init(_ isEnough: @escaping ([String]) -> Bool) { self.isEnough = isEnough }

  /// Adds a text, and returns false if it is enough.
  func add(_ text: String) -> Bool {
    all.append(text)
    return !isEnough(all)
  }

  static let visit: flow_xml_visit = { context, text in
    unsafe Unmanaged<Texts>.fromOpaque(context).takeUnretainedValue()
      .add(String(cString: text))
  }
}

/// The loaded libxml2.
///
/// Unchecked because of the pointer, whose functions never change.
@safe struct MarkupLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  private init() throws(LibraryError) {
    unsafe functions = try SystemLibrary("XML needs", debian: "libxml2", homebrew: "libxml2")
      .load { unsafe flow_xml_load(&$0) }
  }

  static func system() throws(LibraryError) -> MarkupLibrary { try loaded.get() }

  private static let loaded = Result(catching: MarkupLibrary.init)
}

/// The loaded libgumbo.
///
/// Unchecked because of the pointer, whose functions never change.
@safe struct PageLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  private init() throws(LibraryError) {
    unsafe functions = try SystemLibrary(
      "HTML needs", debian: "libgumbo1", newerDebian: "libgumbo-dev", homebrew: "gumbo-parser"
    ).load { unsafe flow_gumbo_load(&$0) }
  }

  static func system() throws(LibraryError) -> PageLibrary { try loaded.get() }

  private static let loaded = Result(catching: PageLibrary.init)
}

extension flow_xml_problem {
  /// The message, which ends with a zero byte.
  var message: String {
    unsafe withUnsafeBytes(of: text) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
