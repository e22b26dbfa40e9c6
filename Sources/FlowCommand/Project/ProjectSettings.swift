internal import FlowCore
internal import FlowScenario

/// What is in force in a project: what an option says, else the environment, else `flow.yaml`.
struct ProjectSettings: Sendable {
  let project: Project
  /// Where scenarios are looked for when the command line names no path; never empty.
  let scenarios: Setting<[String]>
  /// What is left out when folders are walked.
  let exclude: Setting<[String]>
  /// Which transcripts are written.
  let update: Setting<UpdateMode>
  /// How many scenarios run at once, 1 or more.
  let jobs: Setting<Int>
  /// For whom it is told how the scenarios went.
  let format: Setting<ReportFormat>
  /// Whether a scenario that passed has no line.
  let isQuiet: Setting<Bool>
  /// The regular expressions whose matches are hidden.
  let redact: Setting<[String]>

  /// The settings of a project; the arguments may have options that say something else.
  ///
  /// - Throws: `UsageError` when an option or a variable has no such value.
  init(
    _ project: Project, _ arguments: ParsedArguments, _ world: CommandWorld
  ) throws(UsageError) {
    self.project = project
    scenarios = Self.paths(project, project.file?.scenarios, default: ".")
    exclude = Self.paths(project, project.file?.exclude, default: nil)
    update = try Self.update(project, arguments, world)
    jobs = try Self.jobs(project, arguments, world)
    format = try Self.format(project, arguments)
    isQuiet = try Self.isQuiet(project, arguments)
    let origin = project.file?.redact?.first.map { SettingOrigin.file($0.span) } ?? .standard()
    redact = Setting(value: project.file?.redact?.map(\.value) ?? [], origin: origin)
  }

  private static func paths(
    _ project: Project, _ entries: [ProjectFile.Entry<String>]?, default: String?
  ) -> Setting<[String]> {
    guard let first = entries?.first else {
      return Setting(value: `default`.map { [project.path($0)] } ?? [], origin: .standard())
    }
    return Setting(
      value: entries?.map { project.path($0.value) } ?? [], origin: .file(first.span))
  }

  private static func update(
    _ project: Project, _ arguments: ParsedArguments, _ world: CommandWorld
  ) throws(UsageError) -> Setting<UpdateMode> {
    if let text = try arguments.only("update") {
      return Setting(value: try mode(text, "--update"), origin: .option("update"))
    }
    if let text = world.environment["FLOW_UPDATE"], !text.isEmpty {
      return Setting(value: try mode(text, "FLOW_UPDATE"), origin: .environment("FLOW_UPDATE"))
    }
    if let entry = project.file?.update {
      return Setting(value: entry.value, origin: .file(entry.span))
    }
    return world.isAutomated
      ? Setting(value: .never, origin: .standard("since CI is set"))
      : Setting(value: .missing, origin: .standard())
  }

  private static func mode(_ text: String, _ owner: String) throws(UsageError) -> UpdateMode {
    if let mode = UpdateMode(rawValue: text) { return mode }
    throw .malformedSetting(
      owner, value: text, expected: "never, missing, failed or all",
      near: Suggestion.nearest(to: text, among: UpdateMode.allCases.map(\.rawValue)))
  }

  private static func jobs(
    _ project: Project, _ arguments: ParsedArguments, _ world: CommandWorld
  ) throws(UsageError) -> Setting<Int> {
    if let text = try arguments.only("jobs") {
      guard let jobs = Int(text), ProjectFile.jobs.contains(jobs) else {
        let range = "a whole number from 1 to \(ProjectFile.jobs.upperBound)"
        throw .malformed(option: "jobs", value: text, expected: range)
      }
      return Setting(value: jobs, origin: .option("jobs"))
    }
    if let entry = project.file?.jobs {
      return Setting(value: entry.value, origin: .file(entry.span))
    }
    let jobs = min(max(1, world.coreCount), ProjectFile.jobs.upperBound)
    return Setting(value: jobs, origin: .standard("one for each core"))
  }

  private static func format(
    _ project: Project, _ arguments: ParsedArguments
  ) throws(UsageError) -> Setting<ReportFormat> {
    if let format = try ReportFormat.given(arguments) {
      return Setting(value: format, origin: .option("format"))
    }
    if let entry = project.file?.format {
      return Setting(value: entry.value, origin: .file(entry.span))
    }
    return Setting(value: .text, origin: .standard())
  }

  private static func isQuiet(
    _ project: Project, _ arguments: ParsedArguments
  ) throws(UsageError) -> Setting<Bool> {
    if arguments.has("quiet") {
      if arguments.has("no-quiet") { throw .conflict(option: "quiet", with: "no-quiet") }
      return Setting(value: true, origin: .option("quiet"))
    }
    if arguments.has("no-quiet") { return Setting(value: false, origin: .option("no-quiet")) }
    if let entry = project.file?.isQuiet {
      return Setting(value: entry.value, origin: .file(entry.span))
    }
    return Setting(value: false, origin: .standard())
  }
}

extension CommandWorld {
  /// Whether a machine runs us and nobody watches: `CI` is set and not empty.
  var isAutomated: Bool { !(environment["CI"] ?? "").isEmpty }
}
