internal import FlowDatabase
internal import FlowSystem

/// A run with a journal as a job of an engine, which starts it and resumes it after the loss of a
/// machine.
struct ExportedJournal {
  private let journal: String
  private let scenario: String
  private let name: String
  private let claim: String?
  private let retries: Int
  /// The options of `flow resume`.
  private let options: [String]

  /// Reads the journal, and the operands after the engine: the scenario and the options of `flow
  /// resume`.
  init(_ arguments: ParsedArguments, of resume: CommandSyntax) throws(UsageError) {
    for option in ["parts", "results"] where arguments.has(option) {
      throw .conflict(option: option, with: "journal")
    }
    journal = try arguments.only("journal") ?? ""
    if journal.isEmpty { throw .emptyPath }
    // Malformed addresses can have a password, too.
    let isOpen = journal.withoutPasswords == journal
    guard isOpen, case let place = try JournalPlace(journal), place.text == journal else {
      throw .visiblePassword(option: "journal")
    }
    name = try arguments.label("name") ?? "run"
    claim = try arguments.label("claim")
    retries = try arguments.retries() ?? 100
    let words = arguments.operands.dropFirst()
    // The first word, since a word after an option could be the option's value.
    guard let scenario = words.first, !scenario.hasPrefix("-") else {
      throw .missingOperand("SCENARIO")
    }
    self.scenario = scenario
    options = Array(words.dropFirst())
    let parsed = try ArgumentParser(syntax: Self.syntax(resume.options)).parse(Array(words))
    for option in ["or-run", "scenario"] where parsed.has(option) {
      throw .conflict(option: option, with: "journal")
    }
  }

  private static func syntax(_ options: [Option]) -> CommandSyntax {
    CommandSyntax(
      name: "export", summary: "", operands: .one("SCENARIO"), options: options, details: "")
  }

  /// Returns the job in the format of the engine.
  func text(for engine: ExportEngine) throws(UsageError) -> String {
    switch engine {
    case .slurm: script
    case .kubernetes(let image): try job(image)
    }
  }

  private var words: [String] { ["resume", journal, "--or-run", scenario] + options }

  /// The batch script, without `exec` because the script itself has to ask for another try.
  ///
  /// The exit codes for a retry are a setting of the cluster (`RequeueExit`), not of the job.
  private var script: String {
    let words =
      ["flow", "resume", journal.shellPath, "--or-run", scenario.shellWord]
      + options.map(\.shellWord)
    return """
      #!/bin/sh
      #SBATCH --job-name=\(name)
      #SBATCH --requeue
      #SBATCH --open-mode=append
      # Slurm signals flow as well; the shell has to outlive what flow does then.
      trap : TERM
      \(words.joined(separator: " "))
      code=$?
      # 75: the run cannot go on yet. Try again, unless Slurm has already started this job anew.
      restarts=${SLURM_RESTART_COUNT:-0}
      if [ "$code" = 75 ] && [ "$restarts" -lt \(retries) ]; then
        case " $(scontrol show job --oneliner "$SLURM_JOB_ID") " in
        *" Restarts=$restarts "*) scontrol requeue "$SLURM_JOB_ID" ;;
        esac
      fi
      exit "$code"

      """
  }

  private func job(_ image: String) throws(UsageError) -> String {
    """
    apiVersion: batch/v1
    kind: Job
    metadata:
      generateName: \(name)-
    spec:
      backoffLimit: \(retries)
      podReplacementPolicy: Failed
    \(ManifestText.failurePolicy("FailJob"))
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: flow
              image: \(ManifestText.quoted(image))
              command: \(ManifestText.list(["flow"] + words))
    \(try volume)
    """
  }

  /// The volume of the journal.
  ///
  /// Empty for a journal in a database.
  private var volume: String {
    get throws(UsageError) {
      if DatabaseAddress.isAddress(journal) {
        if claim != nil { throw .conflict(option: "claim", with: "journal postgres://...") }
        return ""
      }
      let folder = Path.folder(of: Path.plain(journal))
      // A volume at any other place would hide files of the image, or not be found.
      guard folder.hasPrefix("/"), folder != "/", !folder.split(separator: "/").contains("..")
      else {
        throw .malformed(
          option: "journal", value: journal,
          expected: "the whole path of a file in a folder, where the volume is mounted")
      }
      return """
                  volumeMounts:
                    - name: journal
                      mountPath: \(ManifestText.quoted(folder))
              volumes:
                - name: journal
                  persistentVolumeClaim:
                    claimName: \(claim ?? "flow-journal")

        """
    }
  }
}
