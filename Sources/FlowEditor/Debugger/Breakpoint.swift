package import FlowCore
internal import FlowEngine
package import FlowExpression
package import FlowPlan
package import FlowScenario

/// A place at which a debugged run stops or only logs, with its conditions.
package struct Breakpoint: Sendable {
  /// The given place.
  package enum Location: Sendable, Hashable {
    /// A line, from 1, of a scenario's file.
    case line(Int, file: String)
    /// A step by its path or its id.
    case step(String)

    /// The file of a line, or nil for a step.
    var file: String? { if case .line(_, let file) = self { file } else { nil } }
  }

  /// The required number of hits.
  package enum Hits: Sendable, Hashable {
    /// Exactly this one: `3`.
    case exactly(Int)
    /// This one and all later ones: `>= 3`.
    case from(Int)
    /// Every so many: `% 3`.
    case every(Int)

    /// Reads `3`, `== 3`, `>= 3`, `> 3` or `% 3`, or returns nil for anything else.
    package init?(_ text: String) {
      let digits = text.drop { !$0.isASCII || !$0.isNumber }
      guard let number = Int(digits), (1...1_000_000_000).contains(number) else { return nil }
      switch text.dropLast(digits.count).filter({ $0 != " " }) {
      case "", "=", "==": self = .exactly(number)
      case ">=": self = .from(number)
      case ">": self = .from(number + 1)
      case "%": self = .every(number)
      default: return nil
      }
    }

    /// Returns true for a hit of this number, from 1.
    package func includes(_ hit: Int) -> Bool {
      switch self {
      case .exactly(let number): hit == number
      case .from(let number): hit >= number
      case .every(let number): hit % number == 0
      }
    }
  }

  /// The number by which it is named.
  package let number: Int
  /// The given place.
  package let location: Location
  /// The condition, or nil for none.
  package let condition: String?
  /// The number of hits, or nil for each.
  package let hits: Hits?
  /// The message of a log point, or nil to stop.
  let log: LogMessage?
  /// The steps at which it stops, each with its compiled condition, never empty.
  package let steps: [(place: PlacedStep, condition: Expression?)]
}

/// A step of a scenario or of one that it includes, with its place.
package struct PlacedStep: Sendable {
  /// The step.
  package let step: PlannedStep
  /// The scenario of the step.
  package let plan: Plan
  /// The place of the step in its file.
  package let span: SourceSpan
}

/// All steps of a scenario and of its inclusions, to find them by lines and ids.
package struct StepPlaces: Sendable {
  private let steps: [PlacedStep]

  /// Creates the places of a plan, with the spans of whole steps from the indexes.
  package init(_ plan: Plan, _ analysis: ScenarioAnalysis) {
    var steps: [PlacedStep] = []
    for plan in [plan] + plan.allScenarios {
      let spans = Dictionary(
        (analysis.indexes[plan.path]?.steps ?? []).map { ($0.path, $0.span) }
      ) { first, _ in first }
      for step in plan.steps + plan.finally + plan.invariants.steps {
        step.visit { step in
          steps.append(
            PlacedStep(
              step: step, plan: plan, span: spans[step.path] ?? step.place.span(in: plan.file)))
        }
      }
    }
    self.steps = steps
  }

  /// The place of a whole step.
  package func place(of step: PlannedStep) -> PlacedStep? { steps.first { $0.step === step } }

  /// The steps at a location, or an empty list.
  ///
  /// A line without the start of a step stands for the innermost step around it, or else for the
  /// next step of its file.
  package func steps(at location: Breakpoint.Location) -> [PlacedStep] {
    switch location {
    case .step(let name):
      let exact = steps.filter { $0.step.path == name }
      if !exact.isEmpty { return exact }
      return steps.filter { $0.step.slot != nil && $0.step.path.hasSuffix("/" + name) }
    case .line(let line, let file): return at(line, steps.filter { $0.span.file == file })
    }
  }

  private func at(_ line: Int, _ steps: [PlacedStep]) -> [PlacedStep] {
    let starting = steps.filter { $0.span.start.line == line }
    if let first = starting.first { return [first] }
    let around = steps.filter { $0.span.start.line < line && line <= $0.span.lastLine }
    if let innermost = around.max(by: { $0.span.start < $1.span.start }) { return [innermost] }
    let later = steps.filter { $0.span.start.line > line }
    return later.min { $0.span.start < $1.span.start }.map { [$0] } ?? []
  }

  /// The paths of the steps, in file order.
  package var paths: [String] { steps.map(\.step.path) }

  /// The lines of a file at which steps start, in order, each once.
  package func lines(in file: String) -> [Int] {
    Set(steps.filter { $0.span.file == file }.map(\.span.start.line)).sorted()
  }

  /// The files of the steps, each once.
  package var files: [String] {
    var files: [String] = []
    for step in steps where !files.contains(step.span.file) { files.append(step.span.file) }
    return files
  }
}

extension SourceSpan {
  /// The last line with a character of it.
  fileprivate var lastLine: Int {
    end.column == 1 && end.line > start.line ? end.line - 1 : end.line
  }
}
