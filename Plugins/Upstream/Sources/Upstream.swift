public import FlowCore

/// A port between a program under test and an HTTP server that it calls.
///
/// The program is given the address of this component. Each of its requests becomes a call of the
/// role `server`, and the answer of that goes back to the program.
public final class Upstream: Component {
  /// `upstream`.
  public static let pluginName = "upstream"

  /// The declaration.
  public static let plugin = Plugin(
    pluginName, version: "1.0",
    "Answers the requests of a program under test as a server would, live or from a recording.",
    state: .memory, reaches: [.network],
    settings: Parameter<Int>(
      "port", "The port on 127.0.0.1. Any free one for 0.", default: 0),
    Parameter<[String]>(
      "drop",
      "Headers of requests that are neither passed on nor compared, such as ids of a trace.",
      default: []),
    Parameter<Duration>(
      "hold", "The longest wait for the program to give up a request that had a timeout.",
      default: .seconds(60)),
    uses: [Exchange.server, Exchange.pieces],
    operations: [
      Operation(
        "address", "Returns the address for the program.", answers: UpstreamAddress.record,
        retry: .safe
      ) { upstream, _ in UpstreamAddress(port: upstream.listener.port) },
      Operation(
        "refuse", "Closes the port. Connections are refused until 'accept'.", answers: .none,
        retry: .safe
      ) { upstream, _ in upstream.listener.refuse() },
      Operation(
        "accept", "Opens the port again.", answers: .none, errors: [.port], retry: .safe
      ) { upstream, _ in try upstream.accept() },
    ]
  ) { context, port, drop, hold in
    let upstream = try Upstream(port: port, in: context)
    let exchange = Exchange(
      listener: upstream.listener, headers: PassedHeaders(dropping: drop), hold: hold)
    context.spawn("serve") { context in await exchange.serve(context) }
    return upstream
  }

  private let listener: Listener

  private init(port: Int, in context: Context) throws {
    do {
      listener = try Listener(port: port, refused: { context.log("a request was refused: \($0)") })
    } catch {
      throw ComponentError(.settings, "\(error)")
    }
  }

  private func accept() throws {
    do { try listener.accept() } catch { throw ComponentError(.port, "\(error)") }
  }

  /// Ends all connections, and closes the port.
  public func close() async { await listener.close() }
}

extension ErrorCode {
  static let port = ErrorCode("port", "Another program has taken the port.")
}

/// The address of an upstream.
struct UpstreamAddress: Sendable {
  let url: String
  let port: Int

  static let record = Record(
    UpstreamAddress.init(url:port:),
    Field("url", \.url, "The URL without a path: http://127.0.0.1:PORT.", volatile: true),
    Field("port", \.port, "The port.", volatile: true))

  private init(url: String, port: Int) { (self.url, self.port) = (url, port) }

  init(port: Int) { self.init(url: "http://127.0.0.1:\(port)", port: port) }
}
