internal import FlowSystem

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
        ? try ExportedJournal(arguments).text(for: engine)
        : try ExportedSuite(arguments).text(for: engine))
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

/// A scheduler for processes on many machines.
enum ExportEngine {
  case slurm
  /// Kubernetes, with the image of the container.
  case kubernetes(image: String)

  /// Creates the engine named by the first operand, with its own options.
  fileprivate init(_ arguments: ParsedArguments) throws(UsageError) {
    switch arguments.operands[0] {
    case "slurm":
      for option in ["image", "claim"] where arguments.has(option) {
        throw .malformed(option: option, value: "slurm", expected: "kubernetes")
      }
      self = .slurm
    case "kubernetes":
      guard let image = try arguments.only("image"), !image.isEmpty else {
        throw .missingOption("image", purpose: "the container's image")
      }
      self = .kubernetes(image: image)
    case let other: throw .unknownCommand(other, of: "export", known: ["slurm", "kubernetes"])
    }
  }
}

extension ParsedArguments {
  /// Returns the value of an option as a DNS label (RFC 1123), which needs no quotes anywhere, or
  /// nil without the option.
  func label(_ option: String) throws(UsageError) -> String? {
    try only(option, "up to 50 lower-case letters, digits and '-'") { text in
      let isLabel = text.utf8.allSatisfy {
        0x61...0x7A ~= $0 || $0.isDigit || $0 == UInt8(ascii: "-")
      }
      return isLabel && 1...50 ~= text.utf8.count && !text.hasPrefix("-") && !text.hasSuffix("-")
        ? text : nil
    }
  }

  /// Returns the number of retries, or nil without the option.
  func retries() throws(UsageError) -> Int? {
    try whole("retries", 0...1_000)
  }
}

/// The formatting of text for Kubernetes.
enum ManifestText {
  /// Returns a string in JSON, and so in YAML.
  static func quoted(_ text: String) -> String { JSON.string(text).text }

  /// Returns a list of words without expansion of variables, and then of variables with it.
  static func list(_ words: [String], variables: [String] = []) -> String {
    "["
      + (words.map { $0.replacing("$(", with: "$$(") } + variables).map(quoted)
      .joined(separator: ", ") + "]"
  }

  /// Returns the rules for retries: lost pods are tried again, but not failed tests, wrong command
  /// lines or wrong files.
  static func failurePolicy(_ action: String) -> String {
    """
      podFailurePolicy:
        rules:
          - action: Ignore
            onPodConditions:
              - type: DisruptionTarget
                status: "True"
          - action: \(action)
            onExitCodes:
              containerName: flow
              operator: In
              values: [1, 64, 65]
    """
  }
}

/// A suite as a job of an engine.
private struct ExportedSuite {
  private let parts: Int
  private let results: String
  private let name: String
  private let claim: String
  private let retries: Int?
  /// The arguments of `flow test`, without its options for parts.
  private let test: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let count = try arguments.whole("parts", 1...10_000) else {
      throw .missingOption("parts", purpose: "the number of parts, or '--journal' for one run")
    }
    guard let folder = try arguments.only("results") else {
      throw .missingOption("results", purpose: "the folder of the results")
    }
    if folder.isEmpty { throw .emptyPath }
    (parts, results) = (count, folder)
    name = try arguments.label("name") ?? "suite"
    claim = try arguments.label("claim") ?? "flow-results"
    retries = try arguments.retries()
    test = Array(arguments.operands.dropFirst())
    let parsed = try ArgumentParser(syntax: Command.test.syntax).parse(test)
    for option in ["shard", "results", "run", "shuffle"] where parsed.has(option) {
      throw .conflict(option: option, with: "parts")
    }
  }

  /// Returns the job in the format of the engine.
  func text(for engine: ExportEngine) throws(UsageError) -> String {
    switch engine {
    case .slurm:
      guard retries == nil else {
        throw .malformed(option: "retries", value: "slurm", expected: "kubernetes")
      }
      return script
    case .kubernetes(let image): return job(image)
    }
  }

  private var script: String {
    let words = (["test", "--shard", "auto", "--results", results] + test).map(\.shellWord)
    return """
      #!/bin/sh
      #SBATCH --job-name=\(name)
      #SBATCH --array=0-\(parts - 1)
      #SBATCH --requeue
      #SBATCH --open-mode=append
      exec flow \(words.joined(separator: " "))

      """
  }

  private func job(_ image: String) -> String {
    """
    apiVersion: batch/v1
    kind: Job
    metadata:
      generateName: \(name)-
    spec:
      completionMode: Indexed
      completions: \(parts)
      parallelism: \(parts)
      backoffLimitPerIndex: \(retries ?? 2)
      podReplacementPolicy: Failed
    \(ManifestText.failurePolicy("FailIndex"))
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: flow
              image: \(ManifestText.quoted(image))
    \(container)
          volumes:
            - name: results
              persistentVolumeClaim:
                claimName: \(claim)

    """
  }

  /// The command of the container, and the volume for its results.
  private var container: String {
    let words = ["flow", "test", "--shard", "auto", "--results", results] + test
    return """
                command: \(ManifestText.list(words, variables: ["--run", "$(FLOW_RUN)"]))
                env:
                  - name: JOB_COMPLETIONS
                    value: "\(parts)"
                  - name: FLOW_RUN
                    valueFrom:
                      fieldRef:
                        fieldPath: metadata.labels['batch.kubernetes.io/job-name']
                volumeMounts:
                  - name: results
                    mountPath: \(ManifestText.quoted(results))
      """
  }
}
