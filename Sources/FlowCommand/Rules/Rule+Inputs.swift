extension Rule {
  /// What the caller gives.
  static let inputRules: [Rule] = [
    Rule(
      "F1401", "inputs given are declared",
      """
      '--input NAME=VALUE' takes a name from the scenario's 'inputs'.
      """),
    Rule(
      "F1402", "required inputs are given",
      """
      An input without a default must be given with --input NAME=VALUE.
      """),
    Rule(
      "F1403", "inputs have their type",
      """
      The value of an input is read as YAML and must have the declared type; a string is taken as it is.
      """),
    Rule(
      "F1404", "secrets can be hidden",
      """
      A secret of fewer than 4 bytes stands in many texts by chance. Hiding all of them would leave nothing to
      read, and hiding some would show where it is.
      """),
    Rule(
      "F1405", "hidden inputs are not used again",
      """
      The recorded value of this input has a placeholder in it, '${secret:...}' or '${redacted:...}', because a
      part of it was hidden. The components would get the placeholder. Run the scenario anew, and mark the
      input 'secret: true' if all of it is secret: then it can be given again.
      """),
  ]
}

extension Rule {
  /// What nobody needs; these are warnings.
  static let unusedRules: [Rule] = [
    Rule(
      "F1501", "ids are used",
      """
      An id that no expression reads may be a leftover, or the reader of another id may be mistyped. Most ids have a
      use without a reader: the addresses of a transcript are made of them, and stay the same when steps are inserted.
      Nothing is recorded of 'set', 'assert' and 'wait', so it is their ids that have none.
      """,
      bad: """
        flow: 1
        steps:
          - {id: pause, wait: 1ms}

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - wait: 1ms
          - {id: before, uses: balance.load}

        """),
    Rule(
      "F1502", "inputs are used",
      """
      An input that nothing reads has no effect, whatever the caller gives.
      """,
      bad: """
        flow: 1
        inputs:
          amount: {type: decimal, default: 1.00}
        steps: []

        """,
      good: """
        flow: 1
        inputs:
          amount: {type: decimal, default: 1.00}
        steps:
          - assert: ["${{ inputs.amount > 0 }}"]

        """),
    Rule(
      "F1503", "components are used",
      """
      A component that no step uses is opened in vain.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps: []

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load

        """),
    Rule(
      "F1514", "expressions have a dollar sign and two braces",
      """
      '{{ x }}' and '${ x }' are expressions of other tools. Here they are text like any other, which is probably
      not meant where x is something that an expression could read.
      """,
      bad: """
        flow: 1
        inputs:
          name: {type: string, default: Anna}
        steps:
          - set: {greeting: "Hello {{ inputs.name }}"}
          - assert: ["${{ greeting != inputs.name }}"]

        """,
      good: """
        flow: 1
        inputs:
          name: {type: string, default: Anna}
        steps:
          - set: {greeting: "Hello ${{ inputs.name }}"}
          - assert: ["${{ greeting != inputs.name }}"]

        """),
  ]
}
