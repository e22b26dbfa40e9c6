public import FlowCore
internal import FlowExpression

/// A loop over the elements of a list, or as long as a condition says.
public struct PlannedLoop: Sendable {
  /// The end condition of a loop.
  public enum Kind: Sendable {
    /// After the last element of a list.
    ///
    /// Each is put into index 1 of the body's level.
    case each(Template)
    /// When the expression is true after an iteration.
    ///
    /// The step fails after `limit` iterations.
    case until(PlannedExpression, limit: OptionValue<Int>)
    /// When the expression is false before an iteration.
    ///
    /// The step fails if it is still true after `limit` iterations.
    case `while`(PlannedExpression, limit: OptionValue<Int>)
  }

  /// The end condition.
  public let kind: Kind
  /// The variable with the element, or nil for a `repeat`.
  public let variable: String?
  /// The steps of one iteration.
  public let steps: [PlannedStep]
  /// The level of the body's variables.
  ///
  /// Its index 0 is `loop.index`.
  public let level: Int
  /// The number of the body's variables.
  public let variableCount: Int
  /// The values that each iteration adds to the lists of the loop's answer.
  public let outputs: [PlannedOutput]
  /// The type of the loop's answer: a list for each output.
  public let output: RecordType
  /// The most iterations at once, 1 or more, or nil to run one after another.
  public let concurrency: Int?
  /// True if a failed iteration ends the loop.
  public let failsFast: Bool
  /// The name of each iteration as a case, or nil if iterations are not cases.
  public let cases: Template?
  /// The places of the cases, or nil if iterations are not cases.
  package let casePlaces: CasePlaces?

  package init(
    kind: Kind, variable: String?, steps: [PlannedStep], level: Int, variableCount: Int,
    outputs: [PlannedOutput], output: RecordType, concurrency: Int?, failsFast: Bool,
    cases: Template?, casePlaces: CasePlaces?
  ) {
    self.kind = kind
    self.variable = variable
    self.steps = steps
    self.level = level
    self.variableCount = variableCount
    self.outputs = outputs
    self.output = output
    self.concurrency = concurrency
    self.failsFast = failsFast
    self.cases = cases
    self.casePlaces = casePlaces
  }

  /// The places of a loop's cases in the scenario.
  package struct CasePlaces: Sendable {
    /// The value of `cases`.
    private let name: Place
    /// The elements of a list in the scenario, or none for an expression.
    private let elements: [Place]

    package init(name: Place, elements: [Place]) {
      self.name = name
      self.elements = elements
    }

    /// Returns the place of an iteration's element if it is written in the scenario, and else that of
    /// all names.
    ///
    /// The index is from 0.
    package func place(at index: Int) -> Place {
      elements.indices ~= index ? elements[index] : name
    }
  }
}

extension PlannedLoop {
  /// The steps inside it.
  var blocks: [StepBlock] { [StepBlock(label: "do", steps: steps)] }
}

extension PlannedLoop: PlannedContent {
  package var templates: [Template] { (cases.map { [$0] } ?? []) + outputs.map(\.value) }
  package var expressions: [PlannedExpression] {
    head.list.expressions + (limit?.expression.map { [$0] } ?? []) + (cases?.expressions ?? [])
      + outputs.flatMap(\.value.expressions)
  }
  /// The limit of a `repeat`, or nil for a `for`.
  package var limit: OptionValue<Int>? {
    switch kind {
    case .each: nil
    case .until(_, let limit), .while(_, let limit): limit
    }
  }
  package var isConcurrent: Bool { concurrency != nil }
  package var waiting: Waiting { .nothing }
  package var lines: [String] {
    ["\(head.key): \(head.subject)\(head.list.text())\(head.limit)"]
      + (concurrency.map { ["parallel: \($0)"] } ?? [])
      + (failsFast ? [] : ["fail-fast: false"])
      + (cases.map { ["cases: \($0.text())"] } ?? [])
  }
  package var closingLines: [String] {
    Self.section("outputs", outputs.map { "\($0.name): \($0.value.text())" })
  }
  package var summary: String {
    "\(head.key) \(head.subject)\(head.text)\(head.limit)"
      + (concurrency.map { ", \($0) at once" } ?? "")
  }

  private struct Head {
    let key: String
    let subject: String
    /// The list or the condition.
    let list: Template
    var limit = ""

    /// The list as text, without the braces around an expression.
    var text: String {
      if case .expression(let expression, _) = list { return expression.expression.text }
      return list.text()
    }
  }

  /// The text before the steps: `for`, `x in `, the list, or `repeat`, `until `, the condition, `,
  /// limit 3`.
  private var head: Head {
    let repeated = { (word: String, condition: PlannedExpression, limit: OptionValue<Int>) in
      Head(
        key: "repeat", subject: word, list: .expression(condition, as: .bool),
        limit: ", limit \(limit.text(\.description))")
    }
    return switch kind {
    case .each(let list): Head(key: "for", subject: "\(variable ?? "") in ", list: list)
    case .until(let condition, let limit): repeated("until ", condition, limit)
    case .while(let condition, let limit): repeated("while ", condition, limit)
    }
  }
}
