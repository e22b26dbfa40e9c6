extension Rule {
  /// Steps and what they are made of.
  static let stepRules: [Rule] = [
    Rule(
      "F1107", "ids are unique",
      """
      Two steps of one id could not be told apart by later steps.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - {id: now, uses: balance.load}
          - {id: now, uses: balance.load}

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - {id: before, uses: balance.load}
          - {id: after, uses: balance.load}
          - assert: ["${{ steps.before == steps.after }}"]

        """),
    Rule(
      "F1108", "a step does something",
      """
      Each step has one of 'uses', 'for', 'repeat', 'do', 'parallel', 'set', 'assert', 'wait', 'await' and
      'scenario'.
      """,
      bad: """
        flow: 1
        steps:
          - name: Nothing

        """,
      good: """
        flow: 1
        steps:
          - set: {x: 1}

        """),
    Rule(
      "F1109", "a step does one thing",
      """
      Two actions in one step would leave open which comes first.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load
            set: {x: 1}

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load
          - set: {x: 1}

        """),
    Rule(
      "F1110", "keys go with their action",
      """
      'with' belongs to 'uses' and 'scenario', 'expect' and 'retry' to 'uses', 'in' to 'for', 'outputs' to loops,
      'where' to 'await', 'else' to a 'do' with an 'if', 'fail-fast' to steps at the same time, and 'finally' to all
      that has steps inside; an error has no fields.
      """,
      bad: """
        flow: 1
        steps:
          - set: {x: 1}
            expect: {x: 1}

        """,
      good: """
        flow: 1
        steps:
          - set: {x: 1}
          - assert: ["${{ x == 1 }}"]

        """),
    Rule(
      "F1114", "comparisons are known",
      """
      'compare' says how the order of the calls inside of a step is compared with a transcript: exact, causal or set.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load
            compare: none

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load
            compare: set

        """),
    Rule(
      "F1111", "limits are whole numbers",
      """
      The limit of a repeat is a number from 1 on: the scenario can be seen to end. Of a 'for', 1 to 1000 iterations
      run at once.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - repeat: {until: "${{ true }}", limit: 0}
            do: [{uses: balance.load}]

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - repeat: {until: "${{ true }}", limit: 1}
            do: [{uses: balance.load}]

        """),
  ]
}
