public import FlowCore

/// A database accessed in SQL: SQLite in a file, or PostgreSQL, MySQL or MariaDB at a URL.
///
/// `DatabaseClient` does the work on a separate thread. This type connects it to scenarios.
public struct SQL: Component {
  /// The name in `plugin:`.
  public static let pluginName = "sql"

  /// The plugin `sql`.
  public static let plugin = Plugin(
    pluginName, version: "1.0",
    "Runs statements in a SQLite, PostgreSQL, MySQL or MariaDB database.",
    state: { $0.file == SQLiteDatabase.inMemory ? .memory : .external },
    reaches: [.network, .files, .database], settings: DatabaseSettings.record,
    operations: [
      Operation(
        "query", "Runs a read-only statement and returns its rows.", sql, parameters,
        answers: QueryAnswer.record, errors: ErrorCode.all, retry: .safe
      ) { database, context, sql, parameters in
        let statement = Statement(sql: sql, parameters: parameters)
        return try await database.ask(context) { client, stop throws(SQLError) in
          try await client.query(statement, stop)
        }
      },
      Operation(
        "execute", "Runs a statement that may change the database.", sql, parameters,
        answers: ExecuteAnswer.record, errors: ErrorCode.all
      ) { database, context, sql, parameters in
        let statement = Statement(sql: sql, parameters: parameters)
        return try await database.ask(context) { client, stop throws(SQLError) in
          try await client.execute(statement, stop)
        }
      },
      Operation(
        "transaction", "Runs several statements in one transaction.",
        Parameter<[Statement]>("statements", "The statements, in order."),
        answers: Record<[Int]>("changes", "The number of rows changed by each statement."),
        errors: ErrorCode.all
      ) { database, context, statements in
        try await database.ask(context) { client, stop throws(SQLError) in
          try await client.transaction(statements, stop)
        }
      },
      Operation(
        "migrate", "Runs the statements of a file in one transaction.",
        Parameter<String>(
          "path", "The SQL file, in the scenario's folder.", examples: ["schema.sql"]),
        answers: Record<Int>("statements", "The number of statements in the file."),
        errors: ErrorCode.all + [.file]
      ) { database, context, path in
        let script = try Script(reading: path, in: context.directory)
        return try await database.ask(context) { client, stop throws(SQLError) in
          try await client.migrate(script, stop)
        }
      },
      Operation(
        "snapshot", "Keeps a copy of the database under a name.", snapshotName, answers: .none,
        errors: ErrorCode.all, retry: .safe
      ) { database, context, name in
        try await database.ask(context) { client, stop throws(SQLError) in
          try await client.snapshot(name, stop)
        }
      },
      Operation(
        "restore", "Makes the database what it was at a snapshot.", snapshotName, answers: .none,
        errors: ErrorCode.all + [.missing], retry: .safe
      ) { database, context, name in
        try await database.ask(context) { client, stop throws(SQLError) in
          try await client.restore(name, stop)
        }
      },
      Operation(
        "clear", "Makes the database empty.", answers: .none, errors: ErrorCode.all, retry: .safe
      ) { database, context in
        try await database.ask(context) { client, stop throws(SQLError) in
          try await client.restore(nil, stop)
        }
      },
    ]
  ) { context, settings in
    SQL(client: DatabaseClient(try settings.database(in: context)))
  }
  .checking(DatabaseSettings.record) { try $0.check() }
  .reaching(DatabaseSettings.record) { settings in
    // `migrate` reads a file whatever the database is.
    settings.file == nil ? [.network, .files, .database] : [.files, .database]
  }

  static let sql = Parameter<String>(
    "sql", "A single statement. Pass values in 'parameters'.", code: true, examples: ["select 1"])
  static let parameters = Parameter<[Value]>(
    "parameters", "The values of the placeholders, in order: ? or, in PostgreSQL, $1.",
    default: [])

  static let snapshotName = Parameter<String>(
    "name", "The name of the snapshot, of up to 30 letters, digits and underscores.",
    default: "start")

  private let client: DatabaseClient

  /// Closes the connection.
  public func close() async {
    await client.close()
  }

  /// Lets the client work outside of the run's time, and interrupts it on cancellation.
  private func ask<Answer: Sendable>(
    _ context: Context,
    _ work: @Sendable (DatabaseClient, Stop) async throws(SQLError) -> Answer
  ) async throws -> Answer {
    try await context.outside {
      let stop = Stop()
      defer { for notice in stop.notices { context.log(notice) } }
      return try await withTaskCancellationHandler {
        do throws(SQLError) { return try await work(client, stop) } catch {
          if case .cancelled = error { throw CancellationError() }
          throw error
        }
      } onCancel: {
        stop.request()
      }
    }
  }
}
