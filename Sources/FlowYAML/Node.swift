public import FlowSystem

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
  /// The kind of a node.
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

  /// The kind of the node.
  public var kind: Kind { document.entries[index].kind }

  /// The place of the node, with its anchor and tag.
  ///
  /// A collection in block style ends with its last child, a block scalar at the start of the line
  /// after it. An omitted node is empty.
  public var span: Span { document.span(at: index) }
  /// True if the node is an alias, such as `*name`.
  public var isAlias: Bool { document.entries[index].isAlias }
  /// The tag of the node in the file, such as `!!int`, the meaning of a non-specific `!`, or nil.
  public var tag: String? { content.tag?.shorthand }

  /// The first value whose key's text is `key`, or nil.
  ///
  /// Nil for other nodes than mappings.
  public subscript(key: String) -> Node? {
    document.value(of: key.utf8, in: index).map { Node(document: document, index: $0) }
  }

  /// The node's own entry, or the target of an alias.
  var content: Document.Entry { document.content(at: index) }
  /// A scalar's text after unquoting and folding, empty for collections.
  public var text: String { String(decoding: textBytes, as: UTF8.self) }
  /// True if the node is a scalar without quotes and block indicator.
  public var isPlain: Bool { content.isPlain }
  /// True if the node is a scalar with a block indicator, `|` or `>`.
  ///
  /// Its text ends with a line break unless the indicator says otherwise.
  public var isBlock: Bool { content.isBlock }

  /// Returns the place of a character in a scalar with several lines or escapes that contains `${{`,
  /// or in a block scalar of up to 64 KiB that contains `{`.
  ///
  /// - Parameter offset: The number of unicode scalars before it in the text.
  /// - Returns: Nil for other nodes and for aliases.
  public func position(ofCharacter offset: Int) -> Position? {
    document.position(at: offset, in: index)
  }

  /// A scalar's meaning by the core schema of YAML 1.2 or by its tag, or nil for collections.
  public var scalar: Scalar? {
    let content = content
    return content.kind == .scalar ? content.scalar(in: document.text) : nil
  }

  /// Returns true if a byte is in the text.
  ///
  /// Creates no string.
  public func hasText(with byte: UInt8) -> Bool { textBytes.contains(byte) }

  private var textBytes: ArraySlice<UInt8> {
    let content = content
    return content.kind == .scalar ? document.text[content.textRange] : []
  }

  /// A place in a sequence or a mapping.
  ///
  /// Only their collections create one.
  public struct ChildIndex: Sendable, Comparable {
    fileprivate let node: Int

    /// Orders places as in the file.
    public static func < (left: ChildIndex, right: ChildIndex) -> Bool { left.node < right.node }
  }

  private func children(of kind: Kind) -> (first: ChildIndex, end: ChildIndex, count: Int) {
    let index = document.contentIndex(of: index)
    let content = document.entries[index]
    guard content.kind == kind else { return (ChildIndex(node: 0), ChildIndex(node: 0), 0) }
    let end = ChildIndex(node: Int(content.next))
    return (ChildIndex(node: index + 1), end, Int(content.length))
  }

  /// A sequence's nodes in file order, empty for other nodes.
  public var items: Items { Items(of: self) }

  /// The nodes of a sequence.
  public struct Items: Sendable, Collection {
    private let document: Document
    /// The first item's place, equal to `endIndex` without items.
    public let startIndex: ChildIndex
    /// The place after the last item.
    public let endIndex: ChildIndex
    /// The number of items, found in constant time.
    public let count: Int

    fileprivate init(of node: Node) {
      document = node.document
      (startIndex, endIndex, count) = node.children(of: .sequence)
    }

    /// The next place, found in constant time however large the node here is.
    public func index(after index: ChildIndex) -> ChildIndex {
      ChildIndex(node: Int(document.entries[index.node].next))
    }

    /// The item at a place of this collection.
    public subscript(index: ChildIndex) -> Node { Node(document: document, index: index.node) }
  }

  /// A mapping's keys and values in file order, empty for other nodes.
  public var entries: Entries { Entries(of: self) }

  /// A key of a mapping and its value.
  public struct Entry: Sendable {
    /// Always a scalar or an alias of one.
    public let key: Node
    /// Any node.
    ///
    /// An empty plain scalar if the file has none.
    public let value: Node
  }

  /// The entries of a mapping.
  public struct Entries: Sendable, Collection {
    private let document: Document
    /// The place of the first entry's key, equal to `endIndex` without entries.
    public let startIndex: ChildIndex
    /// The place after the last entry.
    public let endIndex: ChildIndex
    /// The number of entries, found in constant time.
    public let count: Int

    fileprivate init(of node: Node) {
      document = node.document
      (startIndex, endIndex, count) = node.children(of: .mapping)
    }

    /// The next place, found in constant time however large the node here is.
    public func index(after index: ChildIndex) -> ChildIndex {
      ChildIndex(node: Int(document.entries[value(of: index)].next))
    }

    /// The entry at a place of this collection.
    public subscript(index: ChildIndex) -> Entry {
      Entry(
        key: Node(document: document, index: index.node),
        value: Node(document: document, index: value(of: index)))
    }

    private func value(of key: ChildIndex) -> Int { Int(document.entries[key.node].next) }
  }
}
