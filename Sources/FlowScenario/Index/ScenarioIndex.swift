package import FlowCore
package import FlowExpression
package import FlowPlan

/// The names of a scenario: their declarations, their uses, and those in sight of each step.
///
/// Collected while the scenario is planned, for tools that show or change it. A scenario with
/// mistakes has one, too, of everything that could be read.
package struct ScenarioIndex: Sendable {
  /// A name for expressions.
  package struct Declaration: Sendable {
    /// The name as expressions write it: `steps.load`, `inputs.amount`, `total`.
    package let name: String
    /// The type of its values.
    package let type: ExpressionType
    /// The place of its value in a run.
    ///
    /// A place of a block that has ended is used again.
    package let slot: Slot
    /// The place of the written name, or nil for a name that nobody writes, such as `loop.index`.
    package let span: SourceSpan?
  }

  /// A use of a name in an expression.
  package struct Use: Sendable {
    /// The position of the declaration among `declarations`.
    ///
    /// Of several `set` of one variable, the first.
    package let declaration: Int
    /// The place of the whole name: `steps.load`.
    package let span: SourceSpan
  }

  /// A step, also one that could not be read.
  package struct Step: Sendable {
    /// Its path in the plan.
    package let path: String
    /// The place of the whole step.
    package let span: SourceSpan
    /// The number of changes to the names in sight before the step.
    let before: Int
    /// The number of changes after it.
    package internal(set) var after: Int
  }

  /// A component of the scenario.
  package struct Component: Sendable {
    /// Its name.
    package let name: String
    /// The place of the name in its declaration.
    package let span: SourceSpan
    /// Its plugin, with the rules of its description, or nil for an unknown one.
    package internal(set) var plugin: RegisteredPlugin?
    /// The places of the name in steps and in other declarations.
    package internal(set) var uses: [SourceSpan] = []
  }

  /// A step that runs another scenario.
  package struct Inclusion: Sendable {
    /// The place of the other scenario's path.
    package let span: SourceSpan
    /// The file of the other scenario, as diagnostics show it.
    package let file: String
    /// The plan of the other scenario, or nil if it has mistakes.
    package let plan: Plan?
    /// The inputs that the step gives.
    package let input: [Given]
    /// The components that the step gives.
    package let components: [Given]
  }

  /// An input or a component of another scenario, named by a step that runs it.
  package struct Given: Sendable {
    /// The name of the input or the component.
    package let name: String
    /// The place of the name.
    package let span: SourceSpan
  }

  /// A change to the names in sight.
  struct Change: Sendable {
    let name: String
    /// The new meaning of the name, or nil if it has none any more.
    let binding: Environment.Binding?
  }

  /// The declarations in planning order.
  package internal(set) var declarations: [Declaration] = []
  /// The uses in planning order.
  package internal(set) var uses: [Use] = []
  /// The steps in planning order, each before those inside of it.
  package internal(set) var steps: [Step] = []
  /// The components in file order.
  package internal(set) var components: [Component] = []
  /// The steps that run other scenarios, in planning order.
  package internal(set) var inclusions: [Inclusion] = []
  var changes: [Change] = []
  /// The numbers of changes before the components and before the outputs.
  var beforeComponents = 0
  var beforeOutputs = 0

  init() {}

  /// Returns the step at a path, or nil for an unknown one.
  package func step(at path: String) -> Step? { steps.first { $0.path == path } }

  /// The names that a step's expressions may use.
  package func environment(before step: Step) -> Environment { environment(step.before) }

  /// The names known when a step has ended.
  package func environment(after step: Step) -> Environment { environment(step.after) }

  /// The names that the settings of components may use.
  package var settingsEnvironment: Environment { environment(beforeComponents) }

  /// The names that the outputs may use.
  package var outputsEnvironment: Environment { environment(beforeOutputs) }

  /// The names that the limit of the trials may use.
  package var limitEnvironment: Environment {
    var environment = settingsEnvironment
    let included = inclusions.compactMap(\.plan).flatMap(\.allComponents).map(\.plugin)
    let usage = (components.compactMap(\.plugin) + included).usage
    environment.declare(
      TrialLimit.variable, type: .record(usage), slot: Slot(level: 0, index: 0))
    return environment
  }

  private func environment(_ count: Int) -> Environment {
    var environment = Environment()
    for change in changes.prefix(count) { environment[change.name] = change.binding }
    return environment
  }
}
