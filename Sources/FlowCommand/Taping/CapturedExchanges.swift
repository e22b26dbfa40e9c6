internal import FlowCore
internal import FlowEngine
internal import FlowSystem
private import Synchronization

/// The requests of people and programs to a service, with its answers, in the order of the requests.
///
/// A caller and no sink of events, in which credentials are hidden.
final class CapturedExchanges: Caller {
  private struct Exchange {
    let input: RecordValue
    var answer: RecordValue?
  }

  private struct State {
    var exchanges: [Exchange] = []
    /// The number of requests that are not kept.
    var excess = 0
    /// The number of requests of the service to others.
    var others = 0
  }

  /// The requests as a scenario is made of them.
  struct Session {
    /// The requests with their answers, as HAR 1.2.
    let text: String
    /// The number of these requests.
    let count: Int
    /// The number of requests that only loaded parts of pages.
    let parts: Int
    /// The number of requests that were not kept.
    let excess: Int
  }

  /// The most kept requests.
  private static let most = 2_000

  /// The component that stands before the service.
  private let front: String
  private let live: any Caller
  private let state = Mutex(State())

  /// Collects the requests to a component of this name, which a caller answers.
  init(before front: String, _ live: any Caller) { (self.front, self.live) = (front, live) }

  /// The number of requests that the service has made itself.
  var otherCount: Int { state.withLock(\.others) }

  func call(_ invocation: Invocation) async throws -> Outcome {
    guard invocation.isFromOutside, case .record(let input) = invocation.input else {
      return try await live.call(invocation)
    }
    let place: Int? = state.withLock { state in
      guard invocation.address.path == "components/\(front)" else {
        state.others += 1
        return nil
      }
      guard state.exchanges.count < Self.most else {
        state.excess += 1
        return nil
      }
      state.exchanges.append(Exchange(input: input))
      return state.exchanges.count - 1
    }
    let outcome = try await live.call(invocation)
    if let place, case .answer(.record(let answer)) = outcome {
      state.withLock { $0.exchanges[place].answer = answer }
    }
    return outcome
  }

  func close(_ scope: Address) async { await live.close(scope) }

  func finish() async throws { try await live.finish() }

  // MARK: - HAR

  /// The kinds of answers that a page loads by itself, which are no steps.
  private static let parts = ["image/", "font/", "text/css", "javascript", "application/wasm"]

  /// The requests that have an answer, as sent to the server, whom people knew by another address.
  func session(of server: String, at address: String) -> Session {
    let (exchanges, excess) = state.withLock { ($0.exchanges, $0.excess) }
    let all = exchanges.filter { $0.answer != nil }
    let own = all.filter { !Self.isPart($0) }
    let entries = own.enumerated().map { Self.entry($1, number: $0, server) }
    let log = JSON.object([.init("entries", .array(entries))])
    let text = JSON.object([.init("log", log)]).text.replacing(address, with: server)
    return Session(text: text, count: own.count, parts: all.count - own.count, excess: excess)
  }

  private static func isPart(_ exchange: Exchange) -> Bool {
    if text(exchange.input["path"]) == "/favicon.ico" { return true }
    guard case .map(let headers)? = exchange.answer?["headers"],
      case .string(let type)? = headers["content-type"]
    else { return false }
    return parts.contains { type.contains($0) }
  }

  private static func entry(_ exchange: Exchange, number: Int, _ server: String) -> JSON {
    // In the order of the list, which a reader sorts by this.
    let digits = String(number)
    let start = "2000-01-01T00:00:00." + String(repeating: "0", count: 9 - digits.count) + digits
    return .object([
      .init("startedDateTime", .string(start + "Z")), .init("time", .number("0")),
      .init("request", request(exchange.input, server)),
      .init("response", response(exchange.answer)),
    ])
  }

  private static func request(_ input: RecordValue, _ server: String) -> JSON {
    var members: [JSON.Member] = [
      .init("method", .string(text(input["method"]))),
      .init("url", .string(server + text(input["path"]) + query(input["query"]))),
      .init("headers", pairs(input["headers"], besides: isOfBrowser)),
    ]
    var type = ""
    if case .map(let headers)? = input["headers"] { type = text(headers["content-type"]) }
    if let content = content(json: input["json"], form: input["form"], input) {
      members.append(.init("postData", .object([.init("mimeType", .string(type))] + content)))
    }
    return .object(members)
  }

  private static func response(_ answer: RecordValue?) -> JSON {
    guard let answer, case .int(let status)? = answer["status"] else { return .null }
    return .object([
      .init("status", .number(String(status))), .init("headers", pairs(answer["headers"])),
      .init("content", .object(content(json: answer["json"], form: nil, answer) ?? [])),
    ])
  }

  /// A body in the form of HAR, or nil without one.
  private static func content(
    json: Value?, form: Value?, _ record: RecordValue
  ) -> [JSON.Member]? {
    if let json, json != .null { return [.init("text", .string(json.json))] }
    if let form, form != .null { return [.init("text", .string(fields(form)))] }
    if case .string(let text)? = record["text"] { return [.init("text", .string(text))] }
    guard case .bytes(let bytes)? = record["bytes"] else { return nil }
    return [.init("text", .string(bytes.base64)), .init("encoding", .string("base64"))]
  }

  private static func text(_ value: Value?) -> String {
    if case .string(let text)? = value { text } else { "" }
  }

  private static func query(_ value: Value?) -> String {
    let text = value.map(fields) ?? ""
    return text.isEmpty ? "" : "?" + text
  }

  /// Fields as a form writes them.
  private static func fields(_ value: Value) -> String {
    entries(value).map { name, value in
      let name = PercentEncoding.component.encode(name.utf8)
      return value.map { name + "=" + PercentEncoding.component.encode($0.utf8) } ?? name
    }.joined(separator: "&")
  }

  private static func pairs(
    _ value: Value?, besides isLeftOut: (String, String) -> Bool = { _, _ in false }
  ) -> JSON {
    .array(
      (value.map(entries) ?? []).filter { !isLeftOut($0.name, $0.value ?? "") }.map { name, value in
        .object([.init("name", .string(name)), .init("value", .string(value ?? ""))])
      })
  }

  /// True for a header that a browser sends by itself, which says nothing of the request.
  private static func isOfBrowser(_ name: String, _ value: String) -> Bool {
    switch name {
    case "referer": true
    case "accept": value == "*/*" || value.hasPrefix("text/html,") || value.hasPrefix("image/")
    default: false
    }
  }

  /// The names with their values, of which a list has several.
  private static func entries(_ value: Value) -> [(name: String, value: String?)] {
    guard case .map(let map) = value else { return [] }
    return map.entries.flatMap { entry -> [(String, String?)] in
      guard case .string(let name) = entry.key else { return [] }
      switch entry.value {
      case .string(let text): return [(name, text)]
      case .list(let elements): return elements.map { (name, text($0)) }
      default: return [(name, nil)]
      }
    }
  }
}
