extension Node {
  /// A scalar's text after unquoting and folding; empty for collections.
  public var text: String {
    String(decoding: textBytes, as: UTF8.self)
  }

  /// Whether the node is a scalar written without quotes and block indicator.
  public var isPlain: Bool { content.isPlain }

  /// A scalar's meaning by the core schema of YAML 1.2 or by its tag; nil for collections.
  public var scalar: Scalar? {
    let content = content
    return content.kind == .scalar ? content.scalar(in: document.text) : nil
  }

  /// Whether the text has exactly these characters; canonical equivalence does not count.
  func hasText(_ other: String) -> Bool {
    textBytes.elementsEqual(other.utf8)
  }

  private var textBytes: ArraySlice<UInt8> {
    let content = content
    return content.kind == .scalar ? document.text[content.textRange] : []
  }
}
