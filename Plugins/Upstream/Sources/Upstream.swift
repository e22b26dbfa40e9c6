public import FlowCore

/// A port between a program under test and an HTTP server that it calls.
///
/// The program is given the address of this component, or its proxy. Each of its requests is answered
/// by a stub, or becomes a call of a role, such as `server`, whose answer goes back to the program.
public final class Upstream: Component {
  /// `upstream`.
  public static let pluginName = "upstream"

  /// The declaration.
  public static let plugin = Plugin(
    pluginName, version: "1.0",
    "Answers the requests of a program under test as a server would, live or from a recording.",
    state: .memory, reaches: [.network],
    settings: UpstreamSettings.record,
    uses: ServerRole.declared.flatMap(\.calls) + SocketRole.uses + GRPCRole.uses
      + CallbackRoute.uses,
    operations: [
      Operation(
        "address", "Returns the address for the program.",
        Parameter<[String: String]?>(
          "add", "Further 'variables', which come before those of the same name."),
        answers: UpstreamAddress.record, retry: .safe
      ) { upstream, context, others in
        if upstream.hasRole { upstream.unasked.handOut("address", context) }
        return UpstreamAddress(
          port: upstream.listener.port, of: ServerRole.first.role.traits(in: context),
          adding: others)
      },
      Operation(
        "refuse", "Closes the port. Connections are refused until 'accept'.", answers: .none,
        retry: .safe
      ) { upstream, _ in
        upstream.settle()
        upstream.listener.refuse()
      },
      Operation(
        "accept", "Opens the port again.", answers: .none, errors: [.port], retry: .safe
      ) { upstream, _ in try upstream.accept() }
      .failing(Record.none, []),
      Operation(
        "stub", "Adds an answer for requests. Of those that fit, the latest one answers.",
        input: Stub.record, answers: .none, errors: [.invalid]
      ) { upstream, _, stub in
        try stub.check()
        upstream.desk.add(stub)
      }
      .checking(Stub.check).failing(Record.none, []),
      Operation(
        "received", "Returns the requests that came so far.", input: RequestPattern.record,
        answers: ReceivedRequests.record, errors: [.overfull], retry: .safe
      ) { upstream, _, pattern in
        upstream.settle()
        return try upstream.desk.requests(fitting: pattern)
      }
      .readOnly.failing(ReceivedRequests.record, []),
      Operation(
        "reset", "Removes the stubs, and forgets the requests.", answers: .none, retry: .safe
      ) { upstream, _ in upstream.desk.reset() },
      Operation(
        "environment",
        "Returns the variables by which a program sends its requests to the hosts here.",
        Parameter<[String: String]>(
          "add", "Further variables, which come before those of the same name.", default: [:]),
        answers: ProxyEnvironment.record, errors: [.noProxy], retry: .safe
      ) { upstream, context, others in
        if upstream.hasRole { upstream.unasked.handOut("variables", context) }
        upstream.distrust.handOut(context)
        return try upstream.environment(adding: others)
      }
      .failing(ProxyEnvironment.record, []),
      Operation(
        "callbacks",
        "Returns the address by which the server calls the program, and passes these calls on.",
        Parameter<String?>(
          "to",
          "The address of the program: http://HOST:PORT. From now on calls go there, and the server is told the other address in its place."
        ),
        answers: UpstreamAddress.record, errors: [.noCallbacks], retry: .safe
      ) { upstream, context, program in try await upstream.callbacks.open(to: program, context) }
      // What a scenario does with an upstream is no part of what it tests.
      .failing(UpstreamAddress.record, []),
    ]
  ) { context, settings in try await Upstream(settings, in: context) }
  .checking(UpstreamSettings.record) { _ = try Hosts($0.hosts) }

  private let ports: KeptPorts
  private var listener: Listener { ports.listener }
  private var proxy: Proxy? { ports.proxy }
  /// The place for the ports after the run, or nil if they are closed.
  private let keeper: PartKeeper?
  private let direct: [String]
  private let desk = StubDesk()
  private let unasked = Unasked()
  private let distrust = Distrust()
  private let callbacks = CallbackRoute()
  /// True if a component answers.
  private let hasRole: Bool

  private init(_ settings: UpstreamSettings, in context: Context) async throws {
    let hosts = try Hosts(settings.hosts)
    var news = ListenerNews()
    news.refused = { context.log(Messages.refused($0)) }
    news.shook = { [unasked, distrust] handshake in
      let host = RequestHost(handshake.host, isTLS: true)
      guard hosts.role(of: host) != nil else { return }
      // The program has come. Only its trust is open.
      unasked.settle()
      distrust.note(host.origin, isAccepted: handshake.isAccepted)
    }
    keeper = context.keeper
    let kept = keeper?.take() as? KeptPorts
    do { ports = try await kept?.renewed(settings, news) ?? KeptPorts(settings, news) } catch {
      throw ComponentError(.settings, "\(error)")
    }
    let (listener, proxy) = (ports.listener, ports.proxy)
    direct = settings.direct
    hasRole =
      ([ServerRole.first] + hosts.all).contains { $0.role.isFilled(in: context) }
      || [SocketRole.role, GRPCRole.role].contains { $0.isFilled(in: context) }
    for (name, listener) in [("serve", listener), ("proxy", proxy?.listener)] {
      guard let listener else { continue }
      let exchange = Exchange(
        listener: listener, headers: PassedHeaders(dropping: settings.drop), hold: settings.hold,
        hosts: hosts, desk: desk, unasked: unasked, distrust: distrust, addresses: OwnAddress(),
        dates: ShiftedDates(settings.shift ?? []), callbacks: callbacks,
        tests: listener.isProxy ? TestScopes() : nil)
      context.spawn(name) { context in await exchange.serve(context) }
    }
    if CallbackRoute.isFilled(in: context) {
      context.spawn("callbacks") { [callbacks] context in try await callbacks.follow(context) }
    }
  }

  /// Notes that a step asks for the requests or closes the port.
  private func settle() {
    unasked.settle()
    distrust.settle()
  }

  private func environment(adding others: [String: String]) throws -> ProxyEnvironment {
    guard let proxy else { throw ComponentError(.noProxy, Messages.noProxy) }
    return proxy.environment(direct: direct, adding: others)
  }

  private func accept() throws {
    do { try listener.accept() } catch { throw ComponentError(.port, "\(error)") }
  }

  /// Ends all connections, closes the ports, and removes the certificates.
  ///
  /// A keeper gets the ports with their connections.
  public func close() async {
    guard let keeper else { return await ports.end() }
    ports.rest()
    keeper.leave(ports)
  }
}

extension ErrorCode {
  static let port = ErrorCode("port", "Another program has taken the port.")
  static let noProxy = ErrorCode("no_proxy", "The setting 'hosts' is empty.")
}

/// The settings of an upstream.
struct UpstreamSettings: Sendable, Hashable {
  let port: Int
  let drop: [String]
  let hold: Duration
  let hosts: [String: String]
  let direct: [String]
  /// Nil for none, so that recordings of others are without it.
  let shift: [String]?
  /// Nil for false, so that recordings of others are without it.
  let anyone: Bool?

  static let record = Record(
    UpstreamSettings.init(port:drop:hold:hosts:direct:shift:anyone:),
    Field("port", \.port, "The port on 127.0.0.1. Any free one for 0.", default: 0),
    Field(
      "drop", \.drop,
      "Headers of requests that are neither passed on nor compared, such as ids of a trace.",
      default: []),
    Field(
      "hold", \.hold, "The longest wait for the program to give up a request that had a timeout.",
      default: .seconds(60)),
    Field(
      "hosts", \.hosts,
      "The hosts that the proxy of 'environment' stands for, each with the role that answers; '*' for all others.",
      default: [:]),
    Field(
      "direct", \.direct, "The hosts that programs reach without the proxy ('NO_PROXY').",
      default: []),
    Field(
      "shift", \.shift,
      "Members of JSON and headers of answers whose dates move by the time since the recording.",
      examples: [["expires_at", "expires"]]),
    Field(
      "anyone", \.anyone,
      "Accepts the programs of all users at the port, with the credentials of the role."))

  private init(
    port: Int, drop: [String], hold: Duration, hosts: [String: String], direct: [String],
    shift: [String]?, anyone: Bool?
  ) {
    (self.port, self.drop, self.hold) = (port, drop, hold)
    (self.hosts, self.direct, self.shift, self.anyone) = (hosts, direct, shift, anyone)
  }
}

/// The address of an upstream.
struct UpstreamAddress: Sendable {
  let url: String
  let port: Int
  /// Nil without any, so that recordings of others are without them.
  let variables: [String: String]?

  static let record = Record(
    UpstreamAddress.init(url:port:variables:),
    Field("url", \.url, "The URL without a path: http://127.0.0.1:PORT.", volatile: true),
    Field("port", \.port, "The port.", volatile: true),
    Field(
      "variables", \.variables,
      "The variables by which programs find the API of the preset in the role 'server', and those in 'add'. Null without any.",
      volatile: true))

  private init(url: String, port: Int, variables: [String: String]?) {
    (self.url, self.port, self.variables) = (url, port, variables)
  }

  init(
    port: Int, of traits: ComponentTraits = ComponentTraits(),
    adding others: [String: String]? = nil
  ) {
    let url = "http://127.0.0.1:\(port)"
    let own = traits.environment.mapValues { $0.replacing("{url}", with: url) }
    let variables = own.merging(others ?? [:]) { $1 }
    self.init(url: url, port: port, variables: variables.isEmpty ? nil : variables)
  }
}
