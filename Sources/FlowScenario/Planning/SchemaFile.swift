internal import FlowCore
internal import FlowPlan
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
  private let root: Node

  init(_ root: Node, location: String, shown: String) {
    (self.root, self.location, self.shown) = (root, location, shown)
    value = Value(root)
  }

  /// Returns the URI that the document declares for itself where it is known by another one, or
  /// that one.
  func declaredURI(knownAs uri: String) -> String {
    root.identifier.map {
      URIReference($0).resolved(against: URIReference(uri)).withoutFragment.text
    } ?? uri
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

  /// Returns the references to other documents, of a document that is known by a URI.
  func references(knownAs uri: String) -> [Reference] {
    var references = SchemaReferences(
      location: location, own: [declaredURI(knownAs: uri), uri, location])
    references.collect(in: root, URIReference(uri), at: .root)
    return references.all
  }
}

/// The references of a document, while they are collected.
private struct SchemaReferences {
  /// The path of the document's file.
  let location: String
  /// The URIs of the document, all of which are where the file is.
  let own: [String]
  private(set) var all: [SchemaFile.Reference] = []

  init(location: String, own: [String]) { (self.location, self.own) = (location, own) }

  mutating func collect(in node: Node, _ base: URIReference, at pointer: JSONPointer) {
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
    if own.contains(target.text) { return }
    all.append(
      SchemaFile.Reference(
        text: text, pointer: pointer.description, uri: target.text, path: path(of: target, text)))
  }

  /// Returns the path of a document beside this one, or nil for one of another origin.
  ///
  /// A document with a URL as its `$id`, or that its neighbour refers to by one, lies in the folder
  /// of that URL, as its neighbours do.
  private func path(of target: URIReference, _ text: String) -> String? {
    if target.scheme == nil, target.authority == nil { return target.path.percentDecoded }
    // A path is in no folder of a URL.
    for uri in own where !uri.folder.isEmpty && target.text.hasPrefix(uri.folder) {
      let rest = String(target.text.dropFirst(uri.folder.count))
      return rest.percentDecoded.map { location.folder + $0 }
    }
    let written = URIReference(text)
    guard written.scheme == nil, written.authority == nil, !written.path.isEmpty else { return nil }
    let isFromRoot = written.path.hasPrefix("/")
    let way =
      isFromRoot
      ? Path.way(from: URIReference(own[0]).path.folder, to: written.path) : written.path
    return way.percentDecoded.map { location.folder + $0 }
  }
}

extension Node {
  /// The `$id`, unless it only names an anchor as in draft 7.
  fileprivate var identifier: String? {
    guard let id = self["$id"], id.scalar == .string, !id.text.hasPrefix("#") else { return nil }
    return id.text
  }
}
