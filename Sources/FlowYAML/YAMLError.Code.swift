extension YAMLError {
  /// A kind of mistake.
  ///
  /// Later versions may add kinds, so a `switch` needs a default.
  public struct Code: Sendable, Hashable {
    /// The stable name, such as `duplicate-key`.
    public let name: String

    /// The text breaks YAML's grammar.
    public static let syntax: Code = Code(name: "syntax")

    /// The bytes are not UTF-8 or UTF-16, or hold characters that YAML excludes.
    public static let encoding: Code = Code(name: "encoding")

    /// The stream holds no document where one is needed.
    public static let noDocument: Code = Code(name: "no-document")

    /// The stream holds several documents where one is needed.
    public static let manyDocuments: Code = Code(name: "many-documents")

    /// A mapping has two equal keys.
    public static let duplicateKey: Code = Code(name: "duplicate-key")

    /// A mapping has the plain key `<<`, which is not part of YAML 1.2.
    public static let mergeKey: Code = Code(name: "merge-key")

    /// A mapping has a sequence or a mapping as a key.
    public static let collectionKey: Code = Code(name: "collection-key")

    /// A tag is not of the core schema.
    public static let unknownTag: Code = Code(name: "unknown-tag")

    /// A node does not fit its tag.
    public static let tagMismatch: Code = Code(name: "tag-mismatch")

    /// An alias names no anchor before it in its document.
    public static let unknownAlias: Code = Code(name: "unknown-alias")

    /// An alias stands inside the node that it names.
    public static let cyclicAlias: Code = Code(name: "cyclic-alias")

    /// The text asks for more than `Limits` grants, or than there is memory.
    public static let limit: Code = Code(name: "limit")
  }
}
