internal import FlowSystem

/// A media type or range: its names and the values of its parameters in lower case.
struct MediaType: Sendable {
  let type: String
  let subtype: String
  /// The parameters, as `version=2` and `charset=utf-8`, by their names.
  let parameters: [String: String]

  init(_ text: String) {
    let parts = Self.parts(of: text)
    let name = parts[0].lowercased().filter { $0 != " " && $0 != "\t" }
    let names = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    type = names.first.map(String.init) ?? ""
    subtype = names.count > 1 ? String(names[1]) : ""
    let pairs = parts.dropFirst().compactMap(Self.parameter)
    parameters = Dictionary(pairs) { first, _ in first }
  }

  /// The parts between semicolons outside of quotation marks.
  private static func parts(of text: String) -> [String] {
    var (parts, isQuoted, isEscaped) = ([""], false, false)
    for scalar in text.unicodeScalars {
      if scalar == ";", !isQuoted {
        parts.append("")
        continue
      }
      if scalar == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && scalar == "\\" && !isEscaped
      parts[parts.count - 1].unicodeScalars.append(scalar)
    }
    return parts
  }

  private static func parameter(_ text: String) -> (String, String)? {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    var value = sides[1].trimmed
    if value.utf8.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") {
      value = String(value.dropFirst().dropLast()).replacing("\\\"", with: "\"")
    }
    return (sides[0].trimmed.lowercased(), value.lowercased())
  }

  /// True for JSON and for types that are written as JSON.
  var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }

  /// True for the fields of a form in one text.
  var isForm: Bool { type == "application" && subtype == "x-www-form-urlencoded" }

  /// True for a form in parts.
  var isMultipart: Bool { type == "multipart" }

  /// True for text of any kind.
  var isText: Bool { type == "text" }

  /// The closeness of a range to a type: the lesser, the closer.
  struct Distance: Comparable {
    /// From 0 for the very type to 2 for any type.
    let range: Int
    /// The number of parameters of the range that the type does not have.
    let absent: Int
    /// The number of parameters that both have.
    let equal: Int

    static func < (left: Distance, right: Distance) -> Bool {
      (left.range, left.absent, -left.equal) < (right.range, right.absent, -right.equal)
    }
  }

  /// The closeness of a range to a type, or nil for another one.
  ///
  /// A parameter that the type does not have is no contradiction: servers leave out `charset`.
  func distance(to other: MediaType) -> Distance? {
    guard let range = rangeDistance(to: other) else { return nil }
    let values = parameters.map { (own: $0.value, other: other.parameters[$0.key]) }
    guard values.allSatisfy({ $0.other == nil || $0.other == $0.own }) else { return nil }
    let equal = values.count { $0.other != nil }
    return Distance(range: range, absent: values.count - equal, equal: equal)
  }

  private func rangeDistance(to other: MediaType) -> Int? {
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

  /// The contents that are JSON, or else the range that includes it.
  var json: [OpenAPIContent] {
    let all = filter { MediaType($0.mediaType).isJSON }
    return all.isEmpty ? content(for: "application/json").map { [$0] } ?? [] : all
  }
}
