internal import FlowCore
private import Synchronization

/// The way of a server's calls back into the program.
///
/// The program tells its server an address of its own. The server is told that of a component
/// `callbacks` in its place, whose reports are passed on to the program: they are in the recording, so a
/// replay makes the same calls again, after the same requests.
final class CallbackRoute: Sendable {
  /// The address of the program and the one for the server.
  private struct Target {
    let program: String
    let server: String
  }

  private static let port = Role(
    "callbacks", "Receives the calls of the server: a component 'callbacks'.", optional: true)
  private static let program = Role(
    "program", "Makes these calls to the program: an 'http' component without 'base'.",
    optional: true)
  private static let address = port.call("address", answers: UpstreamAddress.record)
  private static let received = port.event("received", Callback.record)
  private static let answer = port.call("answer", input: CallbackAnswer.record, answers: .none)
  private static let exchange = program.call(
    "exchange", input: PassedRequest.record, answers: ServerAnswer.record,
    errors: ServerRole.errors)

  /// What it asks of other components.
  static let uses: [any DeclaredRoleUse] = [address, received, answer, exchange]

  /// The least time from a request or its answer to the call that it leads to.
  private static let pause = Duration.milliseconds(25)

  private let target = Mutex<Target?>(nil)

  /// Returns the address for the server, and from now on gives it in place of the program's, if that
  /// is known.
  ///
  /// - Throws: `ComponentError` if a role is not filled.
  func open(to program: String?, _ context: Context) async throws -> UpstreamAddress {
    for role in [Self.port, Self.program] where !role.isFilled(in: context) {
      throw ComponentError(.noCallbacks, Messages.noCallbacks(role.name))
    }
    if let program, !program.hasPrefix("http://"), !program.hasPrefix("https://") {
      throw ComponentError(.noCallbacks, Messages.noAddress(program))
    }
    let address = try await Self.address(in: context)
    guard let program else { return address }
    let origin = program.hasSuffix("/") ? String(program.dropLast()) : program
    target.withLock { $0 = Target(program: origin, server: address.url) }
    return address
  }

  /// Returns a request for the server, with the address of the port in place of the program's.
  func passed(_ request: PassedRequest) -> PassedRequest {
    guard let target = target.withLock({ $0 }) else { return request }
    return request.replacing(target.program, with: target.server)
  }

  /// Returns true if something receives the calls of a server.
  static func isFilled(in context: Context) -> Bool { port.isFilled(in: context) }

  /// Passes on the calls of the server, until the component is closed.
  func follow(_ context: Context) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for try await callback in Self.received.reports(in: context) {
        // One that differs in a replay ends the run, and no other call before its answer.
        group.addTask { try? await self.pass(callback, context) }
      }
    }
  }

  private func pass(_ callback: Callback, _ context: Context) async throws {
    // A recorded call comes at once, and the program has the answer before it still to read.
    try await context.outside { try await Task.sleep(for: Self.pause) }
    let path = callback.request.path.drop { $0 == "/" }
    let label = context.label("\(callback.request.method) \(path)")
    let answer = await answer(to: callback.request, as: label, context)
    try await Self.answer(
      CallbackAnswer(number: callback.number, answer: answer), as: label, in: context)
  }

  /// The answer of the program, or one that says why there is none.
  private func answer(
    to request: PassedRequest, as label: String, _ context: Context
  ) async -> ServerAnswer {
    guard let target = target.withLock({ $0 }) else {
      context.fail(ComponentError(.noCallbacks, Messages.noTarget(request)))
      return .text(503, Messages.noTarget(request))
    }
    do {
      return try await Self.exchange(request.sent(to: target.program), as: label, in: context)
    } catch {
      let reason = (error as? ComponentError)?.message ?? "\(error)"
      let text = Messages.notTaken(request, target.program, reason)
      if isOfProgram(error) { context.fail(ComponentError(.callback, text)) }
      return .text(502, text)
    }
  }
}

/// Returns false for the end of the run, and for a call that a recording does not have: that is told
/// once, as a difference.
private func isOfProgram(_ error: any Error) -> Bool {
  if let error = error as? ComponentError { return error.code != .unexpected }
  return !(error is CancellationError)
}

extension ServerAnswer {
  /// An answer of flow's own.
  fileprivate static func text(_ status: Int, _ text: String) -> ServerAnswer {
    ServerAnswer(
      status: status, headers: ["content-type": "text/plain; charset=utf-8"], json: nil,
      text: "flow: \(text)\n", bytes: nil, stream: nil)
  }
}

extension ErrorCode {
  static let noCallbacks = ErrorCode("no_callbacks", "The calls of the server have no way back.")
  static let callback = ErrorCode("callback", "The program did not take a call of its server.")
}
