extension Rule {
  /// What a run finds.
  static let runRules: [Rule] = [
    Rule(
      "F2001", "the answer is what was expected",
      """
      'expect' compares the answer, and every difference is reported.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load
            expect: {balance: 1.00}

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
      "F2002", "errors are expected",
      """
      An error fails the step unless 'expect: {error: code}' asks for it.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.subtract
            with: {amount: 1.00}

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
      "F2003", "the expected error comes",
      """
      The operation answered, or with another error than the expected one.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load
            expect: {error: unavailable}

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load

        """),
    Rule(
      "F2004", "assertions hold",
      """
      Every false assertion is reported with the values of its operands.
      """,
      bad: """
        flow: 1
        steps:
          - assert: ["${{ size('a') == 2 }}"]

        """,
      good: """
        flow: 1
        steps:
          - assert: ["${{ size('a') == 1 }}"]

        """),
    Rule(
      "F2005", "expressions have a value",
      """
      An index out of range, a missing key, a division by zero, an overflow, or an optional without a value.
      """,
      bad: """
        flow: 1
        steps:
          - set: {list: [1, 2]}
          - assert: ["${{ list[2] == 3 }}"]

        """,
      good: """
        flow: 1
        steps:
          - set: {list: [1, 2]}
          - assert: ["${{ list[1] == 2 }}"]

        """),
    Rule(
      "F2006", "repeats end before their limit",
      """
      'until' was false after every iteration, or 'while' was still true after the last one.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - repeat: {until: "${{ loop.index == 5 }}", limit: 3}
            do: [{uses: balance.load}]

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - repeat: {until: "${{ loop.index == 5 }}", limit: 10}
            do: [{uses: balance.load}]

        """),
    Rule(
      "F2008", "components can be opened",
      """
      The component refused its settings, or what it needs is not there.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance, with: {opening: -1.00}}
        steps:
          - uses: balance.load

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance, with: {opening: 1.00}}
        steps:
          - uses: balance.load

        """),
    Rule(
      "F2009", "the run is not cancelled",
      """
      The run was cancelled before this step had ended.
      """),
    Rule(
      "F2010", "steps end within their 'timeout'",
      """
      What the step was doing is cancelled; a call has the time for each of its attempts.
      """,
      bad: """
        flow: 1
        steps:
          - wait: 1h
            timeout: 10ms

        """,
      good: """
        flow: 1
        steps:
          - wait: 10ms
            timeout: 1h

        """),
  ]
}
