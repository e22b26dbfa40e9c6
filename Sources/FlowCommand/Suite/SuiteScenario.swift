internal import FlowCore
internal import FlowScenario
internal import FlowSystem

/// A scenario of a suite, loaded.
struct SuiteScenario: Sendable {
  /// The file's path as it is shown.
  let path: String
  /// The file's path as seen from the project's folder, by which it is known from run to run.
  let key: String
  /// What runs, or why nothing can.
  private(set) var plan: Result<Plan, ScenarioError>

  /// The `name:`; empty when there is none, or the file cannot be read.
  var name: String { (try? plan.get())?.name ?? "" }

  /// Where the scenario's transcript is, or would be.
  var transcript: String { Path.transcript(of: path) }

  /// The same scenario, which cannot be run.
  func refused(_ diagnostics: [Diagnostic]) -> SuiteScenario {
    var scenario = self
    scenario.plan = .failure(ScenarioError(diagnostics: diagnostics))
    return scenario
  }

  /// A transcript that has lost its scenario: nothing says any more what it is about.
  init(lonelyTranscript file: FoundFile, root: String?) {
    self.init(
      file, root: root,
      .failure(ScenarioError(diagnostics: [.lonelyTranscript(file.path)])))
  }

  fileprivate init(_ file: FoundFile, root: String?, _ plan: Result<Plan, ScenarioError>) {
    path = file.path
    key = root.flatMap { Path.inside(file.fullPath, of: $0) } ?? file.fullPath
    self.plan = plan
  }
}

/// What a file that may be a scenario is.
enum SuiteFile: Sendable {
  /// A scenario, be it one with mistakes.
  case scenario(SuiteScenario)
  /// Not YAML, so what it was to be is unknown.
  case unreadable(FoundFile)
  /// Something else.
  case other

  /// Loads a file.
  init(_ file: FoundFile, root: String?, _ loader: ScenarioLoader) {
    let plan: Result<Plan, ScenarioError>
    do throws(ScenarioError) {
      let source = try ScenarioSource(reading: file.path)
      do throws(ScenarioError) {
        plan = .success(try loader.plan(source))
      } catch {
        guard file.isMeant(source) else {
          self = source.kind == .unreadable ? .unreadable(file) : .other
          return
        }
        plan = .failure(error)
      }
    } catch {
      plan = .failure(error)
    }
    self = .scenario(SuiteScenario(file, root: root, plan))
  }
}

extension Diagnostic {
  fileprivate static func lonelyTranscript(_ path: String) -> Diagnostic {
    Diagnostic(
      .lostScenario, "'\(path.escaped)' has no scenario beside it", at: nil,
      notes: ["bring the scenario back, or remove the transcript with 'flow transcript prune'"])
  }
}

extension [SuiteScenario] {
  /// The same scenarios, of which those that share a transcript with another one cannot be run.
  ///
  /// One would replay, or write over, what the other one recorded.
  func refusingSharedTranscripts() -> [SuiteScenario] {
    let groups = Dictionary(grouping: self) { $0.place }
    return map { scenario in
      guard let sharing = groups[scenario.place], sharing.count > 1 else { return scenario }
      let names = sharing.map { "'\($0.path.escaped)'" }.sorted().joined(separator: " and ")
      let message =
        "\(names) share the transcript '\(scenario.transcript.escaped)'; rename one"
      return scenario.refused([Diagnostic(.sharedTranscript, message, at: nil)])
    }
  }
}

extension SuiteScenario {
  /// The transcript's path as the system compares it, by bytes.
  fileprivate var place: [UInt8] { Array(Path.transcript(of: key).utf8) }
}
