extension Rule {
  /// What is wrong with a project file, `flow.yaml`.
  static let projectRules: [Rule] = [
    Rule(
      "F1601", "the project file can be read",
      """
      A flow.yaml was found, and it is a folder, a link that leads nowhere, too large, or the system refuses to
      read it. What it says should be hidden is not known then, so a command does nothing.
      """, of: .project),
    Rule(
      "F1602", "the project file is YAML",
      """
      A flow.yaml is one document of YAML 1.2, like a scenario.
      """, of: .project,
      bad: """
        flow: 1
        exclude: [Scenarios/rejected

        """,
      good: """
        flow: 1
        exclude: [Scenarios/rejected]

        """),
    Rule(
      "F1603", "the project file has a version",
      """
      'flow: 1' says how the file is to be read, so that a later version of flow can still read it.
      """, of: .project,
      bad: """
        exclude: [Scenarios/rejected]

        """,
      good: """
        flow: 1
        exclude: [Scenarios/rejected]

        """),
    Rule(
      "F1604", "keys of the project file are known",
      """
      A key that flow does not know would be ignored silently, and a typing mistake with it. The keys are
      flow, scenarios, exclude, update, jobs, report and redact; those of 'report' are format and quiet.
      """, of: .project,
      bad: """
        flow: 1
        exlude: [Scenarios/rejected]

        """,
      good: """
        flow: 1
        exclude: [Scenarios/rejected]

        """),
    Rule(
      "F1605", "values of the project file have the right form",
      """
      'scenarios' and 'exclude' are lists of paths, 'update' is never, missing, failed or all, 'jobs' is a
      whole number from 1 to 1024, and 'report' a mapping in which 'format' is text or json, and 'quiet' true
      or false.
      """, of: .project,
      bad: """
        flow: 1
        update: always

        """,
      good: """
        flow: 1
        update: all

        """),
    Rule(
      "F1606", "paths of the project file lead somewhere",
      """
      A path of 'scenarios' names nothing, so that scenarios would be left out silently. Paths begin at the
      folder of flow.yaml. A path of 'exclude' may name what is not there yet.
      """, of: .project,
      bad: """
        flow: 1
        scenarios: [./nowhere]

        """,
      good: """
        flow: 1
        scenarios: [.]

        """),
    Rule(
      "F1607", "patterns of the project file are regular expressions",
      """
      A pattern of 'redact' has RE2's syntax, as 'matches' in an expression has it. One that is ignored would show
      what it should hide, so a command does nothing before it is right.
      """, of: .project,
      bad: """
        flow: 1
        redact: ['id-[0-9']

        """,
      good: """
        flow: 1
        redact: ['id-[0-9]+']

        """),
    Rule(
      "F1613", "a project has one file",
      """
      The project file is flow.yaml or flow.yml. Where both are there, one of them would be ignored silently, and
      with it what it says should be hidden. Remove one.
      """, of: .project),
  ]
}
