internal import FlowCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The paths of the server, each with its answers.
final class Shop: Sendable {
  private let account: Account
  private let rows: [Row]
  private let images: Directory?
  private let events: Events
  private let faults = Faults()
  /// Nil when everybody may ask.
  private let session: Session?
  /// Ends delays early when the server stops.
  private let end: Wakeup

  /// Opens the files and folders of the options.
  init(_ options: Options) throws(StartError) {
    account = try Account.open(options.data, opening: options.opening)
    rows = try options.rows.map(Row.read) ?? []
    images = options.images.map { Directory($0) }
    if let images, (try? images.kind(of: ".")) != .folder {
      throw StartError(.noInput, "cannot read '\(images.path)': no such folder")
    }
    guard let end = Wakeup() else { throw StartError(.unavailable, "too many open files") }
    self.end = end
    events = Events(account)
    session = options.password.map { Session(password: $0, requests: options.tokenRequests) }
  }

  /// Ends streams and delays.
  func stop() {
    end.signal()
    events.close()
  }

  /// Returns the reaction to a request, with the requested fault, on many threads at once.
  func reply(to request: Request) -> Reply {
    guard request.path != Self.faultsPath, let fault = faults.take(request.path) else {
      return answered(request)
    }
    if let delay = fault.delay { end.wait(atMost: delay) }
    if fault.drop {
      if fault.after { _ = answered(request) }
      return .nothing
    }
    guard let status = fault.status else { return answered(request) }
    return .answer(Answer(.unavailable("a fault was asked for", status: status)))
  }

  private func answered(_ request: Request) -> Reply {
    do {
      guard !request.body.isTooLarge else {
        throw Refusal.illegal("the body has more than \(Body.limit) bytes", status: 413)
      }
      if let session, !Self.openPaths.contains(request.path) { try session.admit(request) }
      return try route(of: request).reply(self, request)
    } catch let refusal as Refusal {
      return .answer(Answer(refusal))
    } catch {
      return .answer(Answer(.unavailable("\(error)")))
    }
  }

  // MARK: - Paths

  private struct Route: Sendable {
    let method: String
    let path: String
    let reply: @Sendable (Shop, Request) throws -> Reply

    /// True for the same path, or for any path below one with a slash at its end.
    func matches(_ other: String) -> Bool {
      path.hasSuffix("/") ? other.hasPrefix(path) : other == path
    }
  }

  private static let faultsPath = "/faults"
  private static let openPaths = [faultsPath, "/login", "/refresh"]

  private static let routes = [
    Route(method: "GET", path: "/balance") { shop, _ in
      .answer(Answer(try shop.account.latest()))
    },
    Route(method: "POST", path: "/balance/add") { shop, request in
      try shop.change(request) { .addition($0) }
    },
    Route(method: "POST", path: "/balance/subtract") { shop, request in
      try shop.change(request) { .subtraction($0) }
    },
    Route(method: "GET", path: "/rows") { shop, request in try shop.page(request) },
    Route(method: "GET", path: "/images/") { shop, request in try shop.image(request) },
    Route(method: "GET", path: "/events") { shop, request in
      .events(try shop.events.open(after: try request.number(.lastEvent)))
    },
    Route(method: "POST", path: "/login") { shop, request in
      try shop.opened().logIn(request)
    },
    Route(method: "POST", path: "/refresh") { shop, request in
      try shop.opened().renew(request)
    },
    Route(method: "POST", path: faultsPath) { shop, request in
      try shop.faults.add(try request.decode(Fault.record))
      return shop.faultCount
    },
    Route(method: "DELETE", path: faultsPath) { shop, _ in
      shop.faults.clear()
      return shop.faultCount
    },
  ]

  private func route(of request: Request) throws(Refusal) -> Route {
    let routes = Self.routes.filter { $0.matches(request.path) }
    guard !routes.isEmpty else { throw .missing(request.path) }
    if let route = routes.first(where: { $0.method == request.method }) { return route }
    let methods = routes.map(\.method).joined(separator: ", ")
    var refusal = Refusal.illegal("'\(request.path)' takes \(methods) only", status: 405)
    refusal.allow = methods
    throw refusal
  }

  // MARK: - Answers

  private func opened() throws(Refusal) -> Session {
    guard let session else { throw .illegal("no password is set", status: 409) }
    return session
  }

  private static let amount = Record<String>("amount", "How much; zero or more.")

  private func change(_ request: Request, _ change: (Decimal) -> Change) throws -> Reply {
    let text = try request.decode(Self.amount)
    guard let amount = Decimal(text) else {
      throw Refusal.illegal("'amount' is not an exact decimal number")
    }
    let key = request.fields[.key]
    guard key.map({ 1...512 ~= $0.utf8.count }) ?? true else {
      throw Refusal.illegal("'Idempotency-Key' does not have 1 to 512 bytes")
    }
    let changed = try account.apply(change(amount), key: key)
    events.announce()
    return .answer(Answer(changed))
  }

  private func page(_ request: Request) throws -> Reply {
    let start = try request.number(.start) ?? 0
    let length = try request.number(.length) ?? 10
    guard length <= 1_000 else { throw Refusal.illegal("'length' is more than 1000") }
    let rest = rows.dropFirst(start)
    let items = Array(rest.prefix(length))
    return .answer(
      Answer([
        ("items", items.encoded), ("total", .int(rows.count)),
        ("end", .bool(items.count == rest.count)),
      ]))
  }

  private func image(_ request: Request) throws -> Reply {
    let name = String(request.path.dropFirst("/images/".count))
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let images, let type = Self.types[ending] else { throw Refusal.missing(request.path) }
    do {
      // The folder refuses paths that lead out of it.
      return .answer(Answer(try images.read(name), contentType: type))
    } catch  where error.kind == .unreadable {
      throw Refusal.unavailable(error.reason)
    } catch {
      throw Refusal.missing(request.path)
    }
  }

  private static let types = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "svg": "image/svg+xml",
  ]

  private var faultCount: Reply { .answer(Answer([("faults", .int(faults.count))])) }
}

/// One row of the shop's list.
struct Row: RecordRepresentable {
  var title: String
  var city: String
  var state: String
  var image: String

  static let record = Record(
    Row.init(title:city:state:image:),
    Field("title", \.title, "The name of the place."),
    Field("city", \.city, "The city that it is in or near."),
    Field("state", \.state, "The state that the city is in."),
    Field("image", \.image, "The name of its picture."))

  /// The rows of a JSON file, in file order.
  static func read(_ path: String) throws(StartError) -> [Row] {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try contents(of: path) } catch {
      throw StartError(.noInput, "\(FileError(error.kind, path: path, reason: error.reason))")
    }
    do { return try [Row](decoding: Value(json: bytes)) } catch {
      throw StartError(.badInput, "'\(path)': \(error)")
    }
  }

  private static func contents(of path: String) throws(FileError) -> [UInt8] {
    guard let real = unsafe realpath(path, nil) else { throw FileError(.missing, path: path) }
    defer { unsafe free(real) }
    return try Directory("/").read(String(unsafe String(cString: real).dropFirst()))
  }
}
