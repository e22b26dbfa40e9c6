extension Command {
  static let export = Command(
    syntax: CommandSyntax(
      name: "export",
      summary: "Prints a Slurm script or Kubernetes job for a suite in parts or a long run.",
      operands: .many("slurm|kubernetes ARGUMENT"), options: options,
      details: """
        With '--parts', the ARGUMENTs are those of 'flow test', with options after '--'. The output
        for Slurm is a batch script with an array of parts, and for Kubernetes an Indexed Job. Both
        write the results for 'flow merge'.

        With '--journal', they are a SCENARIO and the options of 'flow resume'. If the machine is
        lost, the run continues from its journal. While another process holds the journal, the job
        retries.

        Add limits, secrets and storage to the printed file.

          flow export slurm --parts 8 --results /shared/results -- --live > suite.sh
          flow export kubernetes --parts 8 --results /results --image registry.example/suite -- --live
          flow export slurm --journal /shared/order.journal order.yaml -- --input amount=30 > order.sh
        """)
  ) { (flow, arguments) throws(UsageError) in
    let engine = try ExportEngine(arguments)
    flow.process.documentOutput(
      arguments.has("journal")
        ? try ExportedJournal(arguments, of: Command.resume.syntax).text(for: engine)
        : try ExportedSuite(arguments, of: Command.test.syntax).text(for: engine))
    return .passed
  }

  private static let options = [
    Option("parts", .required("N"), "The number of parts of the suite."),
    Option("results", .required("FOLDER"), "The folder for the results of all parts."),
    Option(
      "journal", .required("JOURNAL"),
      "Runs a single scenario with this journal, a path or 'postgres://...', instead of a suite."),
    Option(
      "name", .required("NAME"),
      "The name of the job. Default: 'suite', or 'run' with a journal."),
    Option("image", .required("IMAGE"), "The container image, for Kubernetes."),
    Option(
      "claim", .required("NAME"),
      "The volume claim for the results or the journal, for Kubernetes. Default: 'flow-results' or "
        + "'flow-journal'."),
    Option(
      "retries", .required("N"),
      "The number of retries of an unfinished part, for Kubernetes (default: 2), or of a run with a "
        + "journal (default: 100)."),
  ]
}
