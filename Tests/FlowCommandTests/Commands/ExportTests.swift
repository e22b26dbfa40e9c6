import FlowCommand
import TestKit
import Testing

/// Definitions for engines that test a suite in parts.
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
    (
      ["slurm", "--results", "r"],
      "'--parts' is missing: the number of parts, or '--journal' for one run"
    ),
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
      ["slurm", "--parts", "2", "--results", "r", "--retries", "3"],
      "'--retries': expected kubernetes, got 'slurm'"
    ),
    (
      ["kubernetes", "--parts", "2", "--results", "r"],
      "'--image' is missing: the container's image"
    ),
    (
      ["slurm", "--parts", "2", "--results", "r", "--name", "a\n#SBATCH b"],
      "'--name': expected up to 50 lower-case letters, digits and '-', got 'a\\n#SBATCH b'"
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

  @Test func `a batch script of a journal is requeued while another process has it`() async throws {
    let run = try await export(
      "slurm", "--journal", "/shared/its order.journal", "--name", "order", "order.yaml", "--",
      "--input", "amount=30")

    #expect(
      run.output == #"""
        #!/bin/sh
        #SBATCH --job-name=order
        #SBATCH --requeue
        #SBATCH --open-mode=append
        # Slurm signals flow as well; the shell has to outlive what flow does then.
        trap : TERM
        flow resume '/shared/its order.journal' --or-run order.yaml --input amount=30
        code=$?
        # 75: the run cannot go on yet. Try again, unless Slurm has already started this job anew.
        restarts=${SLURM_RESTART_COUNT:-0}
        if [ "$code" = 75 ] && [ "$restarts" -lt 100 ]; then
          case " $(scontrol show job --oneliner "$SLURM_JOB_ID") " in
          *" Restarts=$restarts "*) scontrol requeue "$SLURM_JOB_ID" ;;
          esac
        fi
        exit "$code"

        """#)
    #expect(run.code == .passed)
  }

  private static let job = #"""
    apiVersion: batch/v1
    kind: Job
    metadata:
      generateName: run-
    spec:
      backoffLimit: 100
      podReplacementPolicy: Failed
      podFailurePolicy:
        rules:
          - action: Ignore
            onPodConditions:
              - type: DisruptionTarget
                status: "True"
          - action: FailJob
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

    """#

  @Test func `a Job of a journal mounts the folder of the journal`() async throws {
    let run = try await export(
      "kubernetes", "--journal", "/journals/order", "--image", "a/b:1", "order.yaml", "--",
      "--input", "x=$(X)")

    #expect(
      run.output == Self.job + #"""
                  command: ["flow", "resume", "/journals/order", "--or-run", "order.yaml", "--input", "x=$$(X)"]
                  volumeMounts:
                    - name: journal
                      mountPath: "/journals"
              volumes:
                - name: journal
                  persistentVolumeClaim:
                    claimName: flow-journal

        """#)
    #expect(run.code == .passed)
  }

  @Test func `a Job of a journal in a database mounts nothing`() async throws {
    let run = try await export(
      "kubernetes", "--journal", "postgres://flow@db:5432/flow?sslmode=require#order@1", "--image",
      "a/b:1", "order.yaml")

    #expect(
      run.output == Self.job + #"""
                  command: ["flow", "resume", "postgres://flow@db:5432/flow?sslmode=require#order@1", \#
        "--or-run", "order.yaml"]

        """#)
  }

  @Test func `the name, the claim and the tries of a journal are given`() async throws {
    let job = try await export(
      "kubernetes", "--journal", "/j/k", "--image", "i", "--name", "a", "--claim", "b",
      "--retries", "7", "s.yaml")
    let script = try await export("slurm", "--journal", "-j", "--retries", "7", "s.yaml")

    for line in ["  generateName: a-", "  backoffLimit: 7", "            claimName: b"] {
      #expect(job.output.split(separator: "\n").contains(Substring(line)))
    }
    #expect(script.output.contains("\nflow resume ./-j --or-run s.yaml\n"))
    #expect(script.output.contains(#"[ "$restarts" -lt 7 ]"#))
  }

  private static let visible =
    "'--journal': the address has a password, which anyone could read in the output; leave it "
    + "out, and set PGPASSWORD from a secret of the engine"

  @Test(arguments: [
    (["--parts", "2", "s.yaml"], "'--parts' cannot be combined with '--journal'"),
    (["--results", "r", "s.yaml"], "'--results' cannot be combined with '--journal'"),
    ([], "SCENARIO is missing"),
    (["--", "--input", "s.yaml"], "SCENARIO is missing"),
    (["s.yaml", "t.yaml"], "unexpected argument 't.yaml'"),
    (
      ["s.yaml", "--", "--inputz", "x"],
      "unknown option '--inputz'; did you mean '--input' or '--inputs'?"
    ),
    (["s.yaml", "--", "--scenario", "t"], "'--scenario' cannot be combined with '--journal'"),
    (["s.yaml", "--", "--or-run", "t"], "'--or-run' cannot be combined with '--journal'"),
    (["s.yaml", "--claim", "c"], "'--claim': expected kubernetes, got 'slurm'"),
  ]) func `what cannot be exported of a journal is refused`(
    _ arguments: [String], _ problem: String
  ) async throws {
    let run = try await FlowCommandRun(
      ["export", "slurm", "--journal", "j"] + arguments, in: try TemporaryFolder())

    #expect(run.errors == "flow: \(problem)\nsee 'flow help export'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test(arguments: [
    ("", "a path is empty"),
    ("postgres://me:hidden@db/flow#order", visible),
    ("postgresql://me@db/flow?x=1&PassWord=hidden", visible),
    ("postgres://db/flow?sslpassword=hidden#order", visible),
    ("postgres://db/flow?pass%77ord=hidden#order", visible),
    (
      "order.journal",
      "'--journal': expected the whole path of a file in a folder, where the volume is mounted, got "
        + "'order.journal'"
    ),
    (
      "/order.journal",
      "'--journal': expected the whole path of a file in a folder, where the volume is mounted, got "
        + "'/order.journal'"
    ),
    (
      "/a/../order.journal",
      "'--journal': expected the whole path of a file in a folder, where the volume is mounted, got "
        + "'/a/../order.journal'"
    ),
    ("postgres://u:hid?den@h/db#order", visible),
  ]) func `a place of a journal that cannot be exported is refused`(
    _ journal: String, _ problem: String
  ) async throws {
    let run = try await export(
      "kubernetes", "--journal", journal, "--image", "i", "s.yaml")

    #expect(run.errors == "flow: \(problem)\nsee 'flow help export'\n")
    #expect(run.output == "")
  }

  @Test func `a volume cannot be claimed for a journal in a database`() async throws {
    let run = try await export(
      "kubernetes", "--journal", "postgres://db/flow#a", "--image", "i", "--claim", "c", "s.yaml")

    #expect(
      run.errors == "flow: '--claim' cannot be combined with '--journal postgres://...'\n"
        + "see 'flow help export'\n")
  }
}
