internal import FlowCore

extension SyntaxNode {
  /// The expression with one way of writing: equal texts are equal expressions.
  var normalizedText: String {
    switch kind {
    case .literal(let value): Self.text(value)
    case .double(let number, _): "\(number)"
    case .name(let text, let isRooted): (isRooted ? "." : "") + text
    case .select(let operand, let field, let isOptional):
      operand.normalizedText + (isOptional ? ".?" : ".") + Self.text(field)
    case .index(let operand, let index, let isOptional):
      operand.normalizedText + (isOptional ? "[?" : "[") + index.normalizedText + "]"
    case .call(let call): Self.text(call)
    case .unary(let sign, let operand): sign.rawValue + operand.normalizedText
    case .binary(let sign, let left, let right):
      "(\(left.normalizedText) \(sign.rawValue) \(right.normalizedText))"
    case .logic(let sign, let operands):
      "(" + operands.map(\.normalizedText).joined(separator: " \(sign.rawValue) ") + ")"
    case .conditional(let condition, let first, let second):
      "(\(condition.normalizedText) ? \(first.normalizedText) : \(second.normalizedText))"
    case .list(let elements):
      "["
        + elements.map { ($0.isOptional ? "?" : "") + $0.value.normalizedText }
        .joined(separator: ", ") + "]"
    case .map(let entries): "{" + entries.map(Self.text).joined(separator: ", ") + "}"
    }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .uint(let number): "\(number)u"
    case .bytes(let bytes): "b\(bytes.content)"
    default: value.description
    }
  }

  private static func text(_ field: Name) -> String {
    field.text.utf8.allSatisfy { Lexer.isLetter($0) || Lexer.isDigit($0) }
      ? field.text : "`\(field.text)`"
  }

  private static func text(_ entry: Entry) -> String {
    (entry.isOptional ? "?" : "") + entry.key.normalizedText + ": " + entry.value.normalizedText
  }

  private static func text(_ call: Call) -> String {
    let target = call.target.map { $0.normalizedText + "." } ?? (call.isRooted ? "." : "")
    let arguments = call.arguments.map(\.normalizedText).joined(separator: ", ")
    return target + call.name.text + "(" + arguments + ")"
  }
}
