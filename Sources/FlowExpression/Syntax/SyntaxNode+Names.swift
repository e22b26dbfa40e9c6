extension SyntaxNode {
  /// The names of `a.b.c` from left to right; nil when the node is anything else.
  var qualifiedName: QualifiedName? {
    switch kind {
    case .name(let text, let isRooted):
      return QualifiedName(parts: [Name(text: text, span: span)], isRooted: isRooted)
    case .select(let operand, let field, isOptional: false):
      guard var name = operand.qualifiedName else { return nil }
      name.parts.append(field)
      return name
    default: return nil
    }
  }

  /// The name when the node is a simple one, as the variable of a macro must be.
  var simpleName: String? {
    if case .name(let text, isRooted: false) = kind { return text }
    return nil
  }
}

/// Names joined by points, which are a variable, or a variable and fields of it.
struct QualifiedName {
  var parts: [SyntaxNode.Name]
  let isRooted: Bool

  /// The first `count` names, joined by points.
  func prefix(_ count: Int) -> String {
    count == 1 ? parts[0].text : parts.prefix(count).map(\.text).joined(separator: ".")
  }

  /// The place of the first `count` names.
  func span(_ count: Int) -> Range<Int> {
    parts[0].span.lowerBound..<parts[count - 1].span.upperBound
  }
}
