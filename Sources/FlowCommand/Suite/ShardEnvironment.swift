internal import FlowSystem

/// The part of the work that schedulers assign to a process through its environment.
struct ShardEnvironment {
  let variable: (String) -> String?

  /// A part, and the name of its variable.
  private struct Source {
    let name: String
    let shard: Shard
  }

  /// The part assigned to this process.
  ///
  /// - Throws: `UsageError` if no variable is set, two differ, or the numbers are invalid.
  var shard: Shard {
    get throws(UsageError) {
      var sources: [Source] = []
      for find in [slurm, kubernetes, bazel, gitLab] {
        if let source = try find() { sources.append(source) }
      }
      guard let first = sources.first else {
        throw .shard(
          "none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, TEST_SHARD_INDEX and CI_NODE_INDEX is set"
        )
      }
      if let other = sources.first(where: { $0.shard != first.shard }) {
        throw .shard(
          "\(first.name) says \(first.shard.text), and \(other.name) says \(other.shard.text)")
      }
      return first.shard
    }
  }

  /// The file that tells Bazel that sharding is supported, or nil without Bazel.
  var statusFile: String? {
    variable("TEST_SHARD_INDEX") == nil ? nil : value("TEST_SHARD_STATUS_FILE")
  }

  /// The name of the run common to all parts, from their job, or nil if it is unknown.
  var run: String? {
    let names = [
      ("SLURM_ARRAY_JOB_ID", "slurm"), ("CI_PIPELINE_ID", "gitlab"), ("GITHUB_RUN_ID", "github"),
    ]
    for (name, prefix) in names {
      if let id = value(name) { return "\(prefix)-\(id)" }
    }
    return nil
  }

  /// The lowest possible number of this attempt, from 1.
  var attempt: Int {
    // Slurm counts restarts from 0 and does not set the variable for 0. GitHub counts attempts from
    // 1.
    let attempt =
      value("SLURM_RESTART_COUNT").flatMap(Int32.init).map { Int($0) + 1 }
      ?? value("GITHUB_RUN_ATTEMPT").flatMap(Int.init)
    return min(max(1, attempt ?? 1), ShardResult.mostAttempts)
  }

  /// Returns the value of a variable, or nil if it is not set or empty.
  private func value(_ name: String) -> String? {
    variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  private func slurm() throws(UsageError) -> Source? {
    guard let id = try number("SLURM_ARRAY_TASK_ID") else { return nil }
    let least = try needed("SLURM_ARRAY_TASK_MIN", by: "SLURM_ARRAY_TASK_ID")
    let greatest = try needed("SLURM_ARRAY_TASK_MAX", by: "SLURM_ARRAY_TASK_ID")
    let count = try needed("SLURM_ARRAY_TASK_COUNT", by: "SLURM_ARRAY_TASK_ID")
    let step = try number("SLURM_ARRAY_TASK_STEP") ?? 1
    // All of them are at most the greatest accepted number, so nothing overflows.
    guard step == 1 || count == 1, least <= greatest, count == greatest - least + 1 else {
      throw .shard(
        "the array of Slurm has gaps: \(count) tasks from \(least) to \(greatest) by \(step); "
          + "submit it as --array=0-\(max(0, count - 1))")
    }
    return try source("SLURM_ARRAY_TASK_ID", id - least, of: count)
  }

  private func kubernetes() throws(UsageError) -> Source? {
    guard let index = try number("JOB_COMPLETION_INDEX") else { return nil }
    let count = try needed("JOB_COMPLETIONS", by: "JOB_COMPLETION_INDEX")
    return try source("JOB_COMPLETION_INDEX", index, of: count)
  }

  private func bazel() throws(UsageError) -> Source? {
    guard let index = try number("TEST_SHARD_INDEX") else { return nil }
    let count = try needed("TEST_TOTAL_SHARDS", by: "TEST_SHARD_INDEX")
    return try source("TEST_SHARD_INDEX", index, of: count)
  }

  private func gitLab() throws(UsageError) -> Source? {
    // Without `parallel:` there is a total of 1 and no index.
    guard let number = try number("CI_NODE_INDEX") else { return nil }
    let count = try needed("CI_NODE_TOTAL", by: "CI_NODE_INDEX")
    return try source("CI_NODE_INDEX", number - 1, of: count)
  }

  private func source(
    _ name: String, _ index: Int, of count: Int
  ) throws(UsageError) -> Source {
    guard let shard = Shard(number: index + 1, of: count) else {
      throw .shard("\(name) says part \(index + 1) of \(count), but at most 10000 are possible")
    }
    return Source(name: name, shard: shard)
  }

  private func needed(_ name: String, by other: String) throws(UsageError) -> Int {
    if let number = try number(name) { return number }
    throw .shard("\(other) is set, but \(name), the number of parts, is not")
  }

  /// Returns a whole number from 0, or nil for an unset variable.
  private func number(_ name: String) throws(UsageError) -> Int? {
    guard let text = value(name) else { return nil }
    guard text.utf8.allSatisfy(\.isDigit), let number = Int(text), number <= 1 << 40 else {
      throw .shard("\(name) is '\(text.onOneLine)', not a whole number")
    }
    return number
  }
}
