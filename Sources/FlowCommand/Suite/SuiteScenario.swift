internal import FlowCore
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// A loaded scenario of a suite.
struct SuiteScenario: Sendable {
  let path: String
  /// The path relative to the project's folder, which identifies the scenario in later runs.
  let key: String
  private(set) var plan: Result<Plan, ScenarioError>
  /// The components that are called in tests of the scenario.
  private(set) var live = LiveComponents.none

  /// The `name:` of the scenario.
  ///
  /// Empty without a name, or if the file cannot be read.
  var name: String { (try? plan.get())?.name ?? "" }
  var transcript: String { Path.transcript(of: path) }

  func refused(_ diagnostics: [Diagnostic]) -> SuiteScenario {
    var scenario = self
    scenario.plan = .failure(ScenarioError(diagnostics: diagnostics))
    return scenario
  }

  /// Returns the scenario with these live components, or else with the ones set by the project.
  func live(_ option: LiveComponents, _ settings: ProjectSettings) -> SuiteScenario {
    var scenario = self
    scenario.live = option
    guard option == .none, case .success(let plan) = plan else { return scenario }
    let known = Set(plan.componentNames)
    var names: Set<String> = []
    for rule in settings.live where rule.isMeant(for: plan, at: path, in: settings.project) {
      for name in rule.components {
        guard known.contains(name.value) else {
          scenario.plan = .failure(ProjectFile.missing(name, in: path, among: known.sorted()))
          return scenario
        }
        names.insert(name.value)
      }
    }
    if !names.isEmpty { scenario.live = .named(names.sorted()) }
    return scenario
  }

  /// Returns the components that a test calls from the start.
  func use(_ update: UpdateMode) -> Places.Use {
    guard case .success(let plan) = plan else { return Places.Use() }
    let isLive = live == .all || update == .all || !FileSystem.isOccupied(transcript)
    let names = (isLive ? .all : live).names(in: plan)
    return Places.Use(components: names, servers: plan.callingServers.intersection(names))
  }

  /// Creates the entry of a transcript without a scenario, which fails because its subject is
  /// unknown.
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

  /// The path of the transcript in bytes, as the system compares it.
  fileprivate var place: [UInt8] { Array(Path.transcript(of: key).utf8) }
}

extension ProjectFile.LiveRule {
  /// Returns true if it is about the scenario at a path.
  func isMeant(for plan: Plan, at path: String, in project: Project) -> Bool {
    if let tag, !plan.tags.contains(tag.value) { return false }
    guard let scenario else { return true }
    guard let place = FileSystem.realPath(project.path(scenario.value)),
      let path = FileSystem.realPath(path)
    else { return false }
    return Path.inside(path, of: place) != nil
  }
}

/// The kind of a file that may be a scenario.
enum SuiteFile: Sendable {
  /// A scenario, possibly with mistakes.
  case scenario(SuiteScenario)
  /// A file that is not YAML, so that its purpose is unknown.
  case unreadable(FoundFile)
  case other

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
      .lostScenario, "'\(path.escaped)' has no scenario next to it", at: nil,
      notes: ["restore the scenario, or remove the transcript with 'flow transcript prune'"])
  }
}

extension [SuiteScenario] {
  /// Returns the scenarios, with an error in the ones that share a transcript.
  ///
  /// Such a scenario would replay, or write over, the recording of another one.
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

/// The memory of the last runs of a project's scenarios: their failures and durations.
///
/// It is a file of JSON Lines, `.flow/last-failed` in the project's folder, and may be deleted at
/// any time.
package struct SuiteState: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var hasFailed: Bool
    /// The duration of the last run in a suite that was not divided into parts, or nil if unknown.
    var microseconds: Int?
  }

  static let folder = ".flow"
  private static let header = #"{"flow-state":1}"#
  private static let largest = 16 << 20
  /// The longest accepted duration, so that no sum overflows: 12 days in microseconds.
  static let longest = 1 << 40

  /// The entries by the scenario's path, relative to the project's folder.
  var entries: [String: Entry] = [:]

  init() {}

  /// Reads the content of the file.
  ///
  /// Nil for another version.
  package init?(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    guard let header = lines.popFirst(), header.elementsEqual(Self.header.utf8) else { return nil }
    for line in lines {
      guard let json = try? JSONParser.parse(line), let path = json["path"]?.string,
        case .bool(let hasFailed)? = json["failed"]
      else { return nil }
      var entry = Entry(hasFailed: hasFailed)
      if let duration = json["microseconds"] {
        guard case .number(let text) = duration, let microseconds = Int(text),
          0...Self.longest ~= microseconds
        else { return nil }
        entry.microseconds = microseconds
      }
      entries[path] = entry
    }
  }

  /// Reads the state in a project's folder.
  ///
  /// Empty if the file does not exist.
  init(reading project: String) throws(FileError) {
    let path = Self.path(in: project)
    guard FileSystem.exists(path) else { return }
    guard let state = SuiteState(try FileSystem.contents(of: path, limit: Self.largest)) else {
      throw FileError(.unreadable, path: path, reason: "it is not the state of a suite; remove it")
    }
    self = state
  }

  static func path(in project: String) -> String { Path.joined(project, "\(folder)/last-failed") }

  /// The lines of the file, ordered by the bytes of the paths.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    let paths = entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for path in paths {
      guard let entry = entries[path] else { continue }
      writer.value(
        .object(
          [
            .init("path", .string(path)), .init("failed", .bool(entry.hasFailed)),
          ] + (entry.microseconds.map { [.init("microseconds", .number(String($0)))] } ?? [])))
      writer.endLine()
    }
    return Array((Self.header + "\n").utf8) + writer.bytes
  }

  /// Writes the file of the state, whole or not at all.
  func write(to project: String) throws(FileError) {
    try FileSystem.makeFolder(Path.joined(project, Self.folder))
    try FileSystem.replace(Self.path(in: project), with: bytes, followsLinks: false)
  }
}
