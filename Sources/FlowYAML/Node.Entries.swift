extension Node {
  /// A mapping's keys and values in file order; empty for other nodes.
  public var entries: Entries { Entries(of: self) }

  /// A key of a mapping and its value.
  public struct Entry: Sendable {
    /// Always a scalar or an alias of one.
    public let key: Node

    /// Any node; an empty plain scalar where the file has none.
    public let value: Node
  }

  /// The entries of a mapping.
  public struct Entries: Sendable, Collection {
    /// A place in the mapping; only the collection itself makes one.
    public struct Index: Sendable, Comparable {
      fileprivate let key: Int

      /// Orders places as they stand in the file.
      public static func < (left: Index, right: Index) -> Bool { left.key < right.key }
    }

    private let document: Document

    /// The first entry's place; equal to `endIndex` when there is none.
    public let startIndex: Index

    /// The place after the last entry.
    public let endIndex: Index

    /// The number of entries, found in constant time.
    public let count: Int

    fileprivate init(of node: Node) {
      let index = node.document.contentIndex(of: node.index)
      let content = node.document.entries[index]
      let isMapping = content.kind == .mapping
      document = node.document
      startIndex = Index(key: isMapping ? index + 1 : 0)
      endIndex = Index(key: isMapping ? Int(content.next) : 0)
      count = isMapping ? Int(content.length) : 0
    }

    /// The next place, found in constant time however large the node here is.
    public func index(after index: Index) -> Index {
      Index(key: Int(document.entries[value(of: index)].next))
    }

    /// The entry at a place of this collection.
    public subscript(index: Index) -> Entry {
      Entry(
        key: Node(document: document, index: index.key),
        value: Node(document: document, index: value(of: index)))
    }

    private func value(of index: Index) -> Int {
      Int(document.entries[index.key].next)
    }
  }
}
