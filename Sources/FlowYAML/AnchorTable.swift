/// The anchors of one document, and how much of the stream aliases stand for.
struct AnchorTable {
  /// A node that aliases may name.
  struct Target {
    let index: Int
    let kind: Node.Kind

    /// How many nodes it stands for, aliases inside it replaced; nil while it is being read.
    fileprivate(set) var size: Int?
  }

  private let limit: Int
  private var targets: [String: Target] = [:]
  private var expansion = 0

  /// How many nodes more the stream would have if every alias were replaced by what it names.
  private(set) var surplus = 0

  /// Makes an empty table; all aliases together may stand for `limit` nodes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Names a node that has begun; a name may be given again, and then means the new node.
  mutating func open(_ name: String, index: Int, kind: Node.Kind) {
    targets[name] = Target(index: index, kind: kind, size: nil)
  }

  /// Completes a node of `size` nodes, unless a node inside it has taken its name over.
  mutating func close(_ name: String, index: Int, size: Int) {
    if targets[name]?.index == index { targets[name]?.size = size }
  }

  /// Forgets all names: an anchor is known inside its document only.
  mutating func startDocument() {
    targets.removeAll(keepingCapacity: true)
  }

  /// Finds the node that an alias names, and counts what it stands for.
  mutating func resolve(_ name: String, at span: Span) throws(YAMLError) -> Target {
    guard let target = targets[name] else { throw YAMLError(.unknownAlias(name), at: span) }
    guard let size = target.size else { throw YAMLError(.cyclicAlias(name), at: span) }
    expansion += size
    surplus += size - 1
    guard expansion <= limit else { throw YAMLError(.exceeded(.expansion(limit)), at: span) }
    return target
  }
}
