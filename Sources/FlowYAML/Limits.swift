/// How much a text may ask for before reading it fails.
///
/// Every limit is checked while the text is read, so that a hostile text costs no more than an
/// honest one of that size.
public struct Limits: Sendable, Hashable {
  /// How many collections may stand inside each other.
  public let depth: Int

  /// The length of the text in bytes, at most 1 GiB.
  public let bytes: Int

  /// How many nodes all documents of the text may have, aliases counting as one.
  public let nodes: Int

  /// How many nodes all aliases of the text together may stand for.
  public let expansion: Int

  /// Makes limits; the defaults suit files that people write and programs generate.
  ///
  /// - Precondition: `bytes` and `nodes` are at most 2^30, because positions are kept in 32 bits.
  public init(
    depth: Int = 128, bytes: Int = 64 << 20, nodes: Int = 4_000_000, expansion: Int = 1_000_000
  ) {
    precondition(bytes <= 1 << 30, "a limit of \(bytes) bytes is over 1 GiB")
    precondition(nodes <= 1 << 30, "a limit of \(nodes) nodes is over 2^30")
    self.depth = depth
    self.bytes = bytes
    self.nodes = nodes
    self.expansion = expansion
  }
}
