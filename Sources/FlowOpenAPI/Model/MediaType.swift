internal import FlowSystem

/// A media type or range without its parameters, in lower case.
struct MediaType: Sendable {
  let type: String
  let subtype: String

  init(_ text: String) {
    let name = text.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    type = parts.first.map(String.init) ?? ""
    subtype = parts.count > 1 ? String(parts[1]) : ""
  }

  /// True for JSON and for types that are written as JSON.
  var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }

  /// True for the fields of a form in one text.
  var isForm: Bool { type == "application" && subtype == "x-www-form-urlencoded" }

  /// True for a form in parts.
  var isMultipart: Bool { type == "multipart" }

  /// True for text of any kind.
  var isText: Bool { type == "text" }

  /// The closeness of a range to a type, from 0 for the very type, or nil for another one.
  func distance(to other: MediaType) -> Int? {
    if type == "*" { return 2 }
    guard type == other.type else { return nil }
    if subtype == "*" { return 1 }
    return subtype == other.subtype ? 0 : nil
  }
}

extension [OpenAPIContent] {
  /// The content whose media type is nearest to a type, or nil.
  func content(for mediaType: String) -> OpenAPIContent? {
    let wanted = MediaType(mediaType)
    let near = compactMap { content in
      MediaType(content.mediaType).distance(to: wanted).map { (content: content, distance: $0) }
    }
    return near.min { $0.distance < $1.distance }?.content
  }

  /// The first content that is JSON, or a range that includes it.
  var json: OpenAPIContent? {
    first { MediaType($0.mediaType).isJSON } ?? content(for: "application/json")
  }
}
