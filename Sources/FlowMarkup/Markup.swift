private import CXML2

/// A search in documents of XML or HTML, by libxml2.
///
/// Unchecked because of the pointer: a compiled path is only read, and each search has a context of
/// its own.
@safe package final class MarkupSearch: @unchecked Sendable {
  /// The language of the documents.
  package enum Language: Sendable {
    case xml, html
  }

  /// The reason why there is no search, or no result.
  package enum Problem: Error, Sendable, Hashable {
    /// libxml2 is missing or too old.
    case library(file: String, reason: String)
    /// The path is not one of XPath 1.0, or has no value in the document.
    case path(String)
    /// The selector is not one of CSS, or one of those that are not known here.
    case selector(String)
    /// The document is not well-formed.
    case document(String, line: Int)
    /// The document declares entities.
    case entities
    /// The document is longer than the limit, in bytes.
    case tooLong(limit: Int)
  }

  /// The longest document, in bytes.
  package static let longest = 10 << 20

  private let library: MarkupLibrary
  private let path: OpaquePointer
  private let language: Language

  /// Creates a search for the nodes at a path of XPath 1.0 in documents of XML.
  ///
  /// - Throws: `Problem.library` or `Problem.path`.
  package convenience init(xpath: String) throws(Problem) { try self.init(xpath, in: .xml) }

  /// Creates a search for the elements that a selector of CSS chooses in pages of HTML.
  ///
  /// - Throws: `Problem.library` or `Problem.selector`.
  package convenience init(selector: String) throws(Problem) {
    let path: String
    do throws(Selector.Problem) { path = try Selector(selector).path } catch {
      throw .selector(error.message)
    }
    try self.init(path, in: .html)
  }

  private init(_ path: String, in language: Language) throws(Problem) {
    library = try MarkupLibrary.system()
    var problem = flow_xml_problem()
    guard let compiled = unsafe flow_xml_compile(library.functions, path, &problem) else {
      throw .path(problem.message)
    }
    unsafe self.path = compiled
    self.language = language
  }

  deinit { unsafe flow_xml_free(library.functions, path) }

  /// The texts of what is found in a document, in its order.
  ///
  /// `isEnough` is asked after each text.
  ///
  /// - Throws: `Problem` for a document that cannot be searched.
  package func texts(
    in document: String, until isEnough: ([String]) -> Bool = { _ in false }
  ) throws(Problem) -> [String] {
    guard document.utf8.count <= Self.longest else { throw .tooLong(limit: Self.longest) }
    // Their texts can grow without bounds, and other parsers read files for them.
    if language == .xml, document.hasEntityDeclaration { throw .entities }
    return try withoutActuallyEscaping(isEnough) { isEnough throws(Problem) in
      try found(in: document, Texts(isEnough))
    }
  }

  private func found(in document: String, _ texts: Texts) throws(Problem) -> [String] {
    var problem = flow_xml_problem()
    let context = unsafe Unmanaged.passUnretained(texts).toOpaque()
    let isFound = unsafe document.withCString { characters in
      unsafe flow_xml_find(
        library.functions, characters, Int32(document.utf8.count), language == .html, path,
        Texts.visit, context, &problem)
    }
    if isFound { return texts.all }
    throw problem.line > 0
      ? .document(problem.message, line: Int(problem.line)) : .path(problem.message)
  }
}

/// The texts found so far.
private final class Texts {
  private(set) var all: [String] = []
  private let isEnough: ([String]) -> Bool

  init(_ isEnough: @escaping ([String]) -> Bool) { self.isEnough = isEnough }

  static let visit: flow_xml_visit = { context, text in
    let texts = unsafe Unmanaged<Texts>.fromOpaque(context).takeUnretainedValue()
    texts.all.append(unsafe String(cString: text))
    return !texts.isEnough(texts.all)
  }
}

/// The loaded libxml2.
///
/// Unchecked because of the pointer, whose functions never change.
@safe private struct MarkupLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  static func system() throws(MarkupSearch.Problem) -> MarkupLibrary { try loaded.get() }

  #if os(macOS)
    private static let files = ["libxml2.2.dylib"]
  #else
    // Debian 13 and Ubuntu 24.10 have the first, newer systems the second.
    private static let files = ["libxml2.so.2", "libxml2.so.16"]
  #endif

  private static let loaded = Result { () throws(MarkupSearch.Problem) in
    var problem = flow_xml_problem()
    for file in files {
      if let functions = unsafe flow_xml_load(file, &problem) {
        return unsafe MarkupLibrary(functions: functions)
      }
    }
    throw .library(file: files[0], reason: problem.message)
  }
}

extension flow_xml_problem {
  /// The message, which ends with a zero byte.
  fileprivate var message: String {
    unsafe withUnsafeBytes(of: text) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

extension String {
  fileprivate var hasEntityDeclaration: Bool {
    let bytes = Array(utf8)
    let opening = Array("<!ENTITY".utf8)
    return bytes.indices.contains { index in
      bytes[index] == opening[0] && bytes[index...].starts(with: opening)
    }
  }
}
