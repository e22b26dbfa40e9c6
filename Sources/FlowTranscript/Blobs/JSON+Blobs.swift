extension JSON {
  /// The tree with the strings that its blobs stand for.
  ///
  /// - Throws: what `text` throws.
  func resolvingBlobs(_ text: (Blob) throws(BlobError) -> String) throws(BlobError) -> JSON {
    if let blob = Blob(self) { return .string(try text(blob)) }
    switch self {
    case .array(let elements):
      var resolved: [JSON] = []
      for element in elements { resolved.append(try element.resolvingBlobs(text)) }
      return .array(resolved)
    case .object(let members): return .object(try Self.resolving(members, text))
    default: return self
    }
  }

  /// The tree with blobs in place of the texts that they stand for, which are given in UTF-8.
  func namingBlobs(_ names: [[UInt8]: Blob]) -> JSON {
    switch self {
    case .string(let text) where text.utf8.count > Blob.longestInLine:
      names[Array(text.utf8)]?.json ?? self
    case .array(let elements): .array(elements.map { $0.namingBlobs(names) })
    case .object(let members):
      .object(members.map { Member($0.name, $0.value.namingBlobs(names)) })
    default: self
    }
  }

  private static func resolving(
    _ members: [Member], _ text: (Blob) throws(BlobError) -> String
  ) throws(BlobError) -> [Member] {
    var resolved: [Member] = []
    for member in members {
      // What is to be taken literally is no blob itself.
      if member.name == literalName, case .object(let inner) = member.value {
        resolved.append(Member(member.name, .object(try resolving(inner, text))))
      } else {
        resolved.append(Member(member.name, try member.value.resolvingBlobs(text)))
      }
    }
    return resolved
  }
}
