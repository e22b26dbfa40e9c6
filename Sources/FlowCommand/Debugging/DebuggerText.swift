internal import FlowCore
internal import FlowEditor
internal import FlowEngine
internal import FlowExpression
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowSystem

/// The answers of the debugger in the terminal.
struct DebuggerText {
  private static let (longestValue, longestEntry, around) = (4_000, 200, 5)

  private let session: DebugSession
  private let flow: CommandContext

  init(_ session: DebugSession, _ flow: CommandContext) {
    (self.session, self.flow) = (session, flow)
  }

  // MARK: - Places

  /// The present place, after a stop for a reason.
  func stop(_ reason: StopReason) -> String {
    guard session.place != .end, let number = session.moment else { return end }
    let moment = session.timeline.moments[number]
    guard let frame = session.frames(at: number).first else { return "at the start\n" }
    var title = "\(position(of: frame)): \(frame.address)"
    switch moment.kind.end {
    case .failed where !moment.problems.isEmpty: return problems(moment.problems)
    case .failed: title += " failed"
    case .passed: title += " passed"
    case .notRun: title += " was left out by its condition"
    case nil: break
    }
    let prefix =
      switch reason {
      case .breakpoint(let number): "breakpoint \(number): "
      case .pause: "stopped: "
      case .entry, .step, .failure, .end: ""
      }
    return prefix + title + "\n" + source(frame.place.span.start.line, in: frame.place.plan)
      + outcome(of: moment)
  }

  /// The answer of a step that has ended.
  private func outcome(of moment: Timeline.Moment) -> String {
    guard moment.kind.end != nil, let answer = session.values?.answer else { return "" }
    return "  it = \(flow.redactor.redacted(answer).summary(limit: Self.longestEntry))\n"
  }

  private var end: String {
    guard let end = session.end else { return "the run has not ended\n" }
    // The problems of failed steps were shown there.
    let shown = Set(session.timeline.moments.flatMap(\.problems))
    let rest = end.problems.filter { !shown.contains($0) }
    let cut =
      session.timeline.isCut
      ? "only the first \(Timeline.most) moments of the run are kept\n" : ""
    return problems(rest) + cut + "the run has ended: \(end.passed ? "passed" : "failed")\n"
  }

  func problems(_ diagnostics: [Diagnostic]) -> String {
    DiagnosticText.text(of: diagnostics, hasColors: flow.process.usesColors, flow.redactor)
  }

  private func position(of frame: DebugFrame) -> String {
    "\(frame.place.span.file.escaped):\(frame.place.span.start.line)"
  }

  private func source(_ line: Int, in plan: Plan, to last: Int? = nil) -> String {
    let lines = self.lines(of: plan)
    return (line...(last ?? line)).filter { 1...max(lines.count, 1) ~= $0 && !lines.isEmpty }
      .map { numbered($0, lines[$0 - 1]) }.joined()
  }

  private func numbered(_ number: Int, _ line: String, isPresent: Bool = false) -> String {
    let digits = String(number)
    let spaces = String(repeating: " ", count: max(0, 5 - digits.count))
    return "\(isPresent ? ">" : " ")\(spaces)\(digits) | \(line.shortened(to: 120))\n"
  }

  private func lines(of plan: Plan) -> [String] {
    let bytes =
      plan.file == session.loaded.plan.file
      ? session.loaded.text : (try? FileSystem.contents(of: plan.file, limit: 64 << 20)) ?? []
    return String(decoding: flow.redactor.masked(bytes), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map { String($0).onOneLine }
  }

  /// The lines around the present step.
  var lines: String {
    guard let frame = session.moment.flatMap({ session.frames(at: $0).first }) else {
      return "there is no step here"
    }
    let (lines, present) = (self.lines(of: frame.place.plan), frame.place.span.start.line)
    guard present <= lines.count else { return "the file has changed since it was read" }
    let shown = max(1, present - Self.around)...min(lines.count, present + Self.around)
    return
      shown
      .map { numbered($0, lines[$0 - 1], isPresent: $0 == present) }.joined()
  }

  /// The present step and the steps around it.
  var frames: String {
    let frames = session.moment.map { session.frames(at: $0) } ?? []
    if frames.isEmpty { return "there is no step here" }
    return frames.map { "\($0.address) at \(position(of: $0))\n" }.joined()
  }

  /// The components of the scenario, in words.
  var components: String {
    let names = session.loaded.plan.components.map {
      "'\($0.name)' (\($0.plugin.plugin.name))"
    }
    return names.isEmpty ? "no components" : "the components " + names.joined(separator: ", ")
  }

  // MARK: - Values

  /// All values in sight, a line each.
  var values: String {
    let entries = session.values?.entries ?? []
    let lines = entries.map { entry in
      "\(entry.name) = " + (entry.value?.summary(limit: Self.longestEntry) ?? "(not set)") + "\n"
    }
    return lines.isEmpty ? "there are no values here" : lines.joined()
  }

  /// The value of an expression, or the reason why it has none.
  func value(of text: String) -> String {
    if text.isEmpty { return "print needs an expression" }
    guard let values = session.values else { return "there are no values here" }
    do throws(ValuesInSight.Problem) {
      return try values.evaluate(text).value.summary(limit: Self.longestValue)
    } catch {
      return error.text
    }
  }

  /// The steps and the answer that the values in an expression come from.
  func origin(of text: String) async -> String {
    if text.isEmpty { return "origin needs a name or an expression" }
    do throws(ValuesInSight.Problem) {
      let lines = try await session.origins(of: text)
      return lines.isEmpty ? "it reads no values" : lines.map { "\($0)\n" }.joined()
    } catch {
      return error.text
    }
  }

  // MARK: - Trials

  /// Tries a condition, or `key: value` for the present step, on the recorded answers.
  func attempt(_ text: String) async -> String {
    if text.isEmpty { return "try needs a condition, or a key of the step with another value" }
    return await session.trial(text)
  }

  // MARK: - Breakpoints

  /// Adds the breakpoint of `STEP|LINE|FILE:LINE [hit N] [if EXPR]`, or lists all.
  func addBreakpoint(_ text: String) -> String {
    if text.isEmpty {
      let all = session.breakpoints
      return all.isEmpty ? "there are no breakpoints" : all.map(line).joined()
    }
    let (head, condition) = Self.split(text, at: " if ")
    let (place, count) = Self.split(head, at: " hit ")
    var hits: Breakpoint.Hits?
    if let count {
      guard let read = Breakpoint.Hits(count) else {
        return "'\(count.onOneLine)' is no number of hits; write 3, >= 3 or % 3"
      }
      hits = read
    }
    do throws(DebugError) {
      let location = location(place)
      return line(try session.addBreakpoint(at: location, if: condition, hits: hits))
    } catch {
      return error.description
    }
  }

  private static func split(_ text: String, at word: String) -> (String, String?) {
    guard let range = text.firstRange(of: word) else { return (text, nil) }
    return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
  }

  private func location(_ text: String) -> Breakpoint.Location {
    if let line = Int(text) {
      let here = session.moment.flatMap { session.frames(at: $0).first }?.place.span.file
      return .line(line, file: here ?? session.loaded.plan.file)
    }
    if let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]) {
      return .line(line, file: String(text[..<colon]))
    }
    return .step(text)
  }

  private func line(_ breakpoint: Breakpoint) -> String {
    let places = breakpoint.steps.map {
      "\($0.place.step.path) at \($0.place.span.file.escaped):\($0.place.span.start.line)"
    }
    let condition = breakpoint.condition.map { " if \($0.onOneLine)" } ?? ""
    return "breakpoint \(breakpoint.number): \(places.joined(separator: ", "))\(condition)\n"
  }

  /// Removes the breakpoint of a number, or all.
  func removeBreakpoint(_ text: String) -> String {
    let number = Int(text)
    let isAll = text.isEmpty
    let count = session.removeBreakpoints { isAll || $0.number == number }
    return count == 0
      ? "there is no such breakpoint" : "removed \(count) breakpoint\(count == 1 ? "" : "s")"
  }
}
