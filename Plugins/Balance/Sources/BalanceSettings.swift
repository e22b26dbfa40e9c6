import FlowCore

/// The settings of a balance.
struct BalanceSettings {
  /// The place of a balance.
  enum Store {
    case process
    case file(BalanceFile)
    case server(BalanceServer)
    case database
  }

  var opening: Decimal
  var file: String?
  var follow: Bool
  var poll: Duration?

  /// Checks the rules of all stores.
  func check() throws(BalanceError) {
    _ = try openingBalance()
    if let poll, poll <= .zero {
      throw .settings("'poll' is \(poll.flowText); it must be above 0s")
    }
    if file != nil, follow { throw .settings("'follow' cannot be combined with 'file'") }
    if file != nil, poll != nil { throw .settings("'poll' cannot be combined with 'file'") }
  }

  /// The balance before the first change.
  ///
  /// - Throws: `.illegalOpening` for one below zero.
  func openingBalance() throws(BalanceError) -> Decimal { try BalanceChange.opening(opening) }

  /// The store: a component of `using`, a file, or this process.
  ///
  /// - Throws: `.settings` if the settings are not those of one store.
  func store(in context: Context) throws(BalanceError) -> Store {
    let hasServer = BalanceServer.role.isFilled(in: context)
    let hasDatabase = BalanceDatabase.role.isFilled(in: context)
    if hasServer && hasDatabase {
      throw .settings("the roles 'server' and 'database' cannot be combined")
    }
    if follow && !hasServer { throw .settings("'follow' needs a server") }
    if poll != nil, !hasServer, !hasDatabase {
      throw .settings("'poll' needs a server or a database")
    }
    if hasServer { return .server(try server()) }
    guard let file else { return hasDatabase ? .database : .process }
    if hasDatabase { throw .settings("'file' cannot be combined with the role 'database'") }
    return .file(
      BalanceFile(directory: context.directory, path: file, opening: try openingBalance()))
  }

  private func server() throws(BalanceError) -> BalanceServer {
    if file != nil { throw .settings("'file' cannot be combined with the role 'server'") }
    // Compared by its value, because a given default looks like an absent one.
    if opening != .zero { throw .settings("'opening' cannot be combined with the role 'server'") }
    return BalanceServer()
  }
}
