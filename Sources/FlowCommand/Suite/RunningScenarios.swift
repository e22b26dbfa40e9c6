internal import FlowRedaction
internal import FlowSystem

/// The currently running scenarios, in a file left behind by a crash of the process.
struct RunningScenarios: Sendable {
  private static let mostNamed = 10

  /// The file, or nil if it cannot be written.
  ///
  /// Nothing is reported after a crash then.
  private let sign: LifeSign?
  private let redactor: Redactor

  /// Returns no file.
  static func unknown(_ redactor: Redactor) -> RunningScenarios {
    RunningScenarios(sign: nil, redactor: redactor)
  }

  private init(sign: LifeSign?, redactor: Redactor) {
    (self.sign, self.redactor) = (sign, redactor)
  }

  /// Creates a file in the project's folder, for the next run of its suite.
  init(in project: String, _ redactor: Redactor) {
    self.redactor = redactor
    let folder = Path.joined(project, SuiteState.folder)
    do throws(FileError) { try FileSystem.makeFolder(folder) } catch {
      // A folder that cannot be written is reported when the state is written.
      sign = nil
      return
    }
    sign = LifeSign(in: folder, named: Self.name)
  }

  /// Creates a file next to the results of a part, for the process that merges them.
  init(ofPart shard: Shard, in results: String, _ redactor: Redactor) {
    self.redactor = redactor
    do throws(FileError) { try FileSystem.makeFolders(results) } catch {
      // A folder that cannot be written is reported when the results are written.
      sign = nil
      return
    }
    // The part runs again, so the end of an earlier attempt no longer matters.
    for old in LifeSign.abandoned(in: results, named: Self.name(of: shard)) { old.remove() }
    sign = LifeSign(in: results, named: Self.name(of: shard))
  }

  private static let name = "last-run"
  /// Returns the name of a part's file, hidden among the results.
  private static func name(of shard: Shard) -> String { ".\(shard.number)" }

  /// Notes the start of a scenario.
  func begin(_ key: String) { sign?.add("+" + redactor.redacted(key).onOneLine) }

  /// Notes the end of a scenario.
  func end(_ key: String) { sign?.add("-" + redactor.redacted(key).onOneLine) }

  /// Removes the file after the suite has ended and its results were reported.
  func finish() { sign?.remove() }

  // MARK: - Afterwards

  /// Returns a sentence for each crashed or killed run of a project's suite, with the scenarios
  /// running at that time.
  ///
  /// Each run is reported once.
  static func interrupted(in project: String) -> [String] {
    let folder = Path.joined(project, SuiteState.folder)
    return LifeSign.abandoned(in: folder, named: name).compactMap { run in
      run.remove()
      return names(in: run.lines).map { "the last run crashed or was killed while \($0)" }
    }
  }

  /// Returns a clause with the scenarios running when a part crashed or was killed.
  ///
  /// Empty if nothing is known.
  static func interrupted(part shard: Shard, in results: String) -> String {
    let signs = LifeSign.abandoned(in: results, named: name(of: shard))
    guard let names = signs.lazy.compactMap({ names(in: $0.lines) }).first else { return "" }
    return "; it crashed or was killed while \(names)"
  }

  /// Returns `'a.yaml' and 'b.yaml' were running`, or nil if nothing was running.
  private static func names(in lines: [String]) -> String? {
    var running: [String] = []
    for line in lines {
      let key = String(line.dropFirst())
      if line.hasPrefix("+") {
        running.append(key)
      } else if let index = running.firstIndex(of: key) {
        running.remove(at: index)
      }
    }
    if running.isEmpty { return nil }
    let shown = running.prefix(mostNamed).map { "'\($0.onOneLine)'" }
    let rest = running.count - shown.count
    let all = shown + (rest > 0 ? ["\(rest) more"] : [])
    let beginning = all.dropLast().joined(separator: ", ") + (all.count > 1 ? " and " : "")
    return "\(beginning)\(all[all.count - 1]) \(running.count == 1 ? "was" : "were") running"
  }
}
