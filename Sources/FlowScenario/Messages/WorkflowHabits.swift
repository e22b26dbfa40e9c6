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
  static let literalOpening = "to have '${{' in the text, write ${{ '${{' }}"

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
    "always": "steps that run in any case are written under 'finally'",
    "failure":
      "steps that run after a failure, too, are written under 'finally'; with 'continue-on-error: true' "
      + "a step that fails does not end the scenario",
    "cancelled": "steps under 'finally' run after a cancellation as well",
    "success": "a step runs only if those before it have passed, so the condition can be left out",
  ]

  private static let contexts = [
    "github": "GitHub Actions has it; declare an input for what the scenario needs of it",
    "job": "GitHub Actions has it; declare an input for what the scenario needs of it",
    "jobs": "GitHub Actions has it; an answer is read as steps.ID.FIELD",
    "matrix": "'for' runs steps once for each element of a list, instead of a matrix",
    "needs": "GitHub Actions has it; an answer is read as steps.ID.FIELD",
    "runner": "GitHub Actions has it; declare an input for what the scenario needs of it",
    "strategy": "'for' runs steps once for each element of a list, instead of a matrix",
    "vars": "a variable is an input here: declare it under 'inputs'",
  ]

  private static let stepKeys = [
    "run":
      "a program is run by a component of the plugin 'process': "
      + "'uses: COMPONENT.run' and 'with: {argv: [...]}'",
    "shell": "of a program that the plugin 'process' runs, 'shell' belongs under 'with'",
    "working-directory":
      "of a program that the plugin 'process' runs, 'directory' under 'with' says it",
    "env": "of a program that the plugin 'process' runs, 'env' belongs under 'with'",
    "needs":
      "steps run one after another; only branches of 'parallel' have 'needs'",
    "strategy": "'for' runs steps once for each element of a list, instead of a matrix",
    "matrix": "'for' runs steps once for each element of a list, instead of a matrix",
  ]

  private static let workflowKeys = [
    "jobs":
      "a scenario has 'steps'; what runs at the same time are the branches of a step with 'parallel'",
    "on": "'flow run' and 'flow test' start a scenario; nothing in it says when",
    "env": "the environment is not read; declare 'inputs'",
    "permissions": "what a scenario may reach is said by --deny, --allow-host and flow.yaml",
  ]
}
