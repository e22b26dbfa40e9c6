/// A node of a YAML text, with its position.
///
/// A node is a reference to the immutable text it was read from and an index, so copying it is
/// cheap and every node keeps its whole text alive. An alias behaves as the node that it names,
/// except that `span` says where the alias stands.
///
///     let node = try Node(parsing: Array("steps: [load, 12]".utf8))
///     for entry in node.entries {
///       print(entry.key.text, entry.value.items.map(\.text), entry.value.span.start.column)
///     }
///     // steps ["load", "12"] 8
public struct Node: Sendable {
  /// What a node is made of.
  public enum Kind: Sendable {
    /// A text without parts.
    case scalar

    /// Nodes in order.
    case sequence

    /// Pairs of keys and values, in file order.
    case mapping
  }

  let document: Document
  let index: Int

  /// Reads exactly one document.
  ///
  /// The bytes are UTF-8, or UTF-16 with a byte order mark.
  ///
  /// - Throws: `YAMLError` when the text is not YAML, holds no or several documents, uses what this
  ///   reader refuses (duplicate keys, merge keys, collections as keys, tags outside the core
  ///   schema), or goes beyond the limits.
  public init(parsing bytes: [UInt8], limits: Limits = Limits()) throws(YAMLError) {
    let roots = try DocumentBuilder.roots(of: bytes, limits: limits, onlyOne: true)
    guard let root = roots.first else {
      let start = Mark(line: 1, column: 1)
      throw YAMLError(.noDocument, at: Span(start: start, end: start))
    }
    self = root
  }

  /// Reads every document of a stream; empty for an empty stream.
  ///
  /// The limits bound the stream as a whole.
  ///
  /// - Throws: `YAMLError` as `init(parsing:limits:)` does, except for the number of documents.
  public static func all(
    parsing bytes: [UInt8], limits: Limits = Limits()
  ) throws(YAMLError) -> [Node] {
    try DocumentBuilder.roots(of: bytes, limits: limits, onlyOne: false)
  }

  init(document: Document, index: Int) {
    self.document = document
    self.index = index
  }

  /// What the node is made of.
  public var kind: Kind { document.entries[index].kind }

  /// Where the node stands, its anchor and tag included.
  ///
  /// A collection in block style ends with its last child, a block scalar at the start of the line
  /// after it, and a node that was left out is empty.
  public var span: Span { document.span(at: index) }

  /// Whether the node is an alias, such as `*name`.
  public var isAlias: Bool { document.entries[index].isAlias }

  /// Whether the file gives the node a tag, the non-specific `!` included.
  public var isTagged: Bool { content.tag != nil }

  /// The first value whose key's text is `key`; nil for other nodes than mappings.
  public subscript(key: String) -> Node? {
    entries.first { $0.key.hasText(key) }?.value
  }

  /// The node's own entry, or the one that it is an alias of.
  var content: Document.Entry { document.content(at: index) }
}
