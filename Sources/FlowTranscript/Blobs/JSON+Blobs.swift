extension JSON {
  /// The tree with the strings that its blobs stand for.
  ///
  /// - Throws: what `content` throws; `BlobError` for a content that is no text where one stands.
  func resolvingBlobs(
    _ content: (Blob) throws(BlobError) -> [UInt8]
  ) throws(BlobError) -> JSON {
    if let blob = Blob(self) {
      guard let text = blob.text(try content(blob)) else { throw BlobError(blob, "is no text") }
      return .string(text)
    }
    switch self {
    case .array(let elements):
      var resolved: [JSON] = []
      for element in elements { resolved.append(try element.resolvingBlobs(content)) }
      return .array(resolved)
    case .object(let members): return .object(try Self.resolving(members, content))
    default: return self
    }
  }

  private static func resolving(
    _ members: [Member], _ content: (Blob) throws(BlobError) -> [UInt8]
  ) throws(BlobError) -> [Member] {
    var resolved: [Member] = []
    for member in members {
      // What is to be taken literally is no blob itself.
      if member.name == literalName, case .object(let inner) = member.value {
        resolved.append(Member(member.name, .object(try resolving(inner, content))))
      } else {
        resolved.append(Member(member.name, try member.value.resolvingBlobs(content)))
      }
    }
    return resolved
  }
}
