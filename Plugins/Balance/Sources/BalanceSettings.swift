import FlowCore

/// How a scenario wants a balance to be kept.
struct BalanceSettings {
  /// Where a balance is kept.
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

  /// The balance before the first change.
  ///
  /// - Throws: `.illegalOpening` for one below zero.
  func openingBalance() throws(BalanceError) -> Decimal { try BalanceChange.opening(opening) }

  /// Where it is kept: what `using` hands over, a file, or this process.
  ///
  /// - Throws: `.settings` when the settings are not those of one store.
  func store(in context: Context) throws(BalanceError) -> Store {
    let hasServer = BalanceServer.role.isFilled(in: context)
    let hasDatabase = BalanceDatabase.role.isFilled(in: context)
    if hasServer && hasDatabase {
      throw .settings("either a server or a database keeps the balance")
    }
    if follow && !hasServer { throw .settings("'follow' needs a server") }
    if let poll {
      guard hasServer || hasDatabase else { throw .settings("'poll' needs a server or a database") }
      guard poll > .zero else { throw .settings("'poll' is more than no time") }
    }
    if hasServer { return .server(try server()) }
    guard let file else { return hasDatabase ? .database : .process }
    if hasDatabase { throw .settings("a database keeps the balance, not a file") }
    return .file(
      BalanceFile(directory: context.directory, path: file, opening: try openingBalance()))
  }

  private func server() throws(BalanceError) -> BalanceServer {
    if file != nil { throw .settings("a server keeps the balance, not a file") }
    // Compared by what it is: the default cannot be told from one that was given.
    if opening != .zero { throw .settings("a server keeps the balance, not 'opening'") }
    return BalanceServer()
  }
}
