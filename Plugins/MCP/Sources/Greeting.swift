import FlowCore

/// The start of a conversation, in which both sides find a revision.
struct Greeting: Sendable {
  let revision: Revision
  let identity: Value
  let capabilities: ValueMap
  let instructions: String?

  private static let prefix = "io.modelcontextprotocol/"
  /// The key of the revision in `_meta`.
  static let versionKey = prefix + "protocolVersion"
  /// The key of the server's name and version in `_meta`.
  static let identityKey = prefix + "serverInfo"
  private static let client = Value.map(
    ValueMap([("name", .string("flow")), ("version", .string("1"))]))
  /// The time for an old server to refuse an unknown request, some of which say nothing.
  private static let patience = Duration.seconds(5)

  /// The fields that make each request of a stateless revision complete.
  static func meta(_ revision: Revision) -> ValueMap {
    ValueMap([
      (versionKey, .string(revision.rawValue)),
      (prefix + "clientInfo", client),
      (prefix + "clientCapabilities", .map(clientCapabilities)),
      (prefix + "logLevel", .string("info")),
    ])
  }

  private static let clientCapabilities = ValueMap([
    ("elicitation", .map(ValueMap([("form", .map(ValueMap()))])))
  ])

  /// Greets a server: in the given revision, or in the newest one that it knows.
  ///
  /// `offers` are the abilities of the client behind a stand-in, for revisions with a handshake.
  init(
    _ link: any ServerLink, _ known: Revision?, offering offers: [ClientAbility],
    within limit: Duration
  ) async throws {
    var wasSilent = false
    if known?.isStateless ?? true {
      let patience = known == nil ? min(limit / 2, Self.patience) : limit
      do {
        self = try await Self.discover(link, within: patience)
        return
      } catch let failure as ServerFailure {
        if try Self.isOffered(by: failure) {
          self = try await Self.discover(link, within: patience)
          return
        }
      } catch MCPError.status(let status, _) where Self.isUnknown(status) {
        // An old server behind a URL.
      } catch MCPError.timeout where known == nil {
        // Some old servers do not answer requests before their handshake.
        wasSilent = true
      }
    }
    let wanted = known.flatMap { $0.isStateless ? nil : $0 } ?? .newestWithHandshake
    do {
      self = try await Self.shakeHands(link, wanted, offers, within: limit)
    } catch let refusal where wasSilent && !(refusal is CancellationError) {
      // A new server that was only slow refuses the handshake of the old ones.
      guard let late = try? await Self.discover(link, within: limit) else { throw refusal }
      self = late
    }
  }

  private init(_ revision: Revision, _ identity: Value?, _ result: Value) {
    self.revision = revision
    self.identity = identity ?? .map(ValueMap())
    capabilities = result["capabilities"]?.map ?? ValueMap()
    instructions = result["instructions"]?.string
  }

  private static func discover(
    _ link: any ServerLink, within limit: Duration
  ) async throws -> Greeting {
    let revision = Revision.july2026
    let result = try await link.request("server/discover", within: limit) { _ in
      ValueMap([("_meta", .map(meta(revision)))])
    }
    let versions = result["supportedVersions"]?.list?.compactMap(\.string) ?? []
    guard versions.contains(revision.rawValue) else { throw unknown(versions) }
    return Greeting(revision, result["_meta"]?[identityKey], result)
  }

  /// True for a status of a server that does not know the request.
  private static func isUnknown(_ status: Int) -> Bool { [400, 404, 405].contains(status) }

  /// Returns true if a server that refused a revision offers just that.
  ///
  /// Throws for a server of a newer revision; any other failure is that of an old server.
  private static func isOffered(by failure: ServerFailure) throws -> Bool {
    guard failure.code == ServerFailure.unsupportedVersion,
      let versions = failure.data["supported"]?.list?.compactMap(\.string)
    else { return false }
    if versions.contains(Revision.july2026.rawValue) { return true }
    let old = Revision.allCases.filter { !$0.isStateless }.map(\.rawValue)
    if !versions.contains(where: old.contains) { throw unknown(versions) }
    return false
  }

  private static func unknown(_ versions: [String]) -> MCPError {
    let theirs = versions.prefix(10).map { ServerText.line($0, limit: 40) }
    return .unavailable(
      "the server speaks \(theirs.isEmpty ? "no revision" : theirs.joined(separator: ", ")), "
        + "and flow speaks \(Revision.list)")
  }

  private static func shakeHands(
    _ link: any ServerLink, _ wanted: Revision, _ offers: [ClientAbility],
    within limit: Duration
  ) async throws -> Greeting {
    let abilities = ValueMap(offers.map { ($0.rawValue, .map(ValueMap())) })
    let result: Value
    do {
      result = try await link.request("initialize", within: limit) { _ in
        ValueMap([
          ("protocolVersion", .string(wanted.rawValue)), ("capabilities", .map(abilities)),
          ("clientInfo", client),
        ])
      }
    } catch let failure as ServerFailure {
      throw MCPError.unavailable("the server refused 'initialize': \(failure)")
    } catch MCPError.status(let status, _) where isUnknown(status) {
      throw MCPError.unavailable(
        "the server answered 'initialize' with the status \(status): there is no Streamable HTTP at "
          + "this URL, and flow does not speak the older HTTP+SSE of 2024-11-05")
    }
    let version = result["protocolVersion"]?.string ?? ""
    guard let revision = Revision(rawValue: version), !revision.isStateless else {
      throw unknown(version.isEmpty ? [] : [version])
    }
    try await link.notify("notifications/initialized")
    return Greeting(revision, result["serverInfo"], result)
  }
}
