extension Rule {
  private static let part = """
    flow: 1
    inputs:
      amount: {type: int}
    steps:
      - assert: ["${{ inputs.amount > 0 }}"]

    """

  /// Scenarios that run others.
  static let inclusionRules: [Rule] = [
    Rule(
      "F1210", "included files can be read",
      """
      The path of 'scenario' is relative to the folder of the file that it stands in. It may not lead out of the
      main scenario's folder, neither by '..' nor by a link.
      """,
      bad: """
        flow: 1
        steps:
          - scenario: ./prat.yaml
            with: {amount: 5}

        """,
      good: """
        flow: 1
        steps:
          - scenario: ./part.yaml
            with: {amount: 5}

        """,
      part: part),
    Rule(
      "F1211", "inclusion comes to an end",
      """
      A scenario that includes itself, directly or through others, would never end. Others may include each other
      over 32 files, and a scenario 1,000 files in all. (The wrong example is the file 'scenario.yaml'.)
      """,
      bad: """
        flow: 1
        steps:
          - scenario: ./scenario.yaml

        """,
      good: """
        flow: 1
        steps:
          - scenario: ./part.yaml
            with: {amount: 5}

        """,
      part: part),
  ]
}
