internal import FlowCore
internal import FlowSchema
internal import FlowSystem
internal import FlowYAML

/// A file with schemas, and the references in it.
struct SchemaFile {
  /// A `$ref` to another document.
  struct Reference {
    /// The text as the file has it.
    let text: String
    /// The pointer to the keyword.
    let pointer: String
    /// The URI of the other document, without a fragment.
    let uri: String
    /// The path of its file from the folder of the main scenario, or nil outside of the project.
    let path: String?
  }

  /// The path from the folder of the main scenario.
  let location: String
  /// The file as diagnostics show it.
  let shown: String
  let value: Value
  /// The URI that the document declares for itself, or nil.
  let declaredURI: String?
  private(set) var references: [Reference] = []
  private let root: Node

  /// Reads a document that is known by a URI.
  init(_ root: Node, location: String, shown: String) {
    (self.root, self.location, self.shown) = (root, location, shown)
    value = Value(root)
    let base = URIReference(location)
    let id = root.identifier.map { URIReference($0).resolved(against: base).withoutFragment.text }
    declaredURI = id == location ? nil : id
    collect(in: root, base, at: .root)
  }

  /// Returns the place of a pointer, or of the nearest part around it.
  ///
  /// The place of a member begins with its key.
  func span(at pointer: String) -> SourceSpan {
    var (node, span) = (root, root.span.firstCharacter)
    for token in JSONPointer.tokens(of: pointer) ?? [] {
      if let entry = node.entries.first(where: { $0.key.text.isIdentical(to: token) }) {
        (node, span) = (entry.value, entry.key.span)
      } else if let index = Int(token), node.items.indices.count > index,
        let item = node.items.dropFirst(index).first
      {
        (node, span) = (item, item.span.firstCharacter)
      } else {
        break
      }
    }
    return SourceSpan(span, file: shown)
  }

  // MARK: - References

  private mutating func collect(in node: Node, _ base: URIReference, at pointer: JSONPointer) {
    for (index, item) in node.items.enumerated() {
      collect(in: item, base, at: pointer.appending(index))
    }
    if node.kind != .mapping { return }
    let inner = node.identifier.map { URIReference($0).resolved(against: base) } ?? base
    for entry in node.entries {
      let pointer = pointer.appending(entry.key.text)
      if ["$ref", "$dynamicRef"].contains(entry.key.text), entry.value.scalar == .string {
        note(entry.value.text, inner, at: pointer)
      }
      collect(in: entry.value, inner, at: pointer)
    }
  }

  private mutating func note(_ text: String, _ base: URIReference, at pointer: JSONPointer) {
    let target = URIReference(text).resolved(against: base).withoutFragment
    if target.text == location || target.text == declaredURI { return }
    references.append(
      Reference(
        text: text, pointer: pointer.description, uri: target.text, path: path(of: target, text)))
  }

  /// Returns the path of a document beside this one, or nil for one of another origin.
  ///
  /// A document with a URL as its `$id` lies in the folder of that URL, as its neighbours do.
  private func path(of target: URIReference, _ text: String) -> String? {
    if target.scheme == nil, target.authority == nil { return target.path.percentDecoded }
    if let own = declaredURI, target.text.hasPrefix(own.folder) {
      let rest = String(target.text.dropFirst(own.folder.count))
      return rest.percentDecoded.map { location.folder + $0 }
    }
    let written = URIReference(text)
    guard written.scheme == nil, written.authority == nil, !written.path.isEmpty,
      let path = written.path.percentDecoded
    else { return nil }
    return location.folder + path
  }
}

extension Node {
  /// The `$id`, unless it only names an anchor as in draft 7.
  fileprivate var identifier: String? {
    guard let id = self["$id"], id.scalar == .string, !id.text.hasPrefix("#") else { return nil }
    return id.text
  }
}
