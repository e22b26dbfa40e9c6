internal import FlowCore
internal import FlowPlan
internal import FlowReport
internal import FlowScenario
internal import FlowSystem

/// The project of a command: a folder, and its `flow.yaml` if present.
struct Project: Sendable {
  /// The folder, as shown in messages.
  ///
  /// Paths in `flow.yaml` and the path of the state file start here.
  let folder: String
  /// The content of `flow.yaml`, or nil for a project without one.
  let file: ProjectFile?

  /// Creates the project of the first `flow.yaml` in the folder of a path or in one around it.
  ///
  /// Without one the project is the working directory.
  init(around path: String, _ registry: Registry) throws(ScenarioError) {
    guard let path = try ProjectFile.path(around: path) else {
      folder = "."
      file = nil
      return
    }
    folder = Path.shown(Path.folder(of: path))
    file = try ProjectFile(
      reading: Path.shown(path), formats: ProjectSettings.outputs.map(\.name), registry: registry)
    let paths =
      (file?.scenarios ?? []) + (file?.live.compactMap(\.scenario) ?? [])
      + (file?.state.map { [$0.make, $0.restore] } ?? [])
    let missing = paths.first { !FileSystem.exists(self.path($0.value)) }
    if let missing { throw ProjectFile.missing(missing) }
  }

  /// Creates the project of a folder without a project file.
  init(folder: String) { (self.folder, file) = (folder, nil) }

  /// The paths of scenarios that are no tests, since they make the state of others.
  var statePaths: [String] {
    (file?.state.map { [$0.make, $0.restore] } ?? []).map { path($0.value) }
  }

  /// Returns the first of some paths in another project, or nil.
  func pathOfAnotherProject(in paths: [String]) -> String? {
    let own = file == nil ? nil : FileSystem.realPath(folder)
    return paths.first { path in
      // A path without a project file has no settings that could differ. A missing path is reported
      // later.
      guard FileSystem.exists(path), let other = ProjectFolder.path(around: path) else {
        return false
      }
      return other != own
    }
  }

  /// Returns a path in the project file as seen from the working directory.
  func path(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: "/") ? text : Path.plain(Path.joined(folder, text))
  }
}

/// The settings in force in a project: from an option, else from the environment, else from
/// `flow.yaml`.
struct ProjectSettings: Sendable {
  /// The formats of a suite, for `--format` and `report.format`.
  static let outputs: [ReportFormat<SuiteReport>] = [.progress, .json]

  let project: Project
  let scenarios: Setting<[String]>
  let exclude: Setting<[String]>
  let update: Setting<UpdateMode>
  /// The number of scenarios run at once, 1 or more.
  let jobs: Setting<Int>
  let format: Setting<String>
  let isQuiet: Setting<Bool>
  /// The required shares of covered parts of services' descriptions, in percent.
  let thresholds: Setting<[ContractPart.Kind: Decimal]>
  /// The share of alterations that all scenarios must notice, in percent, or nil for any.
  let leastMutationScore: Setting<Int?>
  let redact: Setting<[String]>
  let deny: Setting<[String]>
  let allowedHosts: Setting<[String]>
  /// The rules for live components in tests, which options override.
  var live: [ProjectFile.LiveRule] { project.file?.live ?? [] }

  var output: ReportFormat<SuiteReport> {
    Self.outputs.first { $0.name == format.value } ?? Self.outputs[0]
  }

  /// Creates the settings of a project, overridden by options in the arguments.
  init(_ project: Project, _ arguments: ParsedArguments, _ process: ProcessEnvironment)
    throws(UsageError)
  {
    let file = project.file
    self.project = project
    scenarios = Setting(file?.scenarios, default: ".", project.path)
    exclude = Setting(file?.exclude, project.path)
    leastMutationScore =
      file?.leastMutationScore.map {
        Setting(value: $0.value, origin: .file($0.span))
      } ?? Setting(value: nil, origin: .standard())
    redact = Setting(file?.redact) { $0 }
    deny = Setting(file?.deny, \.rawValue)
    allowedHosts = Setting(file?.allowedHosts) { $0 }
    update = try SettingRule.update.setting(file?.update, arguments, process)
    jobs = try SettingRule.jobs.setting(file?.jobs, arguments, process)
    format = try SettingRule.format.setting(file?.format, arguments, process)
    isQuiet =
      try Self.quietFlag(arguments).map { Setting(value: $0, origin: .option($1)) }
      ?? Setting(file?.isQuiet, default: false)
    thresholds =
      try Self.thresholds(arguments).map {
        Setting(value: $0, origin: .option(Self.thresholdOption.name))
      } ?? Setting(file?.thresholds, default: [:])
  }

  private static func quietFlag(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> (Bool, String)? {
    let isQuiet = arguments.has("quiet")
    guard arguments.has("no-quiet") else { return isQuiet ? (true, "quiet") : nil }
    if isQuiet { throw .conflict(option: "quiet", with: "no-quiet") }
    return (false, "no-quiet")
  }
}

/// A value in force, and its origin.
struct Setting<Value: Sendable>: Sendable {
  let value: Value
  let origin: SettingOrigin
}

/// The origin of a value in force.
///
/// Earlier cases take precedence.
enum SettingOrigin: Sendable, Equatable {
  /// An option of the command line, such as `--jobs`.
  case option(String)
  case environment(String)
  /// A place in the project file.
  case file(SourceSpan)
  /// The default, and its reason if it depends on something.
  case standard(String? = nil)

  /// The origin in messages: `flow.yaml:4`, or the name of the option or variable.
  var text: String {
    switch self {
    case .option(let name): "--\(name)"
    case .environment(let name): name
    case .file(let span): "\(span.file):\(span.start.line)"
    case .standard(let reason): "default" + (reason.map { ", \($0)" } ?? "")
    }
  }
}

extension Setting {
  fileprivate init(_ entry: ProjectFile.Entry<Value>?, default standard: Value) {
    self =
      entry.map { Setting(value: $0.value, origin: .file($0.span)) }
      ?? Setting(value: standard, origin: .standard())
  }
}

extension Setting<[String]> {
  /// Converts the entries of a list.
  ///
  /// Without a list the value is the default, or empty.
  fileprivate init<Item>(
    _ entries: [ProjectFile.Entry<Item>]?, default standard: Item? = nil,
    _ convert: (Item) -> String
  ) {
    let items = entries?.map(\.value) ?? []
    value = (items.isEmpty ? standard.map { [$0] } ?? [] : items).map(convert)
    origin = entries?.first.map { .file($0.span) } ?? .standard()
  }
}

/// A setting shared by options, variables and `flow.yaml`.
private struct SettingRule<Value: Sendable> {
  let option: String
  var variable: String?
  let expected: String
  /// The valid words, as suggestions for a misspelled one.
  var words: [String] = []
  let parse: (String) -> Value?
  let standard: (ProcessEnvironment) -> Setting<Value>

  /// Returns the value in force.
  func setting(
    _ entry: ProjectFile.Entry<Value>?, _ arguments: ParsedArguments, _ process: ProcessEnvironment
  ) throws(UsageError) -> Setting<Value> {
    if let text = try arguments.only(option) {
      return Setting(value: try value(text, "--\(option)"), origin: .option(option))
    }
    if let variable, let text = process.environment[variable], !text.isEmpty {
      return Setting(value: try value(text, variable), origin: .environment(variable))
    }
    let standard = standard(process)
    return entry.map { Setting($0, default: standard.value) } ?? standard
  }

  private func value(_ text: String, _ owner: String) throws(UsageError) -> Value {
    if let value = parse(text) { return value }
    let near = Suggestion.nearest(to: text, among: words)
    throw .malformedSetting(owner, value: text, expected: expected, near: near)
  }
}

extension SettingRule<UpdateMode> {
  fileprivate static var update: SettingRule {
    let words = UpdateMode.allCases.map(\.rawValue)
    return SettingRule(
      option: "update", variable: "FLOW_UPDATE", expected: words.alternatives, words: words,
      parse: UpdateMode.init
    ) { process in
      process.isCI
        ? Setting(value: .never, origin: .standard("since CI is set"))
        : Setting(value: .missing, origin: .standard())
    }
  }
}

extension SettingRule<Int> {
  fileprivate static var jobs: SettingRule {
    let range = ProjectFile.jobs
    return SettingRule(
      option: "jobs", expected: "a whole number from 1 to \(range.upperBound)",
      parse: { Int($0).flatMap { range.contains($0) ? $0 : nil } }
    ) { process in
      let jobs = min(max(1, process.coreCount), range.upperBound)
      return Setting(value: jobs, origin: .standard("one for each core"))
    }
  }
}

extension SettingRule<String> {
  fileprivate static var format: SettingRule {
    let names = ProjectSettings.outputs.map(\.name)
    return SettingRule(
      option: "format", expected: names.alternatives,
      parse: { names.contains($0) ? $0 : nil }
    ) { _ in Setting(value: names[0], origin: .standard()) }
  }
}
