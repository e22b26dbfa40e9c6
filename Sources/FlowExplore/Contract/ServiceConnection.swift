internal import FlowCore
internal import FlowEngine
internal import FlowOpenAPI
internal import FlowPlan
private import Synchronization

/// The answer of a service to a drawn call.
struct ServiceAnswer: Sendable {
  /// The status, or nil if there was no answer.
  let status: Int?
  let response: OpenAPIResponseValue
  /// The code of the error in place of an answer, such as `protocol`.
  let error: String?

  var isSuccess: Bool { status.map { $0 / 100 == 2 } ?? false }
  var isRefusal: Bool { status.map { $0 / 100 == 4 } ?? false }

  /// The JSON of the body, or nil.
  var json: Value? { if case .json(let value) = response.body { value } else { nil } }

  /// True for a body without its media type.
  var lacksType: Bool {
    response.hasBody && response.contentType == nil && header("content-type") == nil
  }

  /// The value of a header, or nil.
  func header(_ name: String) -> String? {
    response.headers.first { $0.name.lowercased() == name }?.value
  }

  init(_ outcome: Outcome, to method: String) {
    if case .answer(.record(let record)) = outcome, case .int(let status)? = record["status"] {
      self.init(OpenAPIResponseValue(status: status, of: record, to: method))
    } else if case .error(let error) = outcome {
      self.init(lost: error.code.name)
    } else {
      self.init(lost: nil)
    }
  }

  private init(lost error: String?) {
    (status, self.error, response) = (nil, error, OpenAPIResponseValue(status: 0))
  }

  init(_ response: OpenAPIResponseValue) {
    (status, error, self.response) = (response.status, nil, response)
  }
}

/// An open component of a plan, whose operation is called with inputs of the search.
struct OpenService: Sendable {
  fileprivate let caller: any Caller
  fileprivate let invocation: Invocation

  /// Sends a request, or returns nil if the search is cancelled.
  func send(_ input: Value, method: String) async -> ServiceAnswer? {
    var call = invocation
    guard let record = try? input.converted(to: .record(invocation.inputType)) else { return nil }
    call.input = record
    guard let outcome = try? await caller.call(call) else { return nil }
    return ServiceAnswer(outcome, to: method)
  }
}

/// Opens the components of a plan as a run does, and lets a search call the operation of its last
/// step, as often as it wants.
struct ServiceConnection: Sendable {
  let plan: Plan
  let inputs: [Value]
  let options: ExplorationOptions

  /// Returns the result of a search, or the problems of opening the components.
  func open<Found: Sendable>(
    _ search: @escaping @Sendable (OpenService) async -> Found
  ) async -> (found: Found?, problems: [Diagnostic]) {
    var session = Session.Options()
    session.secret = options.secret
    session.redactor = options.redactor()
    session.seed = options.seed
    let run = Session(of: plan, options: session)
    let result = Mutex<Found?>(nil)
    let path = plan.steps.last?.path
    let host = HostingCaller(run.live(), step: path) { service in
      let found = await search(service)
      result.withLock { $0 = found }
    }
    let report = await run.run(inputs: inputs, through: host)
    let found = result.withLock { $0 }
    return (found, found == nil ? report.diagnostics : [])
  }
}

/// Calls components, and hands over to a search instead of calling a step's operation.
private final class HostingCaller: Caller {
  private let components: any Caller
  private let step: String?
  private let search: @Sendable (OpenService) async -> Void

  init(
    _ components: any Caller, step: String?,
    search: @escaping @Sendable (OpenService) async -> Void
  ) {
    (self.components, self.step, self.search) = (components, step, search)
  }

  func call(_ invocation: Invocation) async throws -> Outcome {
    guard case .operation = invocation.target, invocation.address.path == step else {
      return try await components.call(invocation)
    }
    await search(OpenService(caller: components, invocation: invocation))
    // The step has no other result than the search, so its own is never looked at.
    return .error(ComponentError(.unexpected, "the search is over"))
  }

  func close(_ scope: Address) async { await components.close(scope) }

  func finish() async throws { try await components.finish() }
}
