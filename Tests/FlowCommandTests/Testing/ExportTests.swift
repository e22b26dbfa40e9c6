import FlowCore
import PluginHarness
import Testing

@testable import FlowCommand

/// What engines are told, so that they test a suite in parts.
@Suite struct ExportTests {
  private func export(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(["export"] + arguments, in: try TemporaryFolder())
  }

  @Test func `a batch script has an array that is requeued`() async throws {
    let run = try await export(
      "slurm", "--parts", "8", "--results", "/shared/all results", "--", "--live", "--filter",
      "it's")

    #expect(
      run.output == #"""
        #!/bin/sh
        #SBATCH --job-name=suite
        #SBATCH --array=0-7
        #SBATCH --requeue
        #SBATCH --open-mode=append
        exec flow test --shard auto --results '/shared/all results' --live --filter 'it'\''s'

        """#)
    #expect(run.code == .passed)
  }

  @Test func `an Indexed Job tries again what another try may help`() async throws {
    let run = try await export(
      "kubernetes", "--parts", "4", "--results", "/results", "--image", "a/b:1", "--name",
      "nightly",
      "--claim", "mine", "--retries", "5", "shop", "--", "--tag", "$(X)")

    #expect(
      run.output == #"""
        apiVersion: batch/v1
        kind: Job
        metadata:
          generateName: nightly-
        spec:
          completionMode: Indexed
          completions: 4
          parallelism: 4
          backoffLimitPerIndex: 5
          podReplacementPolicy: Failed
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
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: flow
                  image: "a/b:1"
                  command: ["flow", "test", "--shard", "auto", "--results", "/results", "shop", \#
        "--tag", "$$(X)", "--run", "$(FLOW_RUN)"]
                  env:
                    - name: JOB_COMPLETIONS
                      value: "4"
                    - name: FLOW_RUN
                      valueFrom:
                        fieldRef:
                          fieldPath: metadata.labels['batch.kubernetes.io/job-name']
                  volumeMounts:
                    - name: results
                      mountPath: "/results"
              volumes:
                - name: results
                  persistentVolumeClaim:
                    claimName: mine

        """#)
  }

  @Test(arguments: [
    (["slurm", "--results", "r"], "'--parts' is missing: the number of parts"),
    (
      ["slurm", "--parts", "0", "--results", "r"],
      "'--parts': expected a whole number from 1 to 10000, got '0'"
    ),
    (["slurm", "--parts", "2"], "'--results' is missing: the folder of the results"),
    (
      ["slurm", "--parts", "2", "--results", "r", "--image", "x"],
      "'--image': expected kubernetes, got 'slurm'"
    ),
    (
      ["kubernetes", "--parts", "2", "--results", "r"],
      "'--image' is missing: the container's image"
    ),
    (
      ["slurm", "--parts", "2", "--results", "r", "--name", "a\n#SBATCH b"],
      "'--name': expected up to 50 lower-case letters, digits and '-', got 'a\n#SBATCH b'"
    ),
    (
      ["slurm", "--parts", "2", "--results", "r", "--", "--shard", "1/2"],
      "'--shard' cannot be combined with '--parts'"
    ),
    (
      ["lsf", "--parts", "2", "--results", "r"],
      "unknown command 'export lsf'; there are slurm, kubernetes"
    ),
  ]) func `what cannot be exported is refused`(_ arguments: [String], _ problem: String)
    async throws
  {
    let run = try await FlowCommandRun(["export"] + arguments, in: try TemporaryFolder())

    #expect(run.errors == "flow: \(problem)\nsee 'flow help export'\n")
    #expect(run.code == .badCommandLine)
  }
}
