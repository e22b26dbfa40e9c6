import FlowCore
import FlowSystem
import TestKit
import Testing

@testable import FlowCommand

/// The part of a suite for a process, from the environment of a scheduler.
@Suite struct ShardEnvironmentTests {
  struct Case: CustomStringConvertible, Sendable {
    let description: String
    let variables: [String: String]
    /// The part, or the error.
    let expected: String

    init(_ description: String, _ variables: [String: String], _ expected: String) {
      (self.description, self.variables, self.expected) = (description, variables, expected)
    }
  }

  private static func slurm(
    _ id: String, _ range: (String, String, String), step: String? = nil
  ) -> [String: String] {
    var variables = [
      "SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_MIN": range.0, "SLURM_ARRAY_TASK_MAX": range.1,
      "SLURM_ARRAY_TASK_COUNT": range.2,
    ]
    variables["SLURM_ARRAY_TASK_STEP"] = step
    return variables
  }

  static let cases = [
    Case("Slurm from 0", slurm("0", ("0", "7", "8")), "1/8"),
    Case("Slurm from another number", slurm("12", ("10", "12", "3"), step: "1"), "3/3"),
    Case("Kubernetes", ["JOB_COMPLETION_INDEX": "2", "JOB_COMPLETIONS": "4"], "3/4"),
    Case("Bazel", ["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "5"], "1/5"),
    Case("GitLab from 1", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "5"], "1/5"),
    Case(
      "two that agree",
      [
        "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5", "TEST_SHARD_INDEX": "1",
        "TEST_TOTAL_SHARDS": "5",
      ],
      "2/5"),
    Case(
      "two that disagree",
      [
        "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5", "TEST_SHARD_INDEX": "2",
        "TEST_TOTAL_SHARDS": "5",
      ],
      "TEST_SHARD_INDEX says 3/5, and CI_NODE_INDEX says 2/5"),
    Case(
      "nothing", ["CI_NODE_TOTAL": "1", "CI_NODE_INDEX": ""],
      "none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, TEST_SHARD_INDEX and CI_NODE_INDEX is set"
    ),
    Case(
      "gaps", slurm("1", ("0", "7", "3")),
      "the array of Slurm has gaps: 3 tasks from 0 to 7 by 1; submit it as --array=0-2"),
    Case(
      "steps", slurm("2", ("0", "6", "4"), step: "2"),
      "the array of Slurm has gaps: 4 tasks from 0 to 6 by 2; submit it as --array=0-3"),
    Case(
      "no number", ["CI_NODE_INDEX": "two", "CI_NODE_TOTAL": "5"],
      "CI_NODE_INDEX is 'two', not a whole number"),
    Case(
      "a sign", ["TEST_SHARD_INDEX": "-1", "TEST_TOTAL_SHARDS": "5"],
      "TEST_SHARD_INDEX is '-1', not a whole number"),
    Case(
      "too large", ["TEST_SHARD_INDEX": "99999999999999999999", "TEST_TOTAL_SHARDS": "5"],
      "TEST_SHARD_INDEX is '99999999999999999999', not a whole number"),
    Case(
      "no count", ["JOB_COMPLETION_INDEX": "2"],
      "JOB_COMPLETION_INDEX is set, but JOB_COMPLETIONS, the number of parts, is not"
    ),
    Case(
      "behind the last", ["TEST_SHARD_INDEX": "5", "TEST_TOTAL_SHARDS": "5"],
      "TEST_SHARD_INDEX says part 6 of 5, but at most 10000 are possible"),
    Case(
      "before the first", ["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "5"],
      "CI_NODE_INDEX says part 0 of 5, but at most 10000 are possible"),
  ]

  @Test(arguments: cases) func `the part is the scheduler's, or an error`(_ test: Case) async throws
  {
    let suite = try SuiteFolder()
    for number in 1...9 { try suite.write("s\(number).yaml") }

    let run = try await suite.flow(
      ["test", "@/", "--update", "never", "--shard", "auto"], environment: test.variables)

    if let shard = Shard(test.expected) {
      let other = try await suite.test("--shard", shard.text)
      #expect(run.output == other.output)
      #expect(run.code == .passed)
    } else {
      #expect(run.errors == "flow: '--shard auto': \(test.expected)\nsee 'flow help test'\n")
      #expect(run.code == .badCommandLine)
    }
  }

  @Test func `Bazel's status file is touched`() async throws {
    let suite = try SuiteFolder()
    try suite.write("a.yaml")
    let file = suite.folder.directory.path + "/status"

    _ = try await suite.flow(
      ["test", "@/", "--update", "never", "--shard", "auto"],
      environment: [
        "TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "1", "TEST_SHARD_STATUS_FILE": file,
      ])

    #expect(FileSystem.exists(file))
  }

  @Test func `an empty part passes`() async throws {
    let suite = try SuiteFolder()
    try suite.write("a.yaml", passes: false)

    let run = try await suite.test("--shard", "2/2")

    #expect(run.output == "passed in T: scenarios 0 passed\n")
    #expect(run.code == .passed)
  }
}
