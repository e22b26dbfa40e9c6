internal import FlowReport
internal import FlowSystem

/// The merged results of all parts of a run.
struct MergedSuite: Sendable {
  /// The latest attempt of each part, in the order of the parts.
  private(set) var parts: [ShardResult] = []
  /// The permissions common to all result files.
  ///
  /// Reports must be as private as the most private file.
  private(set) var permissions = 0o777
  /// The problems of the results, a sentence each.
  ///
  /// With any problem the suite has no verdict.
  private(set) var problems: [String] = []

  /// The greatest number of problems listed of a kind, so that the output for a large suite stays
  /// readable.
  private static let mostListed = 20
  private static let mostFiles = 1_000_000

  /// All scenarios, in the order of the suite.
  var scenarios: [ShardResult.Scenario] {
    parts.flatMap(\.scenarios).sorted { $0.stored.number < $1.stored.number }
  }

  /// Reads the results in a run's folder, with the reports' entries in these formats only.
  ///
  /// - Throws: `FileError` if the folder cannot be read.
  init(
    reading folder: String, run: String, keeping formats: Set<String>
  ) throws(FileError) {
    let names = try FileSystem.entries(of: folder).filter { $0.name.hasSuffix(".json") }
    guard names.count <= Self.mostFiles else {
      throw FileError(.tooLarge, path: folder, reason: "more than \(Self.mostFiles) results")
    }
    let files = names.map { ResultName($0) }.sorted { $0.order < $1.order }
    var latest: [Int: ShardResult] = [:]
    var first: (result: ShardResult, name: String)?
    for file in files {
      guard let result = read(file, in: folder, run, formats) else { continue }
      if let first {
        compare(result, file.text, with: first.result, first.name)
      } else {
        first = (result, file.text)
      }
      if let earlier = latest[result.shard.number], earlier.contents != result.contents {
        problems.append(
          "the attempts \(earlier.attempt) and \(result.attempt) of part \(result.shard.text) "
            + "contradict each other: they ran different scenarios")
      }
      latest[result.shard.number] = result
    }
    guard let whole = first?.result else {
      if problems.isEmpty { problems = ["'\(folder.onOneLine)' has no results"] }
      return
    }
    unite(latest, whole, in: folder)
  }

  private mutating func read(
    _ file: ResultName, in folder: String, _ run: String, _ formats: Set<String>
  ) -> ShardResult? {
    let path = Path.joined(folder, file.text)
    guard let place = file.place, file.isFile else {
      problems.append(
        "'\(path.onOneLine)' does not have the name of a results file, PART.ATTEMPT.json")
      return nil
    }
    do throws(FileError) {
      if let result = try ShardResult(reading: path, keeping: formats) {
        permissions &= FileSystem.permissions(of: path) ?? 0o600
        if result.run == run, result.shard.number == place.part, result.attempt == place.attempt {
          return result
        }
        problems.append(
          "'\(path.onOneLine)' has the results of another part: attempt \(result.attempt) of "
            + "part \(result.shard.text) of the run '\(result.run.onOneLine)'")
      } else {
        problems.append(
          "'\(path.onOneLine)' is damaged, or was not written by this version of flow")
      }
    } catch {
      problems.append("\(error)")
    }
    return nil
  }

  private mutating func compare(
    _ result: ShardResult, _ name: String, with first: ShardResult, _ firstName: String
  ) {
    if result.shard.count != first.shard.count {
      problems.append(
        "'\(name)' is one of \(result.shard.count) parts, and '\(firstName)' one of "
          + "\(first.shard.count)")
    } else if result.digest != first.digest || result.total != first.total {
      problems.append(
        "'\(name)' and '\(firstName)' are of different suites: scenarios, options or recorded "
          + "durations differed")
    }
  }

  private mutating func unite(
    _ latest: [Int: ShardResult], _ whole: ShardResult, in folder: String
  ) {
    let missing = (1...whole.shard.count).filter { latest[$0] == nil }
    for number in missing.prefix(Self.mostListed) {
      let crash = Shard(number: number, of: whole.shard.count)
        .map { RunningScenarios.interrupted(part: $0, in: folder) }
      problems.append("the part \(number)/\(whole.shard.count) is missing\(crash ?? "")")
    }
    if missing.count > Self.mostListed {
      problems.append("\(missing.count - Self.mostListed) more parts are missing")
    }
    parts = latest.keys.sorted().compactMap { latest[$0] }
    if !problems.isEmpty { return }
    checkNumbers(whole.total)
  }

  /// Checks that each scenario of the suite is in exactly one part, under one number.
  private mutating func checkNumbers(_ total: Int) {
    let numbers = scenarios.map(\.stored.number)
    let keys = Set(scenarios.map(\.key))
    guard numbers.count == total, numbers.elementsEqual(1..<(numbers.count + 1)),
      keys.count == total
    else {
      problems.append(
        "the parts are not the whole suite: they have \(numbers.count) of \(total) scenarios")
      return
    }
  }
}

/// The name of a file with results.
private struct ResultName {
  let text: String
  let isFile: Bool
  /// The part and the attempt in the name, or nil for another name.
  let place: (part: Int, attempt: Int)?

  init(_ entry: FolderEntry) {
    text = entry.name
    isFile = entry.kind == .file
    let words = entry.name.split(separator: ".", omittingEmptySubsequences: false)
    guard words.count == 3, let part = Int(words[0]), let attempt = Int(words[1]),
      1...10_000 ~= part, 1...ShardResult.mostAttempts ~= attempt,
      entry.name == "\(part).\(attempt).json"
    else {
      place = nil
      return
    }
    place = (part, attempt)
  }

  /// The sort key: by parts, then by attempts, with other names at the end.
  var order: (Int, Int, String) { (place?.part ?? .max, place?.attempt ?? .max, text) }
}
