extension Rule {
  /// Steps that run at the same time.
  static let parallelRules: [Rule] = [
    Rule(
      "F1112", "branches need each other by name",
      """
      'needs' lists other branches of the same step. Steps outside are no branches: those before have run already.
      """,
      bad: """
        flow: 1
        steps:
          - parallel:
              left: [{wait: 1ms}]
              right: {needs: [lefd], do: [{wait: 1ms}]}

        """,
      good: """
        flow: 1
        steps:
          - parallel:
              left: [{wait: 1ms}]
              right: {needs: [left], do: [{wait: 1ms}]}

        """),
    Rule(
      "F1113", "branches do not wait for each other",
      """
      Each branch begins when those that it needs have passed. In a circle none would ever begin.
      """,
      bad: """
        flow: 1
        steps:
          - parallel:
              left: {needs: [right], do: [{wait: 1ms}]}
              right: {needs: [left], do: [{wait: 1ms}]}

        """,
      good: """
        flow: 1
        steps:
          - parallel:
              left: [{wait: 1ms}]
              right: {needs: [left], do: [{wait: 1ms}]}

        """),
    Rule(
      "F1315", "branches read what they have waited for",
      """
      Of two branches that run at the same time neither can rely on what the other one has done. A branch that
      'needs' another one reads its steps, and those of all that the other one needs. After the step all of them
      are known.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - parallel:
              before: [{id: now, uses: balance.load}]
              after: [{assert: ["${{ steps.now.balance == 0 }}"]}]

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - parallel:
              before: [{id: now, uses: balance.load}]
              after: {needs: [before], do: [{assert: ["${{ steps.now.balance == 0 }}"]}]}

        """),
    Rule(
      "F1316", "steps at the same time share no variables",
      """
      What a variable holds would depend on which step comes first. A branch, and an iteration of a 'for' with
      'parallel', reads the variables from outside and sets its own; what it finds is handed on by answers and by
      the 'outputs' of loops.
      """,
      bad: """
        flow: 1
        steps:
          - set: {total: 0}
          - for: x
            in: ${{ [1, 2, 3] }}
            parallel: 3
            do: [{set: {total: "${{ total + x }}"}}]

        """,
      good: """
        flow: 1
        steps:
          - id: squares
            for: x
            in: ${{ [1, 2, 3] }}
            parallel: 3
            do: [{set: {square: "${{ x * x }}"}}]
            outputs: {all: "${{ square }}"}
          - assert: ["${{ math.greatest(steps.squares.all) == 9 }}"]

        """),
  ]
}
