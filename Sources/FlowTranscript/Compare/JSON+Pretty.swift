extension JSON {
  /// The value with a line for each member and element.
  var prettyLines: [String] {
    var lines: [String] = []
    append(to: &lines, indent: "", before: "", after: "")
    return lines
  }

  private func append(
    to lines: inout [String], indent: String, before: String, after: String
  ) {
    switch self {
    case .object(let members) where !members.isEmpty:
      lines.append(indent + before + "{")
      for (index, member) in members.enumerated() {
        member.value.append(
          to: &lines, indent: indent + "  ", before: Self.string(member.name).text + ": ",
          after: index + 1 < members.count ? "," : "")
      }
      lines.append(indent + "}" + after)
    case .array(let elements) where !elements.isEmpty:
      lines.append(indent + before + "[")
      for (index, element) in elements.enumerated() {
        element.append(
          to: &lines, indent: indent + "  ", before: "",
          after: index + 1 < elements.count ? "," : "")
      }
      lines.append(indent + "]" + after)
    default: lines.append(indent + before + text + after)
    }
  }

  /// The value on one line, as JSON.
  var text: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
