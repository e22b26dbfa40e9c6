public import FlowCore
internal import FlowSystem
internal import FlowTexts

/// The documents that schemas may refer to, by their URIs.
///
/// Nothing else is ever fetched. The metaschemas of the drafts 7 and 2020-12 are always among them.
public struct SchemaDocuments: Sendable {
  private var documents: [String: Value] = [:]
  /// The documents whose values are plain for sure, so that no schema has to walk them again.
  private(set) var plain: Set<String> = []
  /// The pointers to schemas with identifiers in documents that are no schemas as a whole.
  private(set) var identified: [String: [String]] = [:]

  /// No documents.
  public init() {}

  /// The document with a URI, which may be a relative path.
  ///
  /// A fragment is ignored.
  public subscript(uri: String) -> Value? {
    get { documents[Self.key(uri)] }
    set {
      documents[Self.key(uri)] = newValue
      plain.remove(Self.key(uri))
      identified[Self.key(uri)] = nil
    }
  }

  /// Adds a document whose value is plain, with the pointers to schemas that have identifiers.
  package mutating func insert(plain value: Value, _ uri: String, identified pointers: [String]) {
    documents[uri] = value
    plain.insert(uri)
    identified[uri] = pointers
  }

  /// The URIs of the documents, sorted.
  public var uris: [String] { documents.keys.sorted() }

  /// A metaschema, or a document that was given.
  func document(_ uri: String) -> Value? { documents[uri] ?? Self.metaschemas[uri] }

  private static func key(_ uri: String) -> String { URIReference(uri).withoutFragment.text }

  private static let metaschemas: [String: Value] = {
    // The file is part of this module, and the tests read each document in it.
    guard case .map(let map)? = try? Value(json: Texts.metaschemas) else {
      return [:]
    }
    return Dictionary(
      map.entries.map { ($0.key.interpolated, $0.value) }, uniquingKeysWith: { first, _ in first })
  }()
}
