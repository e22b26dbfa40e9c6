internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction

/// The steps of a run as nested lists, each with its input and answer.
struct StepTree {
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
  private(set) var pieces: [ScenarioPage.Piece] = []
  /// The approximate bytes of their markup.
  private var size = 0

  private let limits: Limits
  private let redactor: Redactor
  /// The addresses to which links lead.
  private var addresses: Set<String> = []
  private var omitted: Int
  /// The file of the main scenario, which the origins of values do not name.
  private let file: String

  /// Creates the steps of a run.
  ///
  /// The redactor hides secrets in quotes of the scenario.
  init(_ trace: RunTrace, _ limits: Limits, _ redactor: Redactor) {
    self.limits = limits
    self.redactor = redactor
    omitted = trace.omitted
    file = trace.plan?.file ?? ""
    list(StepNode.roots(of: trace), inside: nil)
    computed(trace.outputs)
    if omitted > 0 { add(.aside("\(furtherLeftOut(omitted)).")) }
  }

  private mutating func add(_ piece: ScenarioPage.Piece) {
    pieces.append(piece)
    size += piece.size
  }

  private mutating func error(_ words: ScenarioPage.Phrase...) { add(.paragraph(.error, words)) }

  private mutating func list(_ nodes: [StepNode], inside parent: StepNode?) {
    if nodes.isEmpty { return }
    add(.steps)
    let attempts = nodes.count(where: \.isAttempt)
    var attempt = 0
    for node in nodes {
      if node.isAttempt { attempt += 1 }
      if size > limits.steps, !node.hasFailure {
        omitted += node.size
      } else {
        item(
          node, inside: parent,
          attempt: attempts > 1 && parent != nil && node.isAttempt ? attempt : nil)
      }
    }
    add(.end)
  }

  private mutating func item(_ node: StepNode, inside parent: StepNode?, attempt: Int?) {
    let isOpen =
      node.hasFailure || node.children.contains { $0.isStep || $0.span.kind.isIteration }
    add(
      .step(
        .init(
          state: node.span.state, address: address(of: node), isOpen: isOpen,
          head: head(of: node, inside: parent, attempt))))
    body(of: node)
    add(.end)
  }

  /// Returns the address of a step, once.
  private mutating func address(of node: StepNode) -> String? {
    guard node.isStep else { return nil }
    let address = node.span.address.description
    return addresses.insert(address).inserted ? address : nil
  }

  private func head(
    of node: StepNode, inside parent: StepNode?, _ attempt: Int?
  ) -> [ScenarioPage.Phrase] {
    let title = title(of: node, inside: parent)
    var head: [ScenarioPage.Phrase] = [.init(title.onOneLine(atMost: 200), .bold)]
    if let attempt { head.append(.init("attempt \(attempt)", .italic)) }
    if case .step(let step) = node.span.kind {
      summary(of: step, node.hasOneTitle ? node.span.title : title, title).map { head.append($0) }
    }
    if node.count > 1 { head.append(.init("\(node.count) times", .italic)) }
    if node.count == 1, node.isStep, let iteration = node.span.address.iterations.last {
      head.append(.init("iteration \(iteration)", .italic))
    }
    if node.span.state == .passed && !node.span.kind.isReport || node.elapsed > .zero {
      head.append(.init(node.elapsed.reportText, .quiet))
    }
    return head
  }

  /// Returns the action of a step, unless its title contains it.
  private func summary(
    of step: PlannedStep, _ whole: String, _ title: String
  ) -> ScenarioPage.Phrase? {
    let summary = redactor.redacted(step.action.content.summary)
    if whole.hasBytes(of: summary) { return nil }
    let rest = summary.hasPrefix(title + " ") ? summary.dropFirst(title.count + 1) : summary[...]
    return .init(String(rest).onOneLine(atMost: 120), .code)
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

  /// Adds the input and the answer.
  private mutating func exchange(of node: StepNode, _ limit: Int, _ failure: StepFailure? = nil) {
    if node.span.leavesOutValues {
      add(.aside("Values are left out: there are too many in this run."))
    }
    if let input = node.shownInput { value(input, node.span.kind.inputName, limit) }
    switch node.span.outcome {
    case .answer(let answer):
      value(answer.withoutOtherForms(keeping: failure?.namedFields ?? []), "answer", limit)
    case .error(let error):
      self.error(
        .init("error", .bold), .init(error.code.name, .code),
        .init(error.message.onOneLine(atMost: limit)))
    case .cancelled: error(.init("stopped before it answered"))
    case nil: break
    }
  }

  /// Adds the computed values of a step, and the values behind each.
  private mutating func computed(_ values: ComputedValues) {
    let entries = values.entries.filter { $0.value.use != .evidence }
    if entries.isEmpty { return }
    var table = ScenarioPage.Table(heads: ["computed", "value", "from"])
    for entry in entries {
      let value = entry.value
      table.rows.append([
        .init(value.title.onOneLine(atMost: 200)), .init(value.value.summary(limit: 1_000)),
        .init(value.origin.onOneLine(atMost: 2_000)),
      ])
    }
    add(.table(table))
    if values.omitted > 0 { add(.aside("\(moreLeftOut(values.omitted)) before the last one.")) }
  }

  private mutating func value(_ value: Value, _ name: String, _ limit: Int) {
    if case .record(let record) = value, record.values.isEmpty { return }
    add(.value(ShownValue(value, name, limit: limit)))
  }
}

// MARK: - Why a step failed

extension StepTree {
  private mutating func failure(_ failure: StepFailure?) {
    switch failure {
    case .unexpectedAnswer(let mismatches, _, _): differences(mismatches)
    case .otherMessage(let mismatches, _, _): differences(mismatches)
    case .brokenContract(let mismatches, _, _, _): differences(mismatches)
    case .assertions(let assertions): for assertion in assertions { operands(of: assertion) }
    case .noError(let expected, let answer, _):
      error(.init("expected the error"), .init(expected.onOneLine(atMost: 200), .code))
      value(answer, "answer", limits.failedValue)
    case .evaluation(let failure):
      error(.init(failure.message.onOneLine(atMost: 2_000)))
      origins(failure.origins)
    case .limit(_, _, let operands, _): self.operands(operands)
    case .boundary(let failure):
      error(.init(failure.message.onOneLine(atMost: 2_000)))
    case .timeout(let limit):
      error(.init("did not end within \(limit.reportText)"))
    // The call shows its own error.
    case .componentError, .otherError, .notOpened: break
    case .cancelled, .inner, nil: break
    }
  }

  private mutating func differences(_ mismatches: [Mismatch]) {
    var table = ScenarioPage.Table(heads: ["where", "expected", "got"])
    for mismatch in mismatches.prefix(200) {
      let path = "\(mismatch.path)"
      let sides = mismatch.sides(limit: 2_000)
      table.rows.append([
        .init(path.isEmpty ? "answer" : path.onOneLine(atMost: 200)),
        .init(sides.expected.onOneLine(atMost: 2_000), .expected), .init(sides.actual, .actual),
      ])
    }
    add(.table(table))
    if mismatches.count > 200 { add(.aside(counted(mismatches.count - 200, "further difference"))) }
    for mismatch in mismatches.prefix(20) { lines(of: mismatch) }
    operands(mismatches.flatMap(\.operands))
  }

  /// Adds the changed lines of a text.
  private mutating func lines(of mismatch: Mismatch) {
    let lines = mismatch.changedLines
    if lines.isEmpty { return }
    let quote = lines.flatMap { line -> [ScenarioPage.Phrase] in
      switch line.utf8.first {
      case UInt8(ascii: "-"): [.init(line, .expected), .init("\n")]
      case UInt8(ascii: "+"): [.init(line, .actual), .init("\n")]
      default: [.init(line + "\n")]
      }
    }
    add(.quote(quote))
  }

  private mutating func operands(of assertion: FailedAssertion) {
    error(
      .init(assertion.text.onOneLine(atMost: 2_000), .code),
      .init(assertion.problem.map { $0.onOneLine(atMost: 2_000) } ?? "is false"))
    operands(assertion.operands)
  }

  private mutating func origins(_ origins: [ValueOrigin]) {
    for line in origins.flatMap({ $0.lines(in: file) }).prefix(50) {
      error(.init(line.onOneLine(atMost: 2_000)))
    }
  }

  private mutating func operands(_ operands: [OperandText]) {
    if operands.isEmpty { return }
    var table = ScenarioPage.Table(heads: ["expression", "value"])
    let origins = operands.originLines(in: file)
    for (operand, lines) in zip(operands, origins).prefix(50) {
      table.rows.append([
        .init(operand.text.onOneLine(atMost: 500)), .init(operand.value.onOneLine(atMost: 2_000)),
      ])
      table.rows += lines.map { [.init(""), .init($0.onOneLine(atMost: 2_000), .italic)] }
    }
    add(.table(table))
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

  fileprivate var inputName: String {
    switch self {
    case .report: "payload"
    case .call(_, "open"): "settings"
    case .call, .wait, .step, .iteration: "input"
    }
  }
}
