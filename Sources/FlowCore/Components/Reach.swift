/// A kind of thing outside flow that a component reaches, and a run can forbid.
///
/// A plugin declares it in `reaches`, for everything that its settings and operations make
/// possible.
public enum Reach: String, CaseIterable, Sendable {
  /// Servers, on this machine or elsewhere. Which ones are allowed, `Context.network` says.
  case network
  /// Other programs, which may in turn reach anything.
  case process
  /// Files and folders, through `Context.directory` and `Context.document`.
  case files
  /// A database, in a file or of a server.
  case database

  /// The reach in words: `reaches the network`.
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
  /// The kinds in the order of their declaration above.
  package var inOrder: [Reach] { Reach.allCases.filter(contains) }
  /// The kinds in words: `reaches the network and uses files`.
  package var phrase: String { inOrder.map(\.phrase).joined(separator: " and ") }
  /// `network, files`, or an empty string for none.
  package var text: String { inOrder.map(\.rawValue).joined(separator: ", ") }
}
