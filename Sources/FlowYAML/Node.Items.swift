extension Node {
  /// A sequence's nodes in file order; empty for other nodes.
  public var items: Items { Items(of: self) }

  /// The nodes of a sequence. Counting them and going to the next one take constant time.
  public struct Items: Sendable, Collection {
    /// A place in the sequence; only the collection itself makes one.
    public struct Index: Sendable, Comparable {
      fileprivate let node: Int

      public static func < (left: Index, right: Index) -> Bool { left.node < right.node }
    }

    private let document: Document

    public let startIndex: Index
    public let endIndex: Index
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

    public func index(after index: Index) -> Index {
      Index(node: Int(document.entries[index.node].next))
    }

    public subscript(index: Index) -> Node {
      Node(document: document, index: index.node)
    }
  }
}
