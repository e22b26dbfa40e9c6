internal import FlowSystem

/// A suite as a job of an engine.
struct ExportedSuite {
  private let parts: Int
  private let results: String
  private let name: String
  private let claim: String
  private let retries: Int?
  /// The arguments of `flow test`, without its options for parts.
  private let test: [String]

  /// Reads the suite, and the arguments of `flow test` by their syntax.
  init(_ arguments: ParsedArguments, of syntax: CommandSyntax) throws(UsageError) {
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
    let parsed = try ArgumentParser(syntax: syntax).parse(test)
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
