extension Rule {
  /// Which steps have a value where.
  static let orderRules: [Rule] = [
    Rule(
      "F1311", "steps have run before they are read",
      """
      A step with an 'if' may be left out, and so may those of a block with one. What reads its answer has the same
      condition, or asks has(steps.id) first; 'else' is under the opposite one. In 'finally' any step before it, or of
      its own block, may be missing, because a failure ends the steps.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        inputs:
          deep: {type: bool, default: false}
        steps:
          - id: now
            if: ${{ inputs.deep }}
            uses: balance.load
          - assert: ["${{ steps.now.balance == 0 }}"]

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        inputs:
          deep: {type: bool, default: false}
        steps:
          - id: now
            if: ${{ inputs.deep }}
            uses: balance.load
          - if: ${{ inputs.deep }}
            assert: ["${{ steps.now.balance == 0 }}"]

        """),
    Rule(
      "F1312", "steps that expect an error have no answer",
      """
      When the expected error comes there is no output to read.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - id: spend
            uses: balance.subtract
            with: {amount: 1.00}
            expect: {error: insufficient}
          - assert: ["${{ steps.spend.balance == 0 }}"]

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.subtract
            with: {amount: 1.00}
            expect: {error: insufficient}
          - {id: after, uses: balance.load}
          - assert: ["${{ steps.after.balance == 0 }}"]

        """),
    Rule(
      "F1313", "steps are read after they ran",
      """
      Steps run from the first to the last, so a later one has no answer yet.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - assert: ["${{ steps.now.balance == 0 }}"]
          - {id: now, uses: balance.load}

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - {id: now, uses: balance.load}
          - assert: ["${{ steps.now.balance == 0 }}"]

        """),
    Rule(
      "F1314", "loops keep their steps to themselves",
      """
      A step inside of a loop has an answer for each iteration. Outside, only the loop's 'outputs' are known, as lists.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - for: x
            in: ${{ [1, 2] }}
            do: [{id: add, uses: balance.add, with: {amount: "${{ x }}"}}]
          - assert: ["${{ steps.add.balance == 3 }}"]

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - id: adding
            for: x
            in: ${{ [1, 2] }}
            do: [{id: add, uses: balance.add, with: {amount: "${{ x }}"}}]
            outputs: {balances: "${{ steps.add.balance }}"}
          - assert: ["${{ steps.adding.balances[1] == 3 }}"]

        """),
  ]
}
