package import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem
internal import FlowYAML

/// The result of a changed key of a step on the recorded answers.
package struct Trial: Sendable {
  /// The end of the step, or nil if the run does not come to it.
  package let passed: Bool?
  /// The problems of the step.
  package let problems: [Diagnostic]
  /// The end of the run.
  package let end: DebugTarget.End
}

extension DebugSession {
  /// Tries another value for a key of the present step, such as `expect: {status: 200}`, on the
  /// recorded answers.
  ///
  /// The file and the session stay as they are.
  ///
  /// - Throws: `DebugError` for a step without the key and for a text that makes no scenario.
  package func attempt(_ key: String, _ value: String) async throws(DebugError) -> Trial {
    guard !isLive else { throw DebugError("a changed step can be tried on a recording only") }
    guard let frame = moment.flatMap({ frames(at: $0).first }) else {
      throw DebugError("there is no step here")
    }
    guard frame.place.span.file == loaded.plan.file else {
      throw DebugError(
        "the step is in '\(frame.place.span.file.escaped)', not in the scenario's file")
    }
    let text = try replacing(key, of: frame.place.span, by: value)
    let changed: DebugTarget.Loaded
    do throws(ScenarioError) { changed = try target.load(text).get() } catch {
      throw DebugError(error.diagnostics.first?.message ?? "it is no scenario")
    }
    let gate = DebugGate()
    let end = await target.replay(changed.plan, gate)
    let ended = gate.timeline.moments.last {
      $0.kind.end != nil && $0.address == frame.address
    }
    var passed: Bool?
    switch ended?.kind.end {
    case .passed: passed = true
    case .failed: passed = false
    case .notRun, nil: passed = nil
    }
    return Trial(passed: passed, problems: ended?.problems ?? [], end: end)
  }

  /// The text of the scenario with another value for a key of the step in a span.
  private func replacing(
    _ key: String, of step: SourceSpan, by value: String
  ) throws(DebugError) -> [UInt8] {
    guard let root = try? Node(parsing: loaded.text, as: Format(ofFile: step.file)),
      let node = root.innermost(from: step.start, to: step.end)
    else { throw DebugError("the file can no longer be read") }
    guard let old = node[key] else {
      let keys = node.entries.map(\.key.text)
      let near = Suggestion.nearest(to: key, among: keys).first
      throw DebugError(
        "the step has no '\(key.escaped)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
    let lines = LineTable(loaded.text)
    let start = lines.offset(of: old.span.start)
    let end = max(start, lines.offset(of: old.span.end))
    // A value in block style ends at the start of a later line.
    let isBlock = old.span.start.line < old.span.end.line && old.span.end.column == 1
    let ended = isBlock ? "\n" : ""
    return Array(loaded.text[..<start]) + Array((value + ended).utf8) + Array(loaded.text[end...])
  }
}

extension DebugSession {
  /// The result of `EXPR`, or of `KEY: VALUE`, for the present step on the recorded answers.
  package func trial(_ text: String) async -> String {
    guard let (key, value) = Self.entry(text) else { return condition(text) }
    do throws(DebugError) {
      let trial = try await attempt(key, value)
      let step =
        switch trial.passed {
        case true?: "the step passes"
        case false?: "the step fails"
        case nil: "the step is not run"
        }
      let problems = trial.problems.map { redactor.redacted($0.line) + "\n" }.joined()
      return problems + step + "; the run \(trial.end.ranThrough ? "passes" : "fails")"
    } catch {
      return redactor.redacted(error.description)
    }
  }

  /// Reads `expect: {status: 200}`, or returns nil for an expression.
  private static func entry(_ text: String) -> (key: String, value: String)? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let (key, rest) = (text[..<colon], text[text.index(after: colon)...])
    let isName = !key.isEmpty && key.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
    guard isName, rest.first == " " else { return nil }
    return (String(key), String(rest.dropFirst()))
  }

  /// Evaluates a condition at the end of the present step.
  private func condition(_ text: String) -> String {
    guard let number = moment else { return "there are no values here" }
    let end = timeline.moments[number].end ?? number
    do throws(ValuesInSight.Problem) {
      let evaluated = try values(at: end).evaluate(text)
      let operands = evaluated.operands.map { "  \($0.text) is \($0.value)\n" }.joined()
      return evaluated.value.summary(limit: OperandText.longest) + "\n" + operands
    } catch {
      return error.text
    }
  }
}

extension Node {
  /// The mapping that starts at a place, below nodes that reach up to another one, or nil.
  fileprivate func innermost(from start: Position, to end: Position) -> Node? {
    if kind == .mapping, span.start == start { return self }
    for child in items.map(\.self) + entries.map(\.value)
    where child.span.start <= start && end <= child.span.end {
      if let found = child.innermost(from: start, to: end) { return found }
    }
    return nil
  }
}
