internal import FlowCore
internal import FlowScenario
internal import FlowSystem

extension Command {
  static let config = Command(
    syntax: CommandSyntax(
      name: "config", summary: "Prints the settings of a project and their origin.",
      operands: .upToOne("PATH"), options: [],
      details: """
        The project is that of the first flow.yaml in the folder of PATH or above it. PATH is the
        working directory by default. Options of a command take precedence over the environment
        variable FLOW_UPDATE, then flow.yaml, then the defaults.
        """)
  ) { (flow, arguments) throws(UsageError) in
    let path = arguments.operands.first ?? "."
    guard FileSystem.exists(path) else {
      flow.process.say("\(FileError(.missing, path: path))")
      return .badInput
    }
    guard let project = flow.project(around: path) else { return .badInput }
    let settings = try ProjectSettings(project, arguments, flow.process)
    flow.process.output(settings.text)
    return .passed
  }
}

extension ProjectSettings {
  fileprivate var text: String {
    HelpText.columns(
      [
        ("project file", project.file?.file ?? "none"),
        Self.row("scenarios", scenarios) { $0.joined(separator: ", ") },
        Self.row("exclude", exclude) { Self.list($0) },
        Self.row("update", update, \.rawValue),
        Self.row("jobs", jobs, String.init),
        ("at-once", atOnceText),
        Self.row("report.format", format, \.self),
        Self.row("report.quiet", isQuiet, String.init),
        Self.row("report.contract", thresholds, Self.text),
        Self.row("mutate.at_least", leastMutationScore) { $0.map { "\($0) %" } ?? "no threshold" },
        Self.row("redact", redact) { Self.list($0) },
        Self.row("deny", deny) { Self.list($0) },
        Self.row("allow-host", allowedHosts) { Self.list($0, or: "every host") },
      ] + live.map(Self.row) + (project.file?.state.map { [Self.row($0)] } ?? []))
  }

  private var atOnceText: String {
    let named = (project.file?.atOnce ?? [:]).sorted { $0.key < $1.key }.map {
      "\($0.key) \($0.value.value)  (\(SettingOrigin.file($0.value.span).text))"
    }
    let others =
      places.leavesWaiting ? ["\(Places.Limits.usualAtOnce) of each server  (default)"] : []
    return (named + others).isEmpty ? "no limit" : (named + others).joined(separator: ", ")
  }

  private static func text(_ thresholds: [ContractPart.Kind: Decimal]) -> String {
    list(
      ContractPart.Kind.allCases.compactMap { kind in
        thresholds[kind].map { "\(kind.rawValue) \($0) %" }
      }, or: "no thresholds")
  }

  private static func list(_ items: [String], or none: String = "nothing") -> String {
    items.isEmpty ? none : items.joined(separator: ", ")
  }

  private static func row(_ rule: ProjectFile.LiveRule) -> (String, String) {
    let names = rule.components.map(\.value).joined(separator: ", ")
    let places = [
      rule.scenario.map { "in \($0.value)" }, rule.tag.map { "with the tag \($0.value)" },
    ]
    let origin = (rule.components.first?.span).map { SettingOrigin.file($0).text } ?? ""
    return ("live", "\(names) \(places.compactMap(\.self).joined(separator: " "))  (\(origin))")
  }

  private static func row(_ state: ProjectFile.State) -> (String, String) {
    let tag = state.tag.map { " with the tag \($0.value)" } ?? ""
    let origin = SettingOrigin.file(state.make.span).text
    return ("state", "\(state.make.value), \(state.restore.value)\(tag)  (\(origin))")
  }

  private static func row<Value>(
    _ name: String, _ setting: Setting<Value>, _ text: (Value) -> String
  ) -> (String, String) {
    (name, "\(text(setting.value))  (\(setting.origin.text))")
  }
}
