/// The nodes of a text in one array and their characters in another; never changes.
///
/// Nodes are in preorder: a collection comes before its children, and `next` leads past them. A
/// million nodes are two allocations, and walking them is walking memory forwards.
final class Document: Sendable {
  let entries: [Entry]

  /// The characters of all scalars, in UTF-8, one after another.
  let text: [UInt8]

  private let wideSpans: WideSpans

  init(entries: [Entry], text: [UInt8], wideSpans: WideSpans) {
    self.entries = entries
    self.text = text
    self.wideSpans = wideSpans
  }

  /// Where the node at an index stands.
  func span(at index: Int) -> Span {
    wideSpans.unpack(entries[index].span)
  }

  /// What stands at an index, an alias being replaced by the node that it names.
  func content(at index: Int) -> Entry {
    entries[contentIndex(of: index)]
  }

  /// The index itself, or for an alias the index of the node that it names.
  func contentIndex(of index: Int) -> Int {
    let entry = entries[index]
    return entry.isAlias ? Int(entry.offset) : index
  }
}
