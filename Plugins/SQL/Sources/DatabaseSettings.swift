internal import FlowCore
internal import FlowPostgreSQL
internal import FlowSQL

/// The settings of a component.
struct DatabaseSettings: Sendable {
  var file: String?
  var url: String?
  var busyTimeout: Duration
  var connectTimeout: Duration
  var greatestRowCount: Int
  var greatestSize: Int

  static let record = Record(
    DatabaseSettings.init(file:url:busyTimeout:connectTimeout:greatestRowCount:greatestSize:),
    Field(
      "file", \.file, "The SQLite file, in the scenario's folder, or ':memory:'."),
    Field(
      "url", \.url,
      "The URL of a server, such as postgres://user@host/database or mysql://user@host/database.",
      secret: true),
    Field(
      "busy_timeout", \.busyTimeout, "The time limit for waiting for a lock, in SQLite.",
      default: .seconds(5)),
    Field(
      "connect_timeout", \.connectTimeout, "The time limit for a connection to a server.",
      default: .seconds(10)),
    Field(
      "max_rows", \.greatestRowCount, "The maximum number of rows in a result.", default: 10_000),
    Field(
      "max_bytes", \.greatestSize, "The maximum size of a result in bytes.", default: 16 << 20))

  /// Returns the database of these settings without connecting to it.
  ///
  /// - Throws: `ComponentError` for settings without a meaning, or the errors of the database's own
  ///   settings.
  func database(in context: Context) throws -> any Database {
    let limits = ResultLimits(rows: greatestRowCount, bytes: greatestSize)
    switch (file, url) {
    case (let file?, nil):
      return try SQLiteDatabase(
        file, in: context.directory, busyTimeout: busyTimeout, limits: limits)
    case (nil, let url?) where MariaDBAddress.isLike(url):
      return MariaDBDatabase(
        address: try MariaDBAddress(url, allowedBy: context.network),
        library: try MariaDBLibrary.system(), connectTimeout: connectTimeout, limits: limits)
    case (nil, let url?):
      return try PostgreSQLDatabase(
        PostgreSQLAddress(url, allowedBy: context.network, in: try PostgreSQLLibrary.system()),
        connectTimeout: connectTimeout, limits: limits)
    default: throw ComponentError(.settings, "give exactly one of 'file' and 'url'")
    }
  }

  /// - Throws: `ComponentError` for settings without a meaning.
  func check() throws(ComponentError) {
    if let problem { throw ComponentError(.settings, problem) }
  }

  private var problem: String? {
    if (file == nil) == (url == nil) { return "give exactly one of 'file' and 'url'" }
    if let url, !PostgreSQLAddress.isLike(url), !MariaDBAddress.isLike(url) {
      return PostgreSQLAddress.expectation
    }
    if greatestRowCount <= 0 { return "'max_rows' is \(greatestRowCount); it must be above 0" }
    if greatestSize <= 0 { return "'max_bytes' is \(greatestSize); it must be above 0" }
    if busyTimeout < .zero {
      return "'busy_timeout' is \(busyTimeout.flowText); it must be 0s or more"
    }
    if connectTimeout <= .zero {
      return "'connect_timeout' is \(connectTimeout.flowText); it must be above 0s"
    }
    return nil
  }
}
