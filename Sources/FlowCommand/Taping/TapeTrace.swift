internal import FlowCore
internal import FlowEngine
internal import FlowReport
internal import FlowTranscript
private import Synchronization

/// The requests of a command to the servers of its tape.
final class TapeTrace: EventSink {
  /// A request that has its answer.
  struct Request: Sendable {
    /// The address in the run, which has the test.
    let address: Address
    /// The server, such as `https://pay.example`, or the name of a component of `mcp`.
    let origin: String
    let method: String
    /// The path, or the name of a tool.
    let path: String
    /// The status, or nil without an answer.
    let status: Int?
    /// The reason for no answer, or nil.
    let problem: String?
  }

  private let state = Mutex<[Request]>([])

  /// The requests so far, in the order of their answers.
  var requests: [Request] { state.withLock(\.self) }

  func receive(_ event: Event) {
    guard case .completed(let invocation, let outcome) = event, invocation.isFromOutside,
      let request = Request(invocation, outcome)
    else { return }
    state.withLock { $0.append(request) }
  }
}

extension TapeTrace.Request {
  fileprivate init?(_ invocation: Invocation, _ outcome: Outcome) {
    guard case .record(let input) = invocation.input, case .string(let method)? = input["method"],
      let (origin, path) = Self.place(of: input, invocation)
    else { return nil }
    var (status, problem): (Int?, String?)
    if case .answer(.record(let answer)) = outcome, case .int(let number)? = answer["status"] {
      status = Int(number)
    }
    if case .error(let error) = outcome { problem = "\(error.code.name): \(error.message)" }
    self.init(
      address: invocation.address, origin: origin, method: method, path: path, status: status,
      problem: problem)
  }

  /// The server with a path, or the component of `mcp` with the name of a tool.
  private static func place(
    of input: RecordValue, _ invocation: Invocation
  ) -> (origin: String, path: String)? {
    if case .string(let path)? = input["path"], case .string(let origin)? = input["origin"] {
      return (origin, path)
    }
    guard case .map(let params)? = input["params"] else { return nil }
    if case .string(let name)? = params["name"] { return (invocation.componentName, name) }
    return (invocation.componentName, "")
  }
}

extension [TapeTrace.Request] {
  /// `2 servers (api.shop.example, pay.example), 14 requests`.
  var summary: String {
    let hosts = map { $0.origin.split(separator: "/").last.map(String.init) ?? $0.origin }.unique
      .sorted()
    let shown = hosts.prefix(5).joined(separator: ", ") + (hosts.count > 5 ? ", …" : "")
    let servers = "\(hosts.count) \(hosts.count == 1 ? "server" : "servers")"
    return "\(servers)\(hosts.isEmpty ? "" : " (\(shown))"), \(countText)"
  }

  /// A sentence for each server that has not answered, with the reason.
  var problems: [String] {
    let all = compactMap { request in
      request.problem.map { "\(request.origin) has not answered: \($0)" }
    }
    return [String](all.unique.prefix(5))
  }

  /// `14 requests`.
  var countText: String { "\(count) \(count == 1 ? "request" : "requests")" }
}
