extension Rule {
  /// What the components declare.
  static let registryRules: [Rule] = [
    Rule(
      "F1201", "plugins exist",
      """
      'flow list' names the plugins that this flow was built with.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balances}
        steps: []

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps: [{uses: balance.load}]

        """),
    Rule(
      "F1202", "components are declared",
      """
      'uses' begins with a name from 'components'.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balances.load

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load

        """),
    Rule(
      "F1203", "operations exist",
      """
      'flow list PLUGIN' names the operations of a plugin.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.laod

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load

        """),
    Rule(
      "F1204", "fields exist",
      """
      A field that the operation, the settings or the answer do not have is a typing mistake.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load
            expect: {balances: 0.00}

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load
            expect: {balance: 0.00}

        """),
    Rule(
      "F1205", "required fields are given",
      """
      A field without a default must be given.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.add

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.add
            with: {amount: 1.00}

        """),
    Rule(
      "F1206", "values have the type of their field",
      """
      Text never becomes a number, nor a number text. An expectation of another type could never hold.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.add
            with: {amount: one}

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.add
            with: {amount: 1.00}

        """),
    Rule(
      "F1207", "error codes are declared",
      """
      An operation answers with the codes it declares and no others, so expecting another one is in vain.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.subtract
            with: {amount: 1.00}
            expect: {error: insuficient}

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.subtract
            with: {amount: 1.00}
            expect: {error: insufficient}

        """),
    Rule(
      "F1208", "input types exist",
      """
      An input is bool, bytes, decimal, double, duration, int, string, timestamp, list(T), map(T) or any.
      """,
      bad: """
        flow: 1
        inputs:
          amount: {type: decimel}
        steps: []

        """,
      good: """
        flow: 1
        inputs:
          amount: {type: decimal}
        steps: [{assert: ["${{ inputs.amount > 0 }}"]}]

        """),
    Rule(
      "F1209", "events are reported",
      """
      'await' names a component and one of the events that its plugin reports; 'flow list PLUGIN' names them.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - {uses: balance.add, with: {amount: 1.00}}
          - {await: balance.chagned, timeout: 10s}

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - {uses: balance.add, with: {amount: 1.00}}
          - {await: balance.changed, timeout: 10s}

        """),
  ]
}
