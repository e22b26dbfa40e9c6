internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario

/// The resources allowed to a run, limited by `--deny`, `--allow-host`, and `deny` and `allow-host`
/// of flow.yaml.
struct Permissions: Sendable {
  static let options = [
    Option(
      "deny", .required("KINDS"),
      "Refuses components that reach any of these: network, process, files, database.",
      completion: .list(Reach.allCases.map(\.rawValue))),
    Option(
      "allow-host", .required("HOST[:PORT],..."),
      "Limits connections to these hosts. *.HOST means all names below HOST. Can be repeated."
    ),
  ]

  /// The origin of the denial of each kind, in words.
  private var denied: [Reach: String] = [:]
  /// The hosts open to connections.
  private(set) var network = Network.unlimited
  /// The origin of the network's limit, in words, or nil for no limit.
  private var limit: String?

  /// Creates permissions without limits.
  init() {}

  /// Reads the limits in the options of a command.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    for word in Self.words("deny", arguments) {
      guard let reach = Reach(rawValue: word) else {
        let kinds = Reach.allCases.map(\.rawValue)
        throw .malformedSetting(
          "--deny", value: word, expected: kinds.alternatives,
          near: Suggestion.nearest(to: word, among: kinds))
      }
      denied[reach] = "--deny"
    }
    let hosts = Self.words("allow-host", arguments)
    if hosts.isEmpty { return }
    do throws(HostError) { network = try Network(allowing: hosts) } catch {
      throw .malformed(option: "allow-host", value: error.text, expected: HostError.expected)
    }
    limit = "--allow-host"
  }

  private static func words(_ option: String, _ arguments: ParsedArguments) -> [String] {
    arguments.values(option).flatMap {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Returns the permissions with the limits of a project added.
  func adding(_ project: ProjectFile?) -> Permissions {
    var copy = self
    for entry in project?.deny ?? [] where copy.denied[entry.value] == nil {
      copy.denied[entry.value] = "'deny' in \(entry.span.file)"
    }
    if let project, let hosts = project.allowedHosts {
      copy.network = network.limited(to: project.network)
      copy.limit = limit ?? hosts.first.map { "'allow-host' in \($0.span.file)" }
    }
    return copy
  }

  /// Refuses a scenario with a denied resource in one of the named components.
  ///
  /// - Throws: `ScenarioError`, after hiding the secrets in the scenario, whose lines are quoted.
  func check(
    _ plan: Plan, running names: Set<String>, hidingSecretsBy redactor: Redactor
  ) throws(ScenarioError) {
    let problems = plan.problems(denying: denied, to: names)
    if problems.isEmpty { return }
    plan.hideSecrets(inputs: [], by: redactor)
    throw ScenarioError(diagnostics: problems)
  }

  /// Returns the reason why components of a plugin may not be opened, or nil.
  func refusal(of plugin: RegisteredPlugin) -> String? {
    for reach in plugin.plugin.reaches.inOrder {
      guard let owner = denied[reach] else { continue }
      return "the plugin '\(plugin.plugin.name)' \(reach.phrase), which \(owner) forbids"
    }
    return nil
  }

  /// Returns notes on connections that the limits unexpectedly leave open.
  func notes(on plan: Plan, running names: Set<String>) -> [String] {
    guard let owner = limit ?? denied[.network], denied[.process] == nil else { return [] }
    return plan.notes(onLimit: owner, of: names)
  }
}
