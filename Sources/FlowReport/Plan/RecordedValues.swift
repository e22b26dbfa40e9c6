internal import FlowCore
internal import FlowEngine
internal import FlowPlan

/// The values that a recorded run computed, for the graph of its plan.
struct RecordedValues {
  /// An output of the scenario, as `total = 5.70`.
  struct Output {
    let name: String
    let text: String
  }

  private static let mostLines = 8

  /// The outputs of the scenario.
  private(set) var outputs: [Output] = []
  private var values: [String: [ComputedValue]] = [:]

  /// Creates no values.
  init() {}

  /// Collects the values of a run, by the paths of the steps.
  init(_ trace: RunTrace) {
    // Read in place, since a copy of a span is much work.
    for index in trace.spans.indices where !trace.spans[index].computed.entries.isEmpty {
      let path = trace.spans[index].address.path
      values[path, default: []] += trace.spans[index].computed.entries.map(\.value)
    }
    outputs = trace.outputs.entries.map {
      Output(name: $0.value.name, text: "\($0.value.name) = \($0.value.value.summary())")
    }
  }

  /// Returns the name, the variables and the outputs of a step, a line each.
  func lines(of path: String) -> [String] {
    guard let values = values[path] else { return [] }
    var shown: [(title: String, values: [String])] = []
    for value in values {
      let title: String
      switch value.use {
      case .set, .output: title = "\(value.name) = "
      case .name: title = "name "
      case .condition, .while, .until, .expect, .assert, .evidence: continue
      }
      let place = shown.firstIndex { $0.title == title } ?? shown.endIndex
      if place == shown.endIndex { shown.append((title, [])) }
      shown[place].values.append(value.value.summary())
    }
    return shown.prefix(Self.mostLines).map { $0.title + Self.series($0.values) }
  }

  /// Returns the values of a condition at a step, on a line, or nothing.
  func conditions(of path: String, _ condition: PlannedExpression) -> [String] {
    let found = (values[path] ?? []).filter {
      $0.use == .condition && $0.source == condition.text
    }
    return found.isEmpty ? [] : ["is " + Self.series(found.map { $0.value.summary() })]
  }

  /// Returns the values of all iterations: the only one, all of a few, or some of many.
  private static func series(_ values: [String]) -> String {
    let isOne = values.allSatisfy { $0 == values[0] }
    if isOne || values.count == 1 { return values[0] }
    if values.count <= 3 { return values.joined(separator: ", ") }
    return "\(values[0]), \(values[1]), …, \(values[values.count - 1])"
  }
}
