// The words that a client reads about the tools, which share its context with its work.
extension AssistantTools {
  static let instructions = """
    flow runs YAML scenarios against components and compares them with recorded transcripts. \
    Check a scenario after each change, then test it. Apply the edits of 'fixes' in a result, or \
    run the command in 'next'. A fix of kind 'accept' declares the present behaviour right: apply \
    it only if the change is intended.
    """

  static let all: [Tool] = [
    Tool(
      name: "check",
      description: """
        Finds mistakes in scenarios without running them. Returns each with its place, message, \
        and fixes as edits.
        """,
      isReadOnly: true,
      parameters: [
        ToolParameter("paths", .paths, "Scenarios or folders. Default: all of the project."),
        ToolParameter("strict", .flag, "Treats warnings as errors."),
      ],
      command: { arguments in
        ["check", "--format", "json"] + (arguments.has("strict") ? ["--strict"] : [])
          + arguments["paths"]
      }),
    Tool(
      name: "explain",
      description: "Explains a code of a problem, such as F1203, with a wrong and a right example.",
      isReadOnly: true,
      parameters: [ToolParameter("code", .text, "The code.", isRequired: true)],
      command: { ["explain", "--"] + $0["code"] }),
    Tool(
      name: "run",
      description: """
        Runs a scenario on its real components: they may call servers, start programs and change \
        files. Returns the failed expectations with expected and actual values.
        """,
      isReadOnly: false,
      parameters: [
        ToolParameter("scenario", .path, "The scenario.", isRequired: true),
        ToolParameter("inputs", .values, "Values of the scenario's inputs by name."),
        ToolParameter("dry_run", .flag, "Prints the steps without running anything."),
        ToolParameter(
          "record", .flag, "Writes the transcript beside the scenario. Needs permission."),
      ],
      command: { arguments in
        let inputs = arguments["inputs"].flatMap { ["--input", $0] }
        let isDry = arguments.has("dry_run")
        return ["run"] + arguments["scenario"] + inputs
          + (isDry ? ["--dry-run"] : ["--format", "json"])
          + (arguments.has("record") ? ["--record"] : [])
      }, writing: { $0.has("record") ? "record" : nil }),
    Tool(
      name: "test",
      description: """
        Tests scenarios against their transcripts: recorded answers are served, components do not \
        run. Scenarios without a transcript run on their components.
        """,
      isReadOnly: false,
      parameters: [
        ToolParameter("paths", .paths, "Scenarios or folders. Default: all of the project."),
        ToolParameter("filter", .text, "Only scenarios with this text in their path or name."),
        ToolParameter("tag", .text, "Only scenarios with this tag."),
        ToolParameter(
          "live", .texts, "Components to call and compare with the transcript, or '*' for all."),
        ToolParameter(
          "update", .choice(["missing", "failed", "all"]),
          "Records transcripts again, if the change is intended. Needs permission."),
      ],
      command: { arguments in
        let names = arguments["live"]
        let live = names.contains("*") ? ["--live"] : names.map { "--live=\($0)" }
        let update = arguments["update"].first ?? "never"
        return ["test", "--format", "json", "--update", update] + arguments.options("filter")
          + arguments.options("tag") + live + arguments["paths"]
      }, writing: { $0.has("update") ? "update" : nil }),
    Tool(
      name: "mutate",
      description: """
        Alters recorded answers one by one, and returns the values that no expectation notices: \
        what the scenario does not check.
        """,
      // Components with 'live: true' run for each alteration.
      isReadOnly: false,
      parameters: [
        ToolParameter("scenario", .path, "A scenario with a transcript.", isRequired: true),
        ToolParameter("threshold", .number, "Fails below this percentage of noticed alterations."),
        ToolParameter("limit", .number, "The most alterations to try. Default: 10000."),
      ],
      command: { arguments in
        ["mutate", "--format", "json"]
          + arguments["threshold"].flatMap { ["--at-least", $0] } + arguments.options("limit")
          + arguments["scenario"]
      }),
  ]
}
