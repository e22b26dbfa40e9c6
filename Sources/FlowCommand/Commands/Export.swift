extension Command {
  static let export = Command(
    syntax: CommandSyntax(
      name: "export",
      summary: "Prints what lets Slurm or Kubernetes test a suite in parts, or do a long run.",
      operands: .many("slurm|kubernetes ARGUMENT"), options: options,
      details: """
        With '--parts' the ARGUMENTs are those of 'flow test', its options behind '--'. For Slurm it is a batch
        script with an array of parts, for Kubernetes an Indexed Job. Both write the results for 'flow merge'.

        With '--journal' they are a SCENARIO and the options of 'flow resume' for one run, which goes on where
        its journal ends when its machine is lost. While another process has the journal it is tried again.

        Limits, secrets and storage are the engine's: add them to what is printed.

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
    Option("parts", .required("N"), "How many parts the suite is cut into."),
    Option("results", .required("FOLDER"), "Where all parts write their results."),
    Option(
      "journal", .required("JOURNAL"),
      "Where the journal of one run is, a path or 'postgres://...'; in place of a suite's parts."),
    Option(
      "name", .required("NAME"),
      "What the job is called; 'suite' unless given, 'run' for a journal."),
    Option("image", .required("IMAGE"), "The container's image, for Kubernetes."),
    Option(
      "claim", .required("NAME"),
      "The volume claim of the results, or of the journal's folder, for Kubernetes; 'flow-results' or "
        + "'flow-journal' unless given."),
    Option(
      "retries", .required("N"),
      "How often Kubernetes tries a part again that neither passed nor failed, 2 unless given; or how "
        + "often a run is tried again, 100 unless given."),
  ]
}
