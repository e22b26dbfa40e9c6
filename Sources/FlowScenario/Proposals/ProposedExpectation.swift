package import FlowCore
internal import FlowExpression
package import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// A line that fails a step if its answer differs from the recorded one.
package struct ProposedLine: Sendable, Hashable {
  /// The key and its value on one line, `expect: {status: 201}`, as the step's file writes them.
  package var text: String
  /// The parts that it is for, without what is expected already: `json.currency: EUR`.
  package let summary: String
  /// The step, which may be in the file of an included scenario.
  package let step: SourceSpan
}

/// The reason why no line of a step notices an alteration, in the words of reports.
package enum NoProposal: String, Error, Sendable, CaseIterable {
  /// The answer to a call that a component made, such as a request of a program under test.
  case madeByComponent = "no step made the call"
  case event = "a step that waits has no expectation"
  /// An answer after which the step, or a block around it, was tried again.
  case triedAgain = "the step was tried again"
  /// The step or one around it has `continue-on-error`.
  case mayFail = "the step may fail"
  case expectsError = "the step expects an error"
  case isError = "the step failed"
  case isHidden = "the value is hidden"
  /// Every expectation takes the altered value for the recorded one.
  case isSame = "both values mean the same"
  /// A field without a value fulfils no expectation.
  case hasNoValue = "the field has no value here"
  /// The value is no part of every answer of the step.
  case isElsewhere = "not every answer has the value"
  /// The values in the answers of a loop have no short condition in common.
  case differs = "the value differs in each iteration"
  /// No short expectation tells the values apart.
  case hasNoForm = "no short expectation tells them apart"
  /// The expectation of the step is computed, or cannot be read.
  case isComputed = "the present expectation is computed"
}

/// The lines of `expect` for parts of recorded answers that a scenario does not check.
///
///     expect: {status: 201, json: {currency: EUR}}
package struct ProposedExpectations: Sendable {
  private let plan: Plan
  private let files: [String: WrittenFile]

  /// A file of the scenario, with its mappings by their places, among them the steps.
  private struct WrittenFile {
    let source: ScenarioSource
    var mappings: [Position: Node] = [:]
  }

  /// Creates proposals for a scenario.
  ///
  /// - Parameters:
  ///   - plan: The scenario.
  ///   - source: Reads the file of the scenario, and of those that it includes. Steps of a file
  ///     that it does not read, or whose text is of no format, get no proposals.
  package init(for plan: Plan, _ source: (_ file: String) -> ScenarioSource?) {
    self.plan = plan
    var files: [String: WrittenFile] = [:]
    var plans = [plan]
    while let next = plans.popLast() {
      if files[next.file] != nil { continue }
      plans += next.scenarios
      guard let source = source(next.file) else { continue }
      var file = WrittenFile(source: source)
      let root = try? Node(parsing: source.bytes, as: Format(ofFile: source.file))
      root?.collectMappings(into: &file.mappings)
      files[next.file] = file
    }
    self.files = files
  }

  /// Returns the line that fails a step if one of several parts of its answer is altered.
  ///
  /// It contains the present expectation of the step, and takes its place.
  ///
  /// - Parameters:
  ///   - parts: The parts of the step's answer, in the order of the transcript, at least one.
  ///   - path: The path of the step in the run.
  /// - Returns: The line with the place of the step.
  /// - Throws: The reason why no expectation describes a part shortly, or why a failure of the step
  ///   may pass.
  package func line(
    for parts: [RecordedPart], of path: String
  ) throws(NoProposal) -> ProposedLine {
    let span = try step(at: path, parts)
    guard let file = files[span.file], let mapping = file.mappings[span.start], !mapping.isAlias
    else { throw .isComputed }
    var (node, own) = (mapping["expect"]?.written, YAMLText.Node?.none)
    for part in parts {
      node = try MergedExpectation(part).node(node, part.path[...])
      own = try MergedExpectation(part).node(own, part.path[...])
    }
    guard let node, let own else { throw .hasNoForm }
    let text =
      Format(ofFile: span.file) == .json
      ? "\"expect\": \(YAMLText.json(node))" : "expect: \(YAMLText.oneLine(node))"
    return ProposedLine(text: text, summary: Self.summary(own), step: span)
  }

  /// Returns an expectation with the names of single fields before it: `json.currency: EUR`.
  private static func summary(_ expectation: YAMLText.Node) -> String {
    var (node, names) = (expectation, [String]())
    while case .map(let entries) = node, entries.count == 1 {
      names.append(entries[0].key)
      node = entries[0].value
    }
    let value = YAMLText.oneLine(node)
    return names.isEmpty ? value : "\(names.joined(separator: ".")): \(value)"
  }

  /// Returns the place of a step whose failure fails the scenario.
  private func step(
    at path: String, _ parts: [RecordedPart]
  ) throws(NoProposal) -> SourceSpan {
    let way = plan.way(to: path)
    guard let step = way.step else { throw .madeByComponent }
    guard let call = step.action.call else { throw .event }
    if case .error? = call.expectation { throw .expectsError }
    if (way.around + [step]).contains(where: { $0.options?.continuesOnError == true }) {
      throw .mayFail
    }
    // A block is not tried again after an answer that was not recorded.
    if way.around.contains(where: \.countsAttempts), parts.contains(where: \.isRepeated) {
      throw .triedAgain
    }
    if !parts.allSatisfy(\.isVisible) { throw .isHidden }
    if parts.contains(where: \.isSame) { throw .isSame }
    return step.place.span(in: way.plan.file)
  }

  /// Returns the change of a file that puts a line into its step, in place of the present `expect`.
  ///
  /// Nil if other places of the file repeat that, and for a file with rare line breaks.
  package func edit(for line: ProposedLine) -> SourceEdit? {
    guard let file = files[line.step.file], let step = file.mappings[line.step.start] else {
      return nil
    }
    return ExpectationEdit(file.source)?.edit(of: step, line.text)
  }
}

/// An expectation together with the one for a part of an answer.
private struct MergedExpectation {
  /// The keys that mean something else at the top of an expectation, or anywhere.
  private static let errorKey = "error"
  private static let schemaKey = "schema"

  private let part: RecordedPart

  init(_ part: RecordedPart) { self.part = part }

  /// Returns what is expected of a value, together with the one for the part at a path inside.
  func node(
    _ existing: YAMLText.Node?, _ path: ArraySlice<FieldPath.Step>
  ) throws(NoProposal) -> YAMLText.Node {
    let rest = path.dropFirst()
    switch (existing, path.first) {
    case (nil, nil), (.raw?, nil), (.text?, nil):
      if let literal = part.literal { return literal }
      return try condition(existing, path)
    case (nil, .field(let name)?) where !isKeyword(name, path):
      return .map([(name, try node(nil, rest))])
    case (.map(var entries)?, .field(let name)?) where !isKeyword(name, path):
      if let index = entries.firstIndex(where: { $0.key == name }) {
        entries[index].value = try node(entries[index].value, rest)
      } else {
        entries.append((name, try node(nil, rest)))
      }
      return .map(entries)
    case (.list(var elements)?, .index(let index)?) where index < elements.count:
      elements[index] = try node(elements[index], rest)
      return .list(elements)
    // Any fields are more than null.
    case (.map?, nil) where part.altered == .null: return existing ?? .raw("null")
    case (nil, _), (.raw?, _), (.text?, _): return try condition(existing, path)
    default: throw .hasNoForm
    }
  }

  /// True for a key that would be an expected error, or a schema of the values around it.
  private func isKeyword(_ name: String, _ path: ArraySlice<FieldPath.Step>) -> Bool {
    name == Self.schemaKey || (name == Self.errorKey && path.startIndex == 0)
  }

  /// Returns a condition on a part, together with what is expected of the value that contains it.
  private func condition(
    _ existing: YAMLText.Node?, _ path: ArraySlice<FieldPath.Step>
  ) throws(NoProposal) -> YAMLText.Node {
    let place = path.map { step in
      switch step {
      case .field(let name): Lexer.isIdentifier(name) ? ".\(name)" : "[\(Lexer.literal(name))]"
      case .index(let index): "[\(index)]"
      }
    }.joined()
    if place.contains("}}") || place.contains("${{") { throw .hasNoForm }
    let condition = try part.condition(on: ExpectedValue.subject + place)
    guard let existing else { return .text("${{ \(condition) }}") }
    guard case .text(let text) = existing, let known = Self.condition(in: text) else {
      throw .isComputed
    }
    if known == condition || known.hasSuffix(" && \(condition)") { return existing }
    // All other operators of a condition bind more strongly.
    let isAlternative = known.contains("||") || known.contains("?")
    return .text("${{ \(isAlternative ? "(\(known))" : known) && \(condition) }}")
  }

  /// Returns the condition that is written at a place.
  ///
  /// Nil for an expression that does not read the value, which is what the value must be.
  private static func condition(in text: String) -> String? {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    guard text.hasPrefix("${{"), text.hasSuffix("}}"), text.ranges(of: "${{").count == 1,
      words.contains(ExpectedValue.subject[...])
    else { return nil }
    return text.dropFirst(3).dropLast(2).trimming { $0 == " " }.description
  }
}

extension Node {
  fileprivate func collectMappings(into mappings: inout [Position: Node]) {
    switch kind {
    case .mapping:
      mappings[span.start] = self
      for entry in entries { entry.value.collectMappings(into: &mappings) }
    case .sequence: for item in items { item.collectMappings(into: &mappings) }
    case .scalar: return
    }
  }

  /// The node as it is written on one line.
  fileprivate var written: YAMLText.Node {
    switch kind {
    case .mapping: .map(entries.map { ($0.key.text, $0.value.written) })
    case .sequence: .list(items.map(\.written))
    case .scalar:
      scalar == .string ? .text(text) : .raw(text.isEmpty ? "null" : text)
    }
  }
}
