internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowScenario

/// The steps of a run as nested lists, each with what it was given and answered.
struct StepTreeHTML {
  /// How much of a run is shown.
  struct Limits {
    /// The most bytes of a value.
    let value: Int
    /// The most bytes of a value in what failed.
    let failedValue = 64 << 10
    /// About how many bytes of steps; those in which something failed are shown beyond that.
    let steps: Int

    /// What is looked at if at all.
    static let passed = Limits(value: 2_000, steps: 256 << 10)
    /// What is looked at for sure.
    static let failed = Limits(value: 4_000, steps: 1 << 20)
  }

  /// The lists.
  private(set) var html: HTML = ""
  /// What is stored beside the report.
  private(set) var attachments: [Attachment] = []

  private let limits: Limits
  private let redactor: Redactor
  /// What every anchor begins with, and what follows in those that are taken.
  private let anchor: String
  private var anchors: Set<String> = []
  private var omitted: Int

  /// The steps of a run; the redactor hides what is quoted of the scenario.
  init(_ trace: RunTrace, anchor: String, _ limits: Limits, _ redactor: Redactor) {
    self.limits = limits
    self.redactor = redactor
    self.anchor = anchor
    omitted = trace.omitted
    list(StepNode.roots(of: trace), inside: nil)
    if omitted > 0 {
      html += "<p class=\"o\">\(text: furtherLeftOut(omitted)).</p>"
    }
  }

  private mutating func list(_ nodes: [StepNode], inside parent: StepNode?) {
    if nodes.isEmpty { return }
    html += "<ol class=\"t\">"
    let attempts = nodes.filter(\.isAttempt).count
    var attempt = 0
    for node in nodes {
      if node.isAttempt { attempt += 1 }
      if html.count > limits.steps, !node.hasFailure {
        omitted += node.size
      } else {
        item(
          node, inside: parent,
          attempt: attempts > 1 && parent != nil && node.isAttempt ? attempt : nil)
      }
    }
    html += "</ol>"
  }

  private mutating func item(_ node: StepNode, inside parent: StepNode?, attempt: Int?) {
    let head = head(of: node, inside: parent, attempt)
    html += "<li class=\"\(Mark(node.span.state).style)\"\(id(of: node))>"
    let start = html.count
    let isOpen = node.hasFailure || node.children.contains(where: \.isStep)
    html += isOpen ? "<details open><summary>" : "<details><summary>"
    html += head
    html += "</summary><div class=\"b\">"
    let empty = html.count
    body(of: node)
    if html.count == empty {
      html.cut(at: start)
      html += "<div class=\"w\">\(head)</div></li>"
    } else {
      html += "</div></details></li>"
    }
  }

  private mutating func id(of node: StepNode) -> HTML {
    guard node.isStep else { return "" }
    let place = node.span.address.description.anchor
    return anchors.insert(place).inserted ? " id=\"\(text: anchor):\(text: place)\"" : ""
  }

  private func head(of node: StepNode, inside parent: StepNode?, _ attempt: Int?) -> HTML {
    let title = title(of: node, inside: parent?.span.address.path)
    var text = Mark(node.span.state).html
    text += "<b>\(text: title, atMost: 200)</b>"
    if let attempt { text += " <i>attempt \(attempt)</i>" }
    if case .step(let step) = node.span.kind {
      let summary = redactor.redacted(step.action.content.summary)
      // What the title says already is not repeated.
      let rest = summary.hasPrefix(title + " ") ? summary.dropFirst(title.count + 1) : summary[...]
      if !node.span.title.hasBytes(of: summary) {
        text += " <code>\(text: String(rest), atMost: 120)</code>"
      }
    }
    if node.count > 1 { text += " <i>\(node.count) times</i>" }
    if node.count == 1, node.isStep, let iteration = node.span.address.iterations.last {
      text += " <i>iteration \(iteration)</i>"
    }
    if node.span.state == .passed && !node.span.isReport || node.elapsed > .zero {
      text += " "
      text += node.elapsed.shortTime
    }
    return text
  }

  private func title(of node: StepNode, inside outer: String?) -> String {
    switch node.span.kind {
    case .step(let step):
      guard node.span.title == step.path, let outer,
        step.path.hasPrefix(outer + "/")
      else { return node.span.title }
      return String(step.path.dropFirst(outer.count + 1))
    case .call(let component, let operation): return "\(component).\(operation)"
    case .wait(let event): return "waits for \(event)"
    case .report(let event): return "\(event) is reported"
    }
  }

  private mutating func body(of node: StepNode) {
    failure(node.span.failure)
    let limit = node.span.state == .failed ? limits.failedValue : limits.value
    if let input = node.span.shownInput { value(input, node.span.inputName, limit) }
    outcome(node.span.outcome, limit)
    let calls = node.children.filter(\.isAttempt)
    guard let call = calls.first, calls.count == 1, node.isStep else {
      return list(node.children, inside: node)
    }
    // The only call of a step is the step, to whoever reads it; its answer may be what was not expected.
    let callLimit = node.hasFailure ? limits.failedValue : limits.value
    if let input = call.span.shownInput { value(input, call.span.inputName, callLimit) }
    outcome(call.span.outcome, callLimit)
    list(call.children + node.children.filter { !$0.isAttempt }, inside: node)
  }

  private mutating func outcome(_ outcome: Outcome?, _ limit: Int) {
    switch outcome {
    case .answer(let answer): value(answer, "answer", limit)
    case .error(let error):
      html += "<p class=\"e\"><b>error</b> <code>\(text: error.code.name)</code> "
      html += "\(text: error.message, atMost: limit)</p>"
    case .cancelled: html += "<p class=\"e\">stopped before it answered</p>"
    case nil: break
    }
  }

  private mutating func value(_ value: Value, _ name: HTML, _ limit: Int) {
    if case .record(let record) = value, record.values.isEmpty { return }
    let shown = ValueHTML(value, limit: limit)
    html += "<div class=\"v\"><span>\(name)</span>"
    html += shown.html
    html += "</div>"
    attachments += shown.attachments
  }
}

// MARK: - Why a step failed

extension StepTreeHTML {
  private mutating func failure(_ failure: StepFailure?) {
    switch failure {
    case .unexpectedAnswer(let mismatches, _, _): differences(mismatches)
    case .assertions(let assertions): for assertion in assertions { operands(of: assertion) }
    case .noError(let expected, let answer, _):
      html += "<p class=\"e\">expected the error <code>\(text: expected, atMost: 200)</code></p>"
      value(answer, "answer", limits.failedValue)
    case .evaluation(let failure):
      html += "<p class=\"e\">\(text: failure.message, atMost: 2_000)</p>"
    case .boundary(let failure):
      html += "<p class=\"e\">\(text: failure.message, atMost: 2_000)</p>"
    case .timeout(let limit):
      html += "<p class=\"e\">did not end within \(text: limit.reportText)</p>"
    default: break
    }
  }

  private mutating func differences(_ mismatches: [Mismatch]) {
    html += "<table class=\"x\"><thead><tr><th scope=\"col\">where</th>"
    html += "<th scope=\"col\">expected</th><th scope=\"col\">got</th></tr></thead><tbody>"
    for mismatch in mismatches.prefix(200) {
      let path = "\(mismatch.path)"
      let actual = mismatch.actual?.summary(limit: 2_000) ?? "nothing"
      html += "<tr><th scope=\"row\">\(text: path.isEmpty ? "answer" : path, atMost: 200)</th>"
      html += "<td><ins>\(text: mismatch.expected.text, atMost: 2_000)</ins></td>"
      html += "<td><del>\(text: actual)</del></td></tr>"
    }
    html += "</tbody></table>"
    if mismatches.count > 200 {
      html += "<p class=\"o\">\(text: counted(mismatches.count - 200, "further difference"))</p>"
    }
    operands(mismatches.flatMap(\.operands))
  }

  private mutating func operands(of assertion: FailedAssertion) {
    html += "<p class=\"e\"><code>\(text: assertion.text, atMost: 2_000)</code>"
    html += assertion.problem.map { " \(text: $0, atMost: 2_000)" as HTML } ?? " is false"
    html += "</p>"
    operands(assertion.operands)
  }

  private mutating func operands(_ operands: [OperandText]) {
    if operands.isEmpty { return }
    html += "<table class=\"x\"><thead><tr><th scope=\"col\">expression</th>"
    html += "<th scope=\"col\">value</th></tr></thead><tbody>"
    for operand in operands.prefix(50) {
      html += "<tr><th scope=\"row\">\(text: operand.text, atMost: 500)</th>"
      html += "<td>\(text: operand.value, atMost: 2_000)</td></tr>"
    }
    html += "</tbody></table>"
  }
}

extension Mismatch.Expected {
  fileprivate var text: String {
    switch self {
    case .value(let value): value.summary(limit: 2_000)
    case .condition(let text, let problem): text + (problem.map { ": \($0)" } ?? "")
    case .record: "a record"
    case .count(let count): counted(count, "element")
    }
  }
}

extension String {
  /// Whether a text is somewhere in it, byte by byte.
  fileprivate func hasBytes(of other: String) -> Bool {
    let (bytes, other) = (utf8, other.utf8)
    guard let first = other.first else { return true }
    var rest = bytes[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: other) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

extension StepNode {
  /// Whether it is what the step around it does: it asks a component, or waits for it.
  fileprivate var isAttempt: Bool {
    switch span.kind {
    case .call, .wait: span.address.calls.isEmpty
    case .step, .report: false
    }
  }
}

extension RunTrace.Span {
  fileprivate var isReport: Bool { if case .report = kind { true } else { false } }

  /// What was given; a report as a whole.
  fileprivate var shownInput: Value? { isReport ? input : input?.withoutAbsentFields }

  fileprivate var inputName: HTML {
    switch kind {
    case .report: "payload"
    case .call(_, "open"): "settings"
    case .call, .wait, .step: "input"
    }
  }
}
