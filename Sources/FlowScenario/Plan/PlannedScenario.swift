internal import FlowCore

/// Another scenario that a step runs.
public final class PlannedScenario: Sendable {
  /// What is run; all steps that include one file share its plan.
  public let plan: Plan
  /// What it is given: a record of the plan's `inputType`.
  public let input: Template
  /// Where the other file is named.
  public let place: Place

  init(plan: Plan, input: Template, place: Place) {
    self.plan = plan
    self.input = input
    self.place = place
  }
}

extension Plan {
  /// Every scenario that its steps run, or the steps of those, each once; sorted by path.
  public var allScenarios: [Plan] {
    var known: [String: Plan] = [:]
    var waiting = scenarios
    while let plan = waiting.popLast() {
      guard known.updateValue(plan, forKey: plan.path) == nil else { continue }
      waiting += plan.scenarios
    }
    return known.values.sorted { $0.path < $1.path }
  }
}

/// Which file a plan is made of.
struct PlanSource {
  /// The path as the user gave it.
  let file: String
  /// The path from the main scenario's folder.
  let path: String
  /// The digest of the file's bytes.
  let digest: String

  /// The file's digest, or one of it and of the scenarios that it includes.
  func digest(with scenarios: [Plan]) -> String {
    if scenarios.isEmpty { return digest }
    let lines = scenarios.sorted { $0.path < $1.path }.map { "\($0.digest) \($0.path)\n" }
    return "sha256:" + SHA256(Array((digest + "\n" + lines.joined()).utf8)).hexadecimal
  }
}

extension RecordType {
  /// What a scenario takes; an input with a default may be absent.
  convenience init(_ inputs: [PlannedInput]) {
    self.init(
      inputs.map {
        Field(
          name: $0.name, type: $0.type, summary: $0.summary, defaultValue: $0.defaultValue,
          isSecret: $0.isSecret)
      })
  }

  /// What a scenario answers.
  convenience init(_ outputs: [PlannedOutput]) {
    self.init(outputs.map { Field(name: $0.name, type: $0.type, summary: "", defaultValue: nil) })
  }
}
