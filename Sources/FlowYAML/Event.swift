/// A step of a stream, as far as a tree needs it.
enum Event {
  case documentStart
  case alias(String)
  case scalar(Properties, isPlain: Bool)
  case collectionStart(Node.Kind, Properties)
  case collectionEnd
  case streamEnd

  /// The start of the stream and the end of a document, which say nothing about nodes.
  case other

  /// What may stand before a node: its anchor's name, and its tag with the handle resolved.
  struct Properties {
    let anchor: String?
    let tag: String?
  }
}
