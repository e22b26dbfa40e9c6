internal import FlowCore
internal import FlowSystem

extension Command {
  static let export = Command(
    syntax: CommandSyntax(
      name: "export", summary: "Prints what lets Slurm or Kubernetes test a suite in parts.",
      operands: .many("slurm|kubernetes ARGUMENT"), options: options,
      details: """
        The ARGUMENTs are those of 'flow test', its options behind '--'. For Slurm it is a batch script with an
        array of parts, for Kubernetes an Indexed Job. Both write the results for 'flow merge'.

        Limits, secrets and storage are the engine's: add them to what is printed.

          flow export slurm --parts 8 --results /shared/results -- --live > suite.sh
          flow export kubernetes --parts 8 --results /results --image registry.example/suite -- --live
        """)
  ) { (flow, arguments) throws(UsageError) in
    let suite = try ExportedSuite(arguments)
    flow.world.documentOutput(try suite.text(arguments))
    return .passed
  }

  private static let options = [
    Option("parts", .required("N"), "How many parts the suite is cut into."),
    Option("results", .required("FOLDER"), "Where all parts write their results."),
    Option("name", .required("NAME"), "What the job is called; 'suite' unless given."),
    Option("image", .required("IMAGE"), "The container's image, for Kubernetes."),
    Option(
      "claim", .required("NAME"),
      "The volume claim of the results, for Kubernetes; 'flow-results' unless given."),
    Option(
      "retries", .required("N"),
      "How often Kubernetes tries a part again that neither passed nor failed; 2 unless given."),
  ]
}

/// A suite, as an engine is told to test it.
private struct ExportedSuite {
  private let parts: Int
  private let results: String
  private let name: String
  /// The arguments of `flow test`, without those about parts.
  private let test: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let count = try arguments.only("parts", "a whole number from 1 to 10000") { text in
      Int(text).flatMap { 1...10_000 ~= $0 ? $0 : nil }
    }
    guard let count else { throw .missingOption("parts", purpose: "the number of parts") }
    guard let folder = try arguments.only("results") else {
      throw .missingOption("results", purpose: "the folder of the results")
    }
    if folder.isEmpty { throw .emptyPath }
    (parts, results) = (count, folder)
    name = try Self.label("name", arguments) ?? "suite"
    test = Array(arguments.operands.dropFirst())
    let parsed = try ArgumentParser(syntax: Command.test.syntax).parse(test)
    for option in ["shard", "results", "run", "shuffle"] where parsed.has(option) {
      throw .conflict(option: option, with: "parts")
    }
  }

  /// What the engine reads that the first operand names.
  func text(_ arguments: ParsedArguments) throws(UsageError) -> String {
    switch arguments.operands[0] {
    case "slurm":
      for option in ["image", "claim", "retries"] where arguments.has(option) {
        throw .malformed(option: option, value: "slurm", expected: "kubernetes")
      }
      return script
    case "kubernetes": return try job(arguments)
    case let other: throw .unknownCommand(other, of: "export", known: ["slurm", "kubernetes"])
    }
  }

  /// A label of DNS (RFC 1123), which needs no quotes anywhere; nil where the option is not given.
  private static func label(
    _ option: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> String? {
    try arguments.only(option, "up to 50 lower-case letters, digits and '-'") { text in
      let isLabel = text.utf8.allSatisfy {
        0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-")
      }
      return isLabel && 1...50 ~= text.utf8.count && !text.hasPrefix("-") && !text.hasSuffix("-")
        ? text : nil
    }
  }

  // MARK: - Slurm

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

  // MARK: - Kubernetes

  private func job(_ arguments: ParsedArguments) throws(UsageError) -> String {
    guard let image = try arguments.only("image"), !image.isEmpty else {
      throw .missingOption("image", purpose: "the container's image")
    }
    let claim = try Self.label("claim", arguments) ?? "flow-results"
    let retries = try arguments.only("retries", "a whole number from 0 to 1000") { text in
      Int(text).flatMap { 0...1_000 ~= $0 ? $0 : nil }
    }
    return """
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
      \(Self.failures)
        template:
          spec:
            restartPolicy: Never
            containers:
              - name: flow
                image: \(Self.quoted(image))
      \(container)
            volumes:
              - name: results
                persistentVolumeClaim:
                  claimName: \(claim)

      """
  }

  /// What is tried again: not what failed, and not a wrong command line or file.
  private static let failures = """
      podFailurePolicy:
        rules:
          - action: Ignore
            onPodConditions:
              - type: DisruptionTarget
                status: "True"
          - action: FailIndex
            onExitCodes:
              containerName: flow
              operator: In
              values: [1, 64, 65]
    """

  /// What runs, and where its results go.
  private var container: String {
    let words =
      (["flow", "test", "--shard", "auto", "--results", results] + test)
      // Kubernetes would put a variable in its place.
      .map { Self.quoted($0.replacing("$(", with: "$$(")) } + [#""--run""#, #""$(FLOW_RUN)""#]
    return """
                command: [\(words.joined(separator: ", "))]
                env:
                  - name: JOB_COMPLETIONS
                    value: "\(parts)"
                  - name: FLOW_RUN
                    valueFrom:
                      fieldRef:
                        fieldPath: metadata.labels['batch.kubernetes.io/job-name']
                volumeMounts:
                  - name: results
                    mountPath: \(Self.quoted(results))
      """
  }

  /// A text of JSON, and so of YAML.
  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.value(.string(text))
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
