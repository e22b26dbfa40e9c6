extension Rule {
  /// Expressions.
  static let expressionRules: [Rule] = [
    Rule(
      "F1301", "expressions are CEL",
      """
      The text between the braces is an expression of the Common Expression Language.
      """,
      bad: """
        flow: 1
        steps:
          - assert: ["${{ 1 + }}"]

        """,
      good: """
        flow: 1
        steps:
          - assert: ["${{ 1 + 1 == 2 }}"]

        """),
    Rule(
      "F1302", "names are declared",
      """
      An expression may read inputs, earlier steps in sight, loop variables and variables of set.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - {id: now, uses: balance.load}
          - assert: ["${{ steps.know.balance == 0 }}"]

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
      "F1303", "operators and functions fit their operands",
      """
      No function of this name takes values of these types.
      """,
      bad: """
        flow: 1
        steps:
          - assert: ["${{ 'a' * 2 == 'aa' }}"]

        """,
      good: """
        flow: 1
        steps:
          - assert: ["${{ 'a' + 'a' == 'aa' }}"]

        """),
    Rule(
      "F1304", "fields of answers exist",
      """
      'flow list PLUGIN' names the fields of every answer.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - {id: now, uses: balance.load}
          - assert: ["${{ steps.now.balanced == 0 }}"]

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
      "F1305", "expressions have the type of their place",
      """
      The value that the expression gives could never stand here.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.add
            with: {amount: "${{ 'one' }}"}

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.add
            with: {amount: "${{ 1 }}"}

        """),
    Rule(
      "F1306", "conditions are expressions",
      """
      'if', 'until', 'in' and assertions are always evaluated, so they are always written as expressions.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - if: 1 < 2
            uses: balance.load

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - if: ${{ 1 < 2 }}
            uses: balance.load

        """),
    Rule(
      "F1307", "expressions are closed",
      """
      '${{' opens an expression, '}}' outside of its own braces and quotes ends it.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - if: ${{ 1 < 2 }
            uses: balance.load

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - if: ${{ 1 < 2 }}
            uses: balance.load

        """),
    Rule(
      "F1309", "expressions have bounds",
      """
      An expression is limited in length, depth and size, so that checking it ends soon.
      """,
      bad: """
        flow: 1
        steps:
          - assert: ["${{ !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!true }}"]

        """,
      good: """
        flow: 1
        steps:
          - assert: ["${{ true }}"]

        """),
  ]
}
