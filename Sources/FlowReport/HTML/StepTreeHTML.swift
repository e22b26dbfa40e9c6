internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction

/// The steps of a run as nested lists, each with its input and answer.
struct StepTreeHTML {
  /// The limits of the shown part of a run.
  struct Limits {
    /// The most bytes of a value.
    let value: Int
    /// The most bytes of a value in a failed step.
    let failedValue = 64 << 10
    /// The approximate bytes of steps.
    ///
    /// Steps with failures are shown beyond it.
    let steps: Int

    /// The limits for a run that hardly anybody looks at.
    static let passed = Limits(value: 2_000, steps: 256 << 10)
    /// The limits for a run that people look at for sure.
    static let failed = Limits(value: 4_000, steps: 1 << 20)
  }

  /// The lists.
  private(set) var html: HTML = ""
  /// The files to store next to the report.
  private(set) var attachments: [Attachment] = []

  private let limits: Limits
  private let redactor: Redactor
  /// The prefix of every anchor, and the addresses with an anchor.
  private let anchor: HTML
  private var anchors: Set<String> = []
  private var omitted: Int
  /// The file of the main scenario, which the origins of values do not name.
  private let file: String

  /// Creates the steps of a run.
  ///
  /// The redactor hides secrets in quotes of the scenario.
  init(_ trace: RunTrace, anchor: String, _ limits: Limits, _ redactor: Redactor) {
    self.limits = limits
    self.redactor = redactor
    self.anchor = " id=\"\(text: anchor):"
    omitted = trace.omitted
    file = trace.plan?.file ?? ""
    list(StepNode.roots(of: trace), inside: nil)
    computed(trace.outputs)
    if omitted > 0 {
      html += "<p class=\"o\">\(text: furtherLeftOut(omitted)).</p>"
    }
  }

  private mutating func list(_ nodes: [StepNode], inside parent: StepNode?) {
    if nodes.isEmpty { return }
    html += "<ol class=\"t\">"
    let attempts = nodes.count(where: \.isAttempt)
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
    html += "<li class=\""
    html += Mark(node.span.state).style
    html += "\""
    id(of: node)
    html += ">"
    let start = html.count
    let isOpen =
      node.hasFailure || node.children.contains { $0.isStep || $0.span.kind.isIteration }
    html += isOpen ? "<details open><summary>" : "<details><summary>"
    head(of: node, inside: parent, attempt)
    html += "</summary><div class=\"b\">"
    let empty = html.count
    body(of: node)
    if html.count == empty {
      html.cut(at: start)
      html += "<div class=\"w\">"
      head(of: node, inside: parent, attempt)
      html += "</div></li>"
    } else {
      html += "</div></details></li>"
    }
  }

  private mutating func id(of node: StepNode) {
    guard node.isStep else { return }
    let address = node.span.address.description
    guard anchors.insert(address).inserted else { return }
    html += anchor
    html.append(anchor: address)
    html += "\""
  }

  private mutating func head(of node: StepNode, inside parent: StepNode?, _ attempt: Int?) {
    let title = title(of: node, inside: parent)
    html += Mark(node.span.state).html
    html += "<b>"
    html.append(text: title, atMost: 200)
    html += "</b>"
    if let attempt { html += " <i>attempt \(attempt)</i>" }
    if case .step(let step) = node.span.kind {
      summary(of: step, node.hasOneTitle ? node.span.title : title, title)
    }
    if node.count > 1 { html += " <i>\(node.count) times</i>" }
    if node.count == 1, node.isStep, let iteration = node.span.address.iterations.last {
      html += " <i>iteration \(iteration)</i>"
    }
    if node.span.state == .passed && !node.span.kind.isReport || node.elapsed > .zero {
      html += " <span class=\"q\">"
      html.append(text: node.elapsed.reportText)
      html += "</span>"
    }
  }

  /// Writes the action of a step, unless its title contains it.
  private mutating func summary(of step: PlannedStep, _ whole: String, _ title: String) {
    let summary = redactor.redacted(step.action.content.summary)
    if whole.hasBytes(of: summary) { return }
    let rest = summary.hasPrefix(title + " ") ? summary.dropFirst(title.count + 1) : summary[...]
    html += " <code>"
    html.append(text: String(rest), atMost: 120)
    html += "</code>"
  }

  private func title(of node: StepNode, inside parent: StepNode?) -> String {
    switch node.span.kind {
    case .step(let step):
      let title = node.hasOneTitle ? node.span.title : step.path
      guard title == step.path, let outer = parent?.span.address.path,
        step.path.hasPrefix(outer + "/")
      else { return title }
      return String(step.path.dropFirst(outer.count + 1))
    case .call(let component, let operation): return "\(component).\(operation)"
    case .wait(let event): return "waits for \(event)"
    case .report(let event): return "\(event) is reported"
    case .iteration: return node.span.title
    }
  }

  private mutating func body(of node: StepNode) {
    let limit = node.span.state == .failed ? limits.failedValue : limits.value
    failure(node.span.failure)
    computed(node.span.computed)
    for entry in node.span.computed.entries where entry.value.use == .evidence {
      value(entry.value.value, "evidence", limits.failedValue)
    }
    exchange(of: node, limit)
    let calls = node.children.filter(\.isAttempt)
    guard let call = calls.first, calls.count == 1, node.isStep else {
      return list(node.children, inside: node)
    }
    // For a reader, the only call of a step is the step. Its answer may be the unexpected one.
    exchange(of: call, node.hasFailure ? limits.failedValue : limits.value, node.span.failure)
    list(call.children + node.children.filter { !$0.isAttempt }, inside: node)
  }

  /// Writes the input and the answer.
  private mutating func exchange(of node: StepNode, _ limit: Int, _ failure: StepFailure? = nil) {
    if node.span.leavesOutValues {
      html += "<p class=\"o\">Values are left out: there are too many in this run.</p>"
    }
    if let input = node.shownInput { value(input, node.span.kind.inputName, limit) }
    switch node.span.outcome {
    case .answer(let answer):
      value(answer.withoutOtherForms(keeping: failure?.namedFields ?? []), "answer", limit)
    case .error(let error):
      html += "<p class=\"e\"><b>error</b> <code>\(text: error.code.name)</code> "
      html += "\(text: error.message, atMost: limit)</p>"
    case .cancelled: html += "<p class=\"e\">stopped before it answered</p>"
    case nil: break
    }
  }

  /// Writes the computed values of a step, and the values behind each.
  private mutating func computed(_ values: ComputedValues) {
    let entries = values.entries.filter { $0.value.use != .evidence }
    if entries.isEmpty { return }
    html += "<table class=\"x\"><thead><tr><th scope=\"col\">computed</th>"
    html += "<th scope=\"col\">value</th><th scope=\"col\">from</th></tr></thead><tbody>"
    for entry in entries {
      let value = entry.value
      html += "<tr><th scope=\"row\">\(text: value.title, atMost: 200)</th>"
      html += "<td>\(text: value.value.summary(limit: 1_000))</td>"
      html += "<td>\(text: value.origin, atMost: 2_000)</td></tr>"
    }
    html += "</tbody></table>"
    if values.omitted > 0 {
      html += "<p class=\"o\">\(text: moreLeftOut(values.omitted)) before the last one.</p>"
    }
  }

  private mutating func value(_ value: Value, _ name: HTML, _ limit: Int) {
    if case .record(let record) = value, record.values.isEmpty { return }
    html += "<div class=\"v\"><span>"
    html += name
    html += "</span>"
    html.append(value, limit: limit, storing: &attachments)
    html += "</div>"
  }
}

// MARK: - Why a step failed

extension StepTreeHTML {
  private mutating func failure(_ failure: StepFailure?) {
    switch failure {
    case .unexpectedAnswer(let mismatches, _, _): differences(mismatches)
    case .otherMessage(let mismatches, _, _): differences(mismatches)
    case .brokenContract(let mismatches, _, _, _): differences(mismatches)
    case .assertions(let assertions): for assertion in assertions { operands(of: assertion) }
    case .noError(let expected, let answer, _):
      html += "<p class=\"e\">expected the error <code>\(text: expected, atMost: 200)</code></p>"
      value(answer, "answer", limits.failedValue)
    case .evaluation(let failure):
      html += "<p class=\"e\">\(text: failure.message, atMost: 2_000)</p>"
      origins(failure.origins)
    case .limit(_, _, let operands, _): self.operands(operands)
    case .boundary(let failure):
      html += "<p class=\"e\">\(text: failure.message, atMost: 2_000)</p>"
    case .timeout(let limit):
      html += "<p class=\"e\">did not end within \(text: limit.reportText)</p>"
    // The call shows its own error.
    case .componentError, .otherError, .notOpened: break
    case .cancelled, .inner, nil: break
    }
  }

  private mutating func differences(_ mismatches: [Mismatch]) {
    html += "<table class=\"x\"><thead><tr><th scope=\"col\">where</th>"
    html += "<th scope=\"col\">expected</th><th scope=\"col\">got</th></tr></thead><tbody>"
    for mismatch in mismatches.prefix(200) {
      let path = "\(mismatch.path)"
      let sides = mismatch.sides(limit: 2_000)
      html += "<tr><th scope=\"row\">\(text: path.isEmpty ? "answer" : path, atMost: 200)</th>"
      html += "<td><ins>\(text: sides.expected, atMost: 2_000)</ins></td>"
      html += "<td><del>\(text: sides.actual)</del></td></tr>"
    }
    html += "</tbody></table>"
    if mismatches.count > 200 {
      html += "<p class=\"o\">\(text: counted(mismatches.count - 200, "further difference"))</p>"
    }
    for mismatch in mismatches.prefix(20) { lines(of: mismatch) }
    operands(mismatches.flatMap(\.operands))
  }

  /// Writes the changed lines of a text.
  private mutating func lines(of mismatch: Mismatch) {
    let lines = mismatch.changedLines
    if lines.isEmpty { return }
    html += "<pre>"
    for line in lines {
      switch line.utf8.first {
      case UInt8(ascii: "-"): html += "<ins>\(text: line)</ins>\n"
      case UInt8(ascii: "+"): html += "<del>\(text: line)</del>\n"
      default: html += "\(text: line)\n"
      }
    }
    html += "</pre>"
  }

  private mutating func operands(of assertion: FailedAssertion) {
    html += "<p class=\"e\"><code>\(text: assertion.text, atMost: 2_000)</code>"
    html += assertion.problem.map { " \(text: $0, atMost: 2_000)" as HTML } ?? " is false"
    html += "</p>"
    operands(assertion.operands)
  }

  private mutating func origins(_ origins: [ValueOrigin]) {
    for line in origins.flatMap({ $0.lines(in: file) }).prefix(50) {
      html += "<p class=\"e\">\(text: line, atMost: 2_000)</p>"
    }
  }

  private mutating func operands(_ operands: [OperandText]) {
    if operands.isEmpty { return }
    html += "<table class=\"x\"><thead><tr><th scope=\"col\">expression</th>"
    html += "<th scope=\"col\">value</th></tr></thead><tbody>"
    let origins = operands.originLines(in: file)
    for (operand, lines) in zip(operands, origins).prefix(50) {
      html += "<tr><th scope=\"row\">\(text: operand.text, atMost: 500)</th>"
      html += "<td>\(text: operand.value, atMost: 2_000)</td></tr>"
      for line in lines {
        html += "<tr><th scope=\"row\"></th><td><i>\(text: line, atMost: 2_000)</i></td></tr>"
      }
    }
    html += "</tbody></table>"
  }
}

extension String {
  /// Returns true if it contains the bytes of another string.
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
  /// True for the action of the step around it: its call of a component, or its wait for one.
  fileprivate var isAttempt: Bool {
    switch span.kind {
    case .call, .wait: span.address.calls.isEmpty
    case .step, .report, .iteration: false
    }
  }
}

extension StepNode {
  /// The shown input, complete for a report.
  fileprivate var shownInput: Value? {
    span.kind.isReport ? span.input : span.input?.withoutAbsentFields
  }
}

extension RunTrace.Span.Kind {
  fileprivate var isIteration: Bool { if case .iteration = self { true } else { false } }

  fileprivate var isReport: Bool { if case .report = self { true } else { false } }

  fileprivate var inputName: HTML {
    switch self {
    case .report: "payload"
    case .call(_, "open"): "settings"
    case .call, .wait, .step, .iteration: "input"
    }
  }
}
