extension Node {
  /// A sequence's nodes in file order; empty for other nodes.
  public var items: Items { Items(of: self) }

  /// The nodes of a sequence.
  public struct Items: Sendable, Collection {
    /// A place in the sequence; only the collection itself makes one.
    public struct Index: Sendable, Comparable {
      fileprivate let node: Int

      /// Orders places as they stand in the file.
      public static func < (left: Index, right: Index) -> Bool { left.node < right.node }
    }

    private let document: Document

    /// The first item's place; equal to `endIndex` when there is none.
    public let startIndex: Index

    /// The place after the last item.
    public let endIndex: Index

    /// The number of items, found in constant time.
    public let count: Int

    fileprivate init(of node: Node) {
      let index = node.document.contentIndex(of: node.index)
      let content = node.document.entries[index]
      let isSequence = content.kind == .sequence
      document = node.document
      startIndex = Index(node: isSequence ? index + 1 : 0)
      endIndex = Index(node: isSequence ? Int(content.next) : 0)
      count = isSequence ? Int(content.length) : 0
    }

    /// The next place, found in constant time however large the node here is.
    public func index(after index: Index) -> Index {
      Index(node: Int(document.entries[index.node].next))
    }

    /// The item at a place of this collection.
    public subscript(index: Index) -> Node {
      Node(document: document, index: index.node)
    }
  }
}
