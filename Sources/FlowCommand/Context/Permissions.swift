internal import FlowCore
internal import FlowRedaction
internal import FlowScenario

/// What a run may reach: what `--deny` and `--allow-host` leave, and `deny` and `allow-host` of flow.yaml.
struct Permissions: Sendable {
  static let options = [
    Option(
      "deny", .required("KINDS"),
      "Refuses to run components that reach any of these: network, process, files, database.",
      completion: .list(Reach.allCases.map(\.rawValue))),
    Option(
      "allow-host", .required("HOST[:PORT],..."),
      "Lets components connect to these hosts alone, or to names below one with *.HOST; can be repeated."
    ),
  ]

  /// What denies each kind, in words.
  private var denied: [Reach: String] = [:]
  /// The hosts that may be connected to.
  private(set) var network = Network.unlimited
  /// What limits the network, in words; nil for nothing.
  private var limit: String?

  /// Nothing is forbidden.
  init() {}

  /// What the options of a command forbid.
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

  /// The same, with what a project forbids besides.
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

  /// Refuses a scenario whose components of these names reach something that is denied.
  ///
  /// - Throws: `ScenarioError`, after the secrets in the scenario were hidden: its lines are quoted.
  func check(
    _ plan: Plan, running names: Set<String>, hidingSecretsBy redactor: Redactor
  ) throws(ScenarioError) {
    let problems = plan.problems(denying: denied, to: names)
    if problems.isEmpty { return }
    plan.hideSecrets(inputs: [], by: redactor)
    throw ScenarioError(diagnostics: problems)
  }

  /// What the limits do not hold back though one might think so.
  func notes(on plan: Plan, running names: Set<String>) -> [String] {
    guard let owner = limit ?? denied[.network], denied[.process] == nil else { return [] }
    return plan.notes(onLimit: owner, of: names)
  }
}
