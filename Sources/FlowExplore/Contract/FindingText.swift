internal import FlowCore
internal import FlowOpenAPI
internal import FlowSystem

/// The scenario of a finding: its calls, and the broken expectation at the end.
struct FindingText {
  private let service: DescribedService
  private let trial: Trial
  private let violation: Violation
  private let answers: [ServiceAnswer]
  private let unique: UniqueMembers
  private let nextText: String

  /// Creates the scenario of a trial that ends with the violation.
  init(
    _ trial: Trial, _ violation: Violation, _ answers: [ServiceAnswer],
    of service: DescribedService, _ unique: UniqueMembers
  ) {
    (self.service, self.trial, self.unique) = (service, trial, unique)
    nextText = unique.text
    (self.violation, self.answers) = (violation, answers)
  }

  /// True if it has an input whose text is to be different in each run.
  var isUnique: Bool { trial.calls.contains { !unique.members(of: $0).isEmpty } }

  /// The text in YAML.
  var text: String {
    let name = "\(violation.rule.rawValue): \(violation.operation), \(violation.reason)"
    let steps = trial.calls.indices.map(step).joined()
    return service.head(
      named: name.onOneLine.shortened(to: 200),
      plain: violation.rule != .contract || trial.calls.count > 1,
      checked: violation.rule == .contract, unique: isUnique ? nextText : nil)
      + "steps:\n" + steps + comparison
  }

  private var last: Int { trial.calls.count - 1 }

  private func step(_ index: Int) -> String {
    let call = trial.calls[index]
    let isRead = trial.calls.contains { $0.links.contains { $0.call == index } }
    var lines: [String] = []
    if isRead || isCompared(index) { lines.append("id: \(Self.id(index))") }
    let isChecked = index == last && violation.rule == .contract
    lines.append("uses: \(isChecked ? "checked" : "api").request")
    lines.append("with: {\(fields(of: call, index))}")
    if let expected = expected(index) { lines.append("expect: {status: \(expected)}") }
    if isChecked, answers.last?.lacksType == true {
      lines.append("expect: {headers: {content-type: \(Self.condition("it != ''"))}}")
    }
    return "  - " + lines.joined(separator: "\n    ") + "\n"
  }

  private static func id(_ index: Int) -> String { "call_\(index + 1)" }

  // MARK: - Expectations

  private func expected(_ index: Int) -> String? {
    if index == last {
      switch violation.rule {
      case .serverError: return Self.condition("it < 500")
      case .contract: return nil
      case .deleted: return Self.condition("it == 404 || it == 410")
      case .authentication: return Self.condition("it == 401 || it == 403")
      case .validInput: return Self.condition("it < 300")
      case .created: return Self.condition("it != 404")
      case .invalidInput:
        // A text that is taken by now is refused for that.
        return Self.condition("it >= 400 && it < 500\(isUnique ? " && it != 409" : "")")
      case .refusedWrite: return trial.reads.flatMap { answers[$0.before].status }.map(String.init)
      }
    }
    guard answers.indices.contains(index) else { return nil }
    return answers[index].status.map(String.init)
  }

  private static func condition(_ text: String) -> String { "\"${{ \(text) }}\"" }

  private func isCompared(_ index: Int) -> Bool {
    violation.rule == .refusedWrite && (index == trial.reads?.before || index == last)
  }

  /// The assertion that a refused write has changed nothing.
  private var comparison: String {
    guard violation.rule == .refusedWrite, let reads = trial.reads else { return "" }
    let (before, after) = (Self.id(reads.before), Self.id(reads.after))
    return "  - assert: [\"${{ steps.\(after).json == steps.\(before).json }}\"]\n"
  }

  // MARK: - Requests

  /// The fields of a request, in which a text stands for each link until all else is encoded.
  private func fields(of call: DrawnCall, _ index: Int) -> String {
    var marked = call.unique(unique.members(of: call), Self.mark(forUnique: index))
    if case .value(let value, let mediaType) = marked.body {
      let linked = call.bodyLinks.reduce(value) {
        $0.replacing($1.tokens[...], by: .string(Self.mark(for: $1.link)))
      }
      marked.body = .value(linked, mediaType: mediaType)
    }
    let placed = call.placed { argument in
      argument.link.map { .string(Self.mark(for: $0)) } ?? argument.value
    }
    let fields = RequestFields(of: service, isReadable: true, key: Self.mark(forInput:))
      .fields(of: marked, placed)
    let text = fields.map { "\($0): \($0 == "method" ? call.method : $1.scenarioText)" }
      .joined(separator: ", ").replacing("${{", with: "${{ '$' }}{{")
      .replacing(Self.mark(forUnique: index), with: "${{ inputs.unique }}\(index)")
    return unmarked(text, call.links)
  }

  // MARK: - Links

  /// A text that stands for a link until the rest is encoded.
  private static func mark(for link: AnswerLink) -> String {
    "flow-link-\(link.call)-"
      + link.place.expression(at: "").utf8.map { String($0, radix: 16) }
      .joined(separator: ".") + "-end"
  }

  private static func mark(forUnique index: Int) -> String { "flow-unique-\(index)-end" }

  private static func mark(forInput name: String) -> String { "flow-input-\(name)-end" }

  private func unmarked(_ text: String, _ links: [AnswerLink]) -> String {
    var text = text
    for link in links {
      let expression = link.place.expression(at: "steps.\(Self.id(link.call))")
      text = text.replacing(Self.mark(for: link), with: "${{ \(expression) }}")
    }
    for (_, input) in service.login.queryKeys {
      text = text.replacing(Self.mark(forInput: input), with: "${{ inputs.\(input) }}")
    }
    return text
  }
}

extension AnswerLink.Place {
  /// The expression for the value in an answer: `steps.call_1.json.id`.
  fileprivate func expression(at answer: String) -> String {
    switch self {
    case .json(let steps):
      return steps.reduce(answer + ".json") { text, step in
        switch step {
        case .field(let name):
          let quoted = name.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
          return Value.keyText(name) == name && !name.contains("-") && !name.contains("$")
            ? "\(text).\(name)" : "\(text)['\(quoted)']"
        case .index(let index): return "\(text)[\(index)]"
        }
      }
    case .location:
      let header = "\(answer).headers.location"
      return "\(header).substring(\(header).lastIndexOf('/') + 1)"
    }
  }
}
