package import FlowCore
package import FlowPlan
internal import FlowSystem

/// The steps of a plan as an indented tree for people.
///
///     Pay
///     components:
///       balance: balance {opening: 10.00}
///     steps:
///       held
///         uses: balance.load
///       balance.subtract
///         if: ${{ steps.held.balance > 5 }}
///         uses: balance.subtract {amount: 5.00}
package struct PlanTree {
  /// The tree, the same for the same plan and inputs.
  package private(set) var text = ""

  // Each value is shortened already, so only a line with very many of them reaches this.
  private static let longestLine = 400
  /// The step of the scenario in progress, with a slash, or empty for the main scenario.
  private var prefix = ""
  private var shown: Set<String> = []

  /// Creates the tree of a plan, with the values of its inputs in their order.
  package init(_ plan: Plan, inputs: [Value]) {
    line(0, plan.name ?? plan.file)
    section(
      "inputs", zip(plan.inputs, inputs).map { "\($0.name): \(Template.constant($1).text())" })
    add(plan, depth: 0)
  }

  private mutating func add(_ plan: Plan, depth: Int) {
    section("components", plan.components.map(Self.text), depth: depth)
    block("invariants", plan.invariants.steps, depth: depth)
    block("steps", plan.steps, depth: depth)
    block("finally", plan.finally, depth: depth)
    section("outputs", plan.outputs.map(Self.text), depth: depth)
  }

  private static func text(of component: PlannedComponent) -> String {
    let plugin = component.plugin
    let settings =
      plugin.settings.fields.isEmpty ? "" : " " + component.settings.text(of: component.name)
    return "\(component.name): \(plugin.plugin.name)\(settings)"
  }

  private static func text(of output: PlannedOutput) -> String {
    "\(output.name): \(output.value.text())"
  }

  // MARK: - Lines

  private mutating func line(_ depth: Int, _ text: String) {
    let indentation = String(repeating: "  ", count: depth)
    self.text += indentation + (text.shortened(to: Self.longestLine)).onOneLine + "\n"
  }

  private mutating func section(_ title: String, _ lines: [String], depth: Int = 0) {
    if lines.isEmpty { return }
    line(depth, title + ":")
    for text in lines { line(depth + 1, text) }
  }

  // MARK: - Steps

  private mutating func block(_ title: String, _ steps: [PlannedStep], depth: Int) {
    if steps.isEmpty { return }
    line(depth, title + ":")
    for step in steps { add(step, depth + 1) }
  }

  private mutating func add(_ step: PlannedStep, _ depth: Int) {
    let name = step.options?.name.map { " (\($0.shortened(to: 120)))" } ?? ""
    line(depth, prefix + step.path + name)
    if let options = step.options { add(options, depth + 1) }
    add(step.action, of: step, depth + 1)
    block("finally", step.options?.finally ?? [], depth: depth + 1)
  }

  // Before the action, since a loop's action extends over all of its steps.
  private mutating func add(_ options: StepOptions, _ depth: Int) {
    if let condition = options.condition { line(depth, "if: \(condition.text)") }
    if let retry = options.retry { line(depth, "retry: \(retry.text)") }
    if let timeout = options.timeout { line(depth, "timeout: \(timeout.text(\.flowText))") }
    if options.continuesOnError { line(depth, "continue-on-error: true") }
    if let comparison = options.comparison { line(depth, "compare: \(comparison.rawValue)") }
  }

  private mutating func add(_ action: PlannedAction, of step: PlannedStep, _ depth: Int) {
    let content = action.content
    if let scenario = action.scenario {
      add(scenario.plan, content.lines, of: step, depth)
    } else {
      for text in content.lines { line(depth, text) }
    }
    for inner in action.blocks {
      block(inner.label, inner.steps, depth: inner.isBranch ? depth + 1 : depth)
    }
    for text in content.closingLines { line(depth, text) }
  }

  /// Adds the file of a step, in full only for the first of several steps that run it.
  private mutating func add(_ plan: Plan, _ lines: [String], of step: PlannedStep, _ depth: Int) {
    let isFirst = shown.insert(plan.path).inserted
    for text in lines { line(depth, text + (isFirst ? "" : ", as above")) }
    guard isFirst else { return }
    let outer = prefix
    prefix += step.path + "/"
    add(plan, depth: depth + 1)
    prefix = outer
  }
}

extension PlannedRetry {
  /// The keys that differ from their default.
  fileprivate var text: String {
    var parts = ["attempts: \(attempts.text(\.description))"]
    if backoff.constant != .zero { parts.append("backoff: \(backoff.text(\.flowText))") }
    if policy.factor != 1 { parts.append("factor: \(policy.factor)") }
    if let maximum = policy.maximum { parts.append("max: \(maximum.flowText)") }
    if policy.jitter != 0 { parts.append("jitter: \(policy.jitter)") }
    if !policy.codes.isEmpty { parts.append("on: [\(policy.codes.joined(separator: ", "))]") }
    return "{" + parts.joined(separator: ", ") + "}"
  }
}
