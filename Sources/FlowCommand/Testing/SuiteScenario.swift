internal import FlowCore
internal import FlowScenario

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

  /// Loads a file; nil for one that was found in a folder and is no scenario.
  init?(_ file: FoundFile, root: String?, _ loader: ScenarioLoader) {
    path = file.path
    key = root.flatMap { Path.inside(file.fullPath, of: $0) } ?? file.fullPath
    do throws(ScenarioError) {
      let source = try ScenarioSource(reading: file.path)
      do throws(ScenarioError) {
        plan = .success(try loader.plan(source))
      } catch {
        guard file.isNamed || source.isScenario else { return nil }
        plan = .failure(error)
      }
    } catch {
      plan = .failure(error)
    }
  }
}
