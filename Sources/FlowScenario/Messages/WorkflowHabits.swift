/// Keys and expressions of GitHub Actions workflows, and their equivalents in scenarios.
///
/// Scenarios have the envelope of those workflows, so their other words are written by habit.
enum WorkflowHabits {
  /// Returns the equivalent of a status function, or nil for other functions.
  static func note(onFunction name: String) -> String? { functions[name] }

  /// Returns the equivalent of a context of workflows, or nil for other names.
  static func note(onContext name: String) -> String? { contexts[name] }

  /// Returns true if a name is a context in expressions of workflows.
  static func isContext(_ name: String) -> Bool {
    contexts[name] != nil || ["env", "secrets"].contains(name)
  }

  /// A note on writing a literal `${{` in the middle of a string.
  static let literalOpening = "for a literal '${{', write ${{ '${{' }}"

  /// Returns the equivalent of a key of a step, or nil.
  static func note(onStepKey key: String) -> String? { stepKeys[key] }

  /// Returns the equivalent of a key of a whole workflow, or nil.
  static func note(onWorkflowKey key: String) -> String? { workflowKeys[key] }

  /// Returns the right form of a condition that is not an expression, or nil if unknown.
  static func note(onCondition text: String) -> String? {
    let name = text.prefix { $0.isLetter }
    return text.dropFirst(name.count).hasPrefix("(") ? note(onFunction: String(name)) : nil
  }

  private static let functions = [
    "always": "write steps that always run under 'finally'",
    "failure":
      "write steps that also run after a failure under 'finally'; with 'continue-on-error: true' "
      + "a failed step does not end the scenario",
    "cancelled": "steps under 'finally' also run after a cancellation",
    "success": "a step runs only if the earlier steps passed, so leave the condition out",
  ]

  private static let contexts = [
    "github": "this name is of GitHub Actions; declare an input for the value",
    "job": "this name is of GitHub Actions; declare an input for the value",
    "jobs": "this name is of GitHub Actions; read an answer as steps.ID.FIELD",
    "matrix": "instead of a matrix use 'for', which runs steps once for each element of a list",
    "needs": "this name is of GitHub Actions; read an answer as steps.ID.FIELD",
    "runner": "this name is of GitHub Actions; declare an input for the value",
    "strategy": "instead of a matrix use 'for', which runs steps once for each element of a list",
    "vars": "a variable is an input here: declare it under 'inputs'",
  ]

  private static let stepKeys = [
    "run":
      "run a program with a component of the plugin 'process': "
      + "'uses: COMPONENT.run' and 'with: {argv: [...]}'",
    "shell": "to run a program with the plugin 'process', write 'shell' under 'with'",
    "working-directory":
      "to run a program with the plugin 'process', write 'directory' under 'with'",
    "env": "to run a program with the plugin 'process', write 'env' under 'with'",
    "needs":
      "steps run one after another; only branches of 'parallel' have 'needs'",
    "strategy": "instead of a matrix use 'for', which runs steps once for each element of a list",
    "matrix": "instead of a matrix use 'for', which runs steps once for each element of a list",
  ]

  private static let workflowKeys = [
    "jobs":
      "write 'steps' instead of jobs; to run some at the same time, write branches of 'parallel'",
    "on": "a scenario has no triggers; start it with 'flow run' or 'flow test'",
    "env": "scenarios do not read the environment; declare 'inputs'",
    "permissions": "set the permissions of a scenario with --deny, --allow-host or flow.yaml",
  ]
}
