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
      No function of this name takes values of these types. These are all functions:

      lists and maps   all, distinct, exists, existsOne, exists_one, filter, first, flatten, join, last,
                       lists.range, map, reverse, size, slice, sort, sortBy, transformList, transformMap,
                       transformMapEntry
      texts            charAt, contains, endsWith, format, indexOf, join, lastIndexOf, lowerAscii, matches, replace,
                       reverse, size, split, startsWith, strings.quote, substring, trim, upperAscii
      numbers          math.abs, math.bitAnd, math.bitNot, math.bitOr, math.bitShiftLeft, math.bitShiftRight,
                       math.bitXor, math.ceil, math.floor, math.greatest, math.isFinite, math.isInf, math.isNaN,
                       math.least, math.round, math.sign, math.sqrt, math.trunc
      time             getDate, getDayOfMonth, getDayOfWeek, getDayOfYear, getFullYear, getHours, getMilliseconds,
                       getMinutes, getMonth, getSeconds
      types            bool, bytes, decimal, double, duration, dyn, int, string, timestamp, type, uint
      what may be      has, hasValue, optFlatMap, optMap, optional.none, optional.of, optional.ofNonZeroValue,
      absent           optional.unwrap, or, orValue, unwrapOpt, value
      others           base64.decode, base64.encode, cel.bind
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
