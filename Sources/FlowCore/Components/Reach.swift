/// What a component reaches outside of flow, which a run can forbid.
///
/// A plugin declares it in `reaches`, for the most that its settings and operations make possible.
public enum Reach: String, CaseIterable, Sendable {
  /// Servers, on this machine or elsewhere. Which ones are allowed, `Context.network` says.
  case network
  /// Other programs, which may in turn reach anything.
  case process
  /// Files and folders: what `Context.directory` and `Context.document` are for.
  case files
  /// A database, in a file or of a server.
  case database

  /// What a plugin does that reaches it: `reaches the network`.
  package var phrase: String {
    switch self {
    case .network: "reaches the network"
    case .process: "starts programs"
    case .files: "uses files"
    case .database: "uses a database"
    }
  }
}

extension Set<Reach> {
  /// The kinds in the order in which they are declared above.
  package var inOrder: [Reach] { Reach.allCases.filter(contains) }
  /// What a plugin does that reaches them: `reaches the network and uses files`.
  package var phrase: String { inOrder.map(\.phrase).joined(separator: " and ") }
  /// `network, files`; empty for nothing.
  package var text: String { inOrder.map(\.rawValue).joined(separator: ", ") }
}

extension RegisteredPlugin {
  /// The world of a component with these settings, as far as its plugin declares that it reaches it.
  package func granted(
    _ options: ContextServices.Options, settings: Value
  ) -> ContextServices.Options {
    var options = options
    // Settings that cannot be read open nothing.
    let reaches = (try? reaches(settings)) ?? []
    options.network = reaches.contains(.network) ? network : .none
    if !reaches.contains(.files) { options.directory = options.directory.closed }
    return options
  }
}
