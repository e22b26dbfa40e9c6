internal import FlowCore
internal import FlowExpression
internal import FlowYAML

/// Compiles the expressions of scalars, with positions in the scenario file.
struct ExpressionCompiler {
  let problems: Problems
  let use: VariableUse
  let steps: StepIndex

  /// A scalar that must be one expression of a type, such as `if:` and `until:`.
  func expression(
    _ node: Node, _ type: ValueType, owner: String, _ environment: Environment
  ) -> PlannedExpression? {
    let parts = node.kind == .scalar ? Interpolation.parts(of: node.text) : []
    guard let (text, offset) = Interpolation.onlyExpression(parts) else {
      report(parts, node, owner)
      return nil
    }
    guard let planned = compile((text, offset), as: type, node, environment) else { return nil }
    guard accepts(type, planned.expression.type) else {
      reject(planned, type, owner, node)
      return nil
    }
    return planned
  }

  /// Text with expressions in it; nil after a problem.
  func template(
    _ node: Node, as type: ValueType, owner: String, _ environment: Environment
  ) -> (Template, ValueType)? {
    let parts = Interpolation.parts(of: node.text)
    if let (text, offset) = Interpolation.onlyExpression(parts) {
      guard let planned = compile((text, offset), as: type, node, environment) else { return nil }
      if let constant = planned.expression.constant {
        return template(constant, planned, type, owner, node)
      }
      guard accepts(type, planned.expression.type) else {
        reject(planned, type, owner, node)
        return nil
      }
      let actual = planned.expression.type.valueType ?? .dynamic
      return (.expression(planned, as: type), type == .dynamic ? actual : type)
    }
    guard type.accepts(.string) else {
      if !reportUnterminated(parts, node) {
        problems.add(
          .literalType(owner: owner, expected: type, actual: "text around an expression"),
          at: node.span)
      }
      return nil
    }
    return text(parts, node, environment).map { ($0, .string) }
  }

  /// An expression of constants alone is computed here, and its value must fit, not only its type.
  private func template(
    _ constant: Value, _ planned: PlannedExpression, _ type: ValueType, _ owner: String,
    _ node: Node
  ) -> (Template, ValueType)? {
    guard let value = try? constant.converted(to: type) else {
      let actual = accepts(type, planned.expression.type) ? constant.summary() : nil
      reject(planned, type, owner, node, actual: actual)
      return nil
    }
    return (.constant(value), type == .dynamic ? ValueType(of: value) : type)
  }

  private func text(
    _ parts: [Interpolation.Part], _ node: Node, _ environment: Environment
  ) -> Template? {
    var templates: [Template] = []
    for part in parts {
      switch part {
      case .text(let text): templates.append(.constant(.string(text)))
      case .expression(let text, let offset):
        guard let planned = compile((text, offset), as: nil, node, environment) else { continue }
        templates.append(.expression(planned, as: .dynamic))
      case .unterminated: _ = reportUnterminated(parts, node)
      }
    }
    // After a problem there are fewer templates than parts.
    return templates.count == parts.count ? .text(templates) : nil
  }

  private func compile(
    _ source: (text: String, offset: Int), as expected: ValueType?, _ node: Node,
    _ environment: Environment
  ) -> PlannedExpression? {
    let (text, offset) = source
    do {
      let end = offset + text.unicodeScalars.count
      let trimmed = text.trimmingBlanks
      let start = offset + trimmed.leading
      let expression = try Expression(trimmed.text, in: environment, expecting: expected)
      for reference in expression.references {
        guard let problem = use.use(reference) else { continue }
        let range = (reference.span.lowerBound + start)..<(reference.span.upperBound + start)
        problems.add(problem, at: span(range, of: node))
      }
      return PlannedExpression(
        expression, at: Place(span(start..<max(start, end - trimmed.trailing), of: node)))
    } catch {
      for problem in error.problems { report(problem, text, offset, node) }
      return nil
    }
  }

  private func report(_ problem: ExpressionProblem, _ text: String, _ offset: Int, _ node: Node) {
    let trimmed = text.trimmingBlanks
    let start = offset + trimmed.leading + problem.span.lowerBound
    let place = span(start..<max(start + 1, start + problem.span.count), of: node)
    if problem.code == .undeclaredReference,
      let id = trimmed.text.stepID(at: problem.span),
      let problem = steps.problem(withUnknown: id, seenFrom: node.span.start.line)
    {
      return problems.add(problem, at: place)
    }
    problems.add(
      .expression(
        code: problem.diagnosticCode, message: problem.message, near: problem.suggestions),
      at: place)
  }

  private func report(_ parts: [Interpolation.Part], _ node: Node, _ owner: String) {
    if reportUnterminated(parts, node) { return }
    problems.add(.notAnExpression(owner: owner, isMapping: node.kind == .mapping), at: node.span)
  }

  private func reportUnterminated(_ parts: [Interpolation.Part], _ node: Node) -> Bool {
    guard case .unterminated(let offset)? = parts.last else { return false }
    problems.add(.unterminatedExpression, at: span(offset..<(offset + 3), of: node))
    return true
  }

  private func accepts(_ type: ValueType, _ actual: ExpressionType) -> Bool {
    actual.valueType.map(type.accepts) ?? (type == .dynamic)
  }

  private func reject(
    _ planned: PlannedExpression, _ type: ValueType, _ owner: String, _ node: Node,
    actual: String? = nil
  ) {
    problems.add(
      .expressionType(
        owner: owner, expected: "\(type)", actual: actual ?? "\(planned.expression.type)"),
      at: node.span)
  }

  /// The file's stretch for scalars of the node's text, exact where the text stands as it is written.
  private func span(_ range: Range<Int>, of node: Node) -> Span {
    let span = node.span
    let count = node.text.unicodeScalars.count
    let written = span.end.column - span.start.column
    guard !node.isAlias, span.start.line == span.end.line,
      node.isPlain ? written == count : written == count + 2
    else { return span }
    let first = span.start.column + (node.isPlain ? 0 : 1)
    return Span(
      start: Mark(line: span.start.line, column: first + range.lowerBound),
      end: Mark(line: span.start.line, column: first + range.upperBound))
  }
}

extension ExpressionProblem {
  /// The stable code of the kind of problem.
  fileprivate var diagnosticCode: String {
    switch code {
    case .syntax: "F1301"
    case .undeclaredReference: "F1302"
    case .unknownField: "F1304"
    case .limit: "F1309"
    default: "F1303"
    }
  }
}

extension String {
  /// The id behind `steps.` when a problem lies in either of the two; nil elsewhere.
  fileprivate func stepID(at range: Range<Int>) -> String? {
    let scalars = Array(unicodeScalars)
    let prefix = Array("steps.".unicodeScalars)
    let isInPrefix = scalars.dropFirst(range.lowerBound).starts(with: prefix)
    let start = range.lowerBound + (isInPrefix ? prefix.count : 0)
    guard scalars.prefix(start).suffix(prefix.count).elementsEqual(prefix) else { return nil }
    var view = UnicodeScalarView()
    view.append(
      contentsOf: scalars.dropFirst(start).prefix {
        $0 == "_" || $0.properties.isAlphabetic
          || "0"..."9" ~= $0
      })
    return String(view)
  }

  /// The text without the blanks around it, and how many unicode scalars those were.
  fileprivate var trimmingBlanks: (text: String, leading: Int, trailing: Int) {
    let scalars = Array(unicodeScalars)
    let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" || scalar == "\n" }
    let leading = scalars.prefix(while: isBlank).count
    let trailing = leading == scalars.count ? 0 : scalars.reversed().prefix(while: isBlank).count
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[leading..<(scalars.count - trailing)])
    return (String(view), leading, trailing)
  }
}
