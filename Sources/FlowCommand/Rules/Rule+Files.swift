extension Rule {
  /// The file and its keys.
  static let fileRules: [Rule] = [
    Rule(
      "F1001", "the file can be read",
      """
      The file is missing, a folder, too large, or the system refuses to read it.
      """),
    Rule(
      "F1002", "the file is YAML",
      """
      A scenario is one document of YAML 1.2. Keys stand once, aliases name an anchor before them, and there are
      limits on depth and size. JSON is YAML too.
      """,
      bad: """
        flow: 1
        steps: []
        steps: []

        """,
      good: """
        flow: 1
        steps: []

        """),
    Rule(
      "F1101", "the format has a version",
      """
      'flow: 1' says how the file is to be read, so that a later version of flow can still read it.
      """,
      bad: """
        steps: []

        """,
      good: """
        flow: 1
        steps: []

        """),
    Rule(
      "F1102", "keys are known",
      """
      A key that flow does not know would be ignored silently, and a typing mistake with it.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - usse: balance.load

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - uses: balance.load

        """),
    Rule(
      "F1103", "required keys are there",
      """
      Without this key flow cannot tell what to do.
      """,
      bad: """
        flow: 1
        name: Nothing to do

        """,
      good: """
        flow: 1
        steps: []

        """),
    Rule(
      "F1104", "values have the right form",
      """
      A mapping, a list or text stands where another one belongs, or nothing does.
      """,
      bad: """
        flow: 1
        steps: {uses: balance.load}

        """,
      good: """
        flow: 1
        steps: []

        """),
    Rule(
      "F1105", "there are no tags",
      """
      The types come from the components, so a tag such as !!float says nothing, or contradicts them.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance, with: {opening: !!float 1.50}}
        steps: [{uses: balance.load}]

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance, with: {opening: 1.50}}
        steps: [{uses: balance.load}]

        """),
    Rule(
      "F1106", "names can be said in expressions",
      """
      Names are letters, digits and '_', a letter first. In an expression 'my-id' would be a subtraction.
      """,
      bad: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - id: my-id
            uses: balance.load

        """,
      good: """
        flow: 1
        components:
          balance: {plugin: balance}
        steps:
          - id: my_id
            uses: balance.load
          - assert: ["${{ steps.my_id.balance == 0 }}"]

        """),
  ]
}
