internal import FlowRedaction
internal import FlowSystem

/// Which scenarios run at the moment, in a file that a crash of the process leaves behind.
struct RunningScenarios: Sendable {
  private static let mostNamed = 10

  /// Nil where the file cannot be written; then nothing is said after a crash.
  private let sign: LifeSign?
  private let redactor: Redactor

  /// A file in the project's folder, for the next run of its suite.
  init(in project: String, _ redactor: Redactor) {
    self.redactor = redactor
    let folder = Path.joined(project, SuiteState.folder)
    do throws(FileError) { try FileSystem.makeFolder(folder) } catch {
      // That nothing can be written there is said when the state is.
      sign = nil
      return
    }
    sign = LifeSign(in: folder, named: Self.name)
  }

  /// A file beside the results of a part, for whoever merges them.
  init(ofPart shard: Shard, in results: String, _ redactor: Redactor) {
    self.redactor = redactor
    do throws(FileError) { try FileSystem.makeFolders(results) } catch {
      // That nothing can be written there is said when the results are.
      sign = nil
      return
    }
    // The part runs again, so how an earlier attempt ended is of no use any more.
    for old in LifeSign.abandoned(in: results, named: Self.name(of: shard)) { old.remove() }
    sign = LifeSign(in: results, named: Self.name(of: shard))
  }

  private static let name = "last-run"
  /// Hidden among the results.
  private static func name(of shard: Shard) -> String { ".\(shard.number)" }

  /// Says that a scenario begins.
  func begin(_ key: String) { sign?.add("+" + redactor.redacted(key).onOneLine) }

  /// Says that it has ended.
  func end(_ key: String) { sign?.add("-" + redactor.redacted(key).onOneLine) }

  /// Removes the file: the suite has ended, and so that somebody was told.
  func finish() { sign?.remove() }

  // MARK: - Afterwards

  /// What was running when runs of a project's suite crashed or were killed, a sentence each; said once.
  static func interrupted(in project: String) -> [String] {
    let folder = Path.joined(project, SuiteState.folder)
    return LifeSign.abandoned(in: folder, named: name).compactMap { run in
      run.remove()
      return names(in: run.lines).map { "the last run ended while \($0): it crashed or was killed" }
    }
  }

  /// What was running when a part crashed or was killed: a clause, empty when nothing is known.
  static func interrupted(part shard: Shard, in results: String) -> String {
    let signs = LifeSign.abandoned(in: results, named: name(of: shard))
    guard let names = signs.lazy.compactMap({ names(in: $0.lines) }).first else { return "" }
    return "; it ended while \(names), by a crash or a kill"
  }

  /// `'a.yaml' and 'b.yaml' were running`; nil for nothing.
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
