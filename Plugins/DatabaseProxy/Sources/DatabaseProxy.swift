public import FlowCore

/// A port between a program and a database, which passes everything on and notes the statements.
public final class DatabaseProxy: Component {
  /// The name in `plugin:`.
  public static let pluginName = "database-proxy"

  /// The plugin `database-proxy`.
  public static let plugin = Plugin(
    pluginName, version: "1.0",
    "Passes a program's connections on to a database, and notes the statements.",
    state: .external, reaches: [.network, .database],
    settings: Parameter<String>(
      "url",
      "The URL of the server, such as postgres://user@host/database or mysql://user@host/db.",
      secret: true),
    operations: [
      Operation(
        "address", "Returns the address for the program.", answers: ProxyAddress.record,
        retry: .safe
      ) { proxy, _ in
        ProxyAddress(url: proxy.place.url(at: proxy.port.number), port: proxy.port.number)
      }
      .failing(ProxyAddress.record, []),
      Operation(
        "statements",
        "Returns the statements that have ended since the opening or the last 'reset'.",
        Parameter<String?>(
          "kind", "The first word of the statements, such as SELECT, or null for all.",
          examples: ["SELECT"]),
        Parameter<String?>("text", "A part of the text of the statements, or null for all."),
        answers: SeenStatements.record, errors: [.overfull, .unknown], retry: .safe
      ) { proxy, _, kind, text in
        try proxy.ledger.statements(kind: kind, containing: text)
      }
      .readOnly.failing(SeenStatements.record, []),
      Operation("reset", "Forgets the statements.", answers: .none, retry: .safe) { proxy, _ in
        proxy.ledger.reset()
      }
      .failing(Record.none, []),
    ]
  ) { context, url in
    let place = try ServerPlace(url, allowedBy: context.network)
    let ledger = StatementLedger()
    let port: ProxyPort
    do throws(SocketError) {
      port = try ProxyPort(to: place, ledger) { context.log($0) }
    } catch {
      throw ComponentError(.settings, "\(error)")
    }
    return DatabaseProxy(place, port, ledger)
  }

  private let place: ServerPlace
  private let port: ProxyPort
  private let ledger: StatementLedger

  private init(_ place: ServerPlace, _ port: ProxyPort, _ ledger: StatementLedger) {
    (self.place, self.port, self.ledger) = (place, port, ledger)
  }

  /// Ends all connections.
  public func close() async { await port.close() }
}

/// The answer of `address`.
struct ProxyAddress: Sendable {
  var url: String
  var host = "127.0.0.1"
  var port: Int

  static let record = Record(
    ProxyAddress.init(url:host:port:),
    Field("url", \.url, "The URL of the database by the proxy.", secret: true, volatile: true),
    Field("host", \.host, "The address of the proxy."),
    Field("port", \.port, "The port of the proxy.", volatile: true))
}
