extension Rule {
  /// What a scenario says of its secrets.
  static let secretRules: [Rule] = [
    Rule(
      "F1120", "secret inputs are texts without a default",
      """
      A secret is found in what a run writes by its bytes, so it is a string. A default would stand in the file
      for everybody to read; a secret is given with --secret NAME=@FILE, or in the environment.
      """,
      bad: """
        flow: 1
        inputs:
          token: {type: string, secret: true, default: abcdef}
        steps:
          - assert: ["${{ inputs.token != '' }}"]

        """,
      good: """
        flow: 1
        inputs:
          token: {type: string, secret: true}
        steps:
          - assert: ["${{ inputs.token != '' }}"]

        """)
  ]
}
