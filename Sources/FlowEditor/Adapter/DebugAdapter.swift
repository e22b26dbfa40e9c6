internal import FlowCore
internal import FlowPlan
package import FlowRedaction
package import FlowSystem

/// Serves a client of the Debug Adapter Protocol, version 1.71, such as an editor.
///
/// One thread stands for the run, whose branches stop one after another.
package final class DebugAdapter {
  /// Returns the target of a launch, whose components' lines go to `log`.
  package typealias Launch =
    @Sendable (_ launch: LaunchArguments, _ log: @escaping @Sendable (String) -> Void) throws ->
    DebugTarget

  /// The number of the only thread.
  static let thread = 1

  /// Something to react to.
  private enum Input: Sendable {
    case part(MessageStream.Part)
    case news(DebugNews)
    case log(String)
    case end
  }

  let output: AdapterOutput
  let redactor: Redactor
  let makeTarget: Launch
  private let inputs: AsyncStream<Input>
  private let input: AsyncStream<Input>.Continuation
  /// The session, or nil before a launch.
  var session: DebugSession?
  /// The arguments of the launch.
  var launched = LaunchArguments()
  /// The breakpoints that wait for the launch, in order.
  var asked: [AskedBreakpoint] = []
  /// The number of breakpoints that the client has asked for.
  var breakpointCount = 0
  /// True to stop at failed steps.
  var stopsAtFailures = true
  /// The paths as the client writes them.
  var paths = ClientPaths()
  /// The numbers of the first line and of the first column for the client.
  var (firstLine, firstColumn) = (1, 1)
  /// The values shown to the client since the latest stop.
  var handles = VariableHandles()
  /// The reason of the latest stop.
  var reason = StopReason.entry
  /// The stops of other branches while the run is stopped, in order.
  private var waiting: [DebugNews] = []
  /// True after the client has disconnected.
  var isOver = false
  /// True if the client has asked for the end of the live run, which has not ended yet.
  var isTerminating = false
  /// True after the end of the run was told.
  var hasTerminated = false
  /// True if the configuration is done, possibly before the launch.
  var isConfigured = false

  /// Creates an adapter that sends its messages by `send`.
  package init(
    _ redactor: Redactor, launch: @escaping Launch, send: @escaping @Sendable (JSON) -> Void
  ) {
    (self.redactor, makeTarget) = (redactor, launch)
    output = AdapterOutput(redactor, send)
    (inputs, input) = AsyncStream.makeStream()
  }

  /// Serves messages until the client disconnects or its stream ends.
  package func serve(_ parts: AsyncStream<MessageStream.Part>) async {
    let input = input
    let reading = Task {
      for await part in parts { input.yield(.part(part)) }
      input.yield(.end)
    }
    defer { reading.cancel() }
    for await next in inputs {
      switch next {
      case .part(.message(let message)): await receive(message)
      case .part(let part): output.show(part.problem, "stderr")
      case .news(let news): waiting.append(news)
      case .log(let line): output.show(line, "stdout")
      case .end: isOver = true
      }
      if isOver { break }
      while session?.place == .running, !waiting.isEmpty { take(waiting.removeFirst()) }
    }
    await session?.close()
  }

  /// Forwards the news of a session.
  func listen(to session: DebugSession) {
    let input = input
    let stream = session.liveNews
    Task {
      for await news in stream { input.yield(.news(news)) }
    }
  }

  /// The receiver of the lines of components.
  var log: @Sendable (String) -> Void {
    let input = input
    return { input.yield(.log($0)) }
  }

  private func receive(_ message: JSON) async {
    guard let request = AdapterRequest(message) else {
      return output.show("a message that is no request was ignored", "stderr")
    }
    do throws(AdapterError) { try await perform(request) } catch {
      output.refuse(request, error.message)
    }
  }

  private func perform(_ request: AdapterRequest) async throws(AdapterError) {
    switch request.command {
    case "initialize": try initialize(request)
    case "launch", "attach": try await launch(request)
    case "configurationDone": try await configure(request)
    case "disconnect", "terminate": end(request)
    case "setBreakpoints": try setBreakpoints(request)
    case "setFunctionBreakpoints": setFunctionBreakpoints(request)
    case "setExceptionBreakpoints": setExceptionBreakpoints(request)
    case "breakpointLocations": try findBreakpointLocations(request)
    case "threads": showThreads(request)
    case "stackTrace": try showStack(request)
    case "scopes": try showScopes(request)
    case "variables": try showVariables(request)
    case "evaluate": try await evaluate(request)
    case "exceptionInfo": try showException(request)
    case "next": try await move(.next, request)
    case "stepIn": try await move(.step, request)
    case "stepOut": try await move(.out, request)
    case "stepBack": try await move(.back, request)
    case "continue": try await move(.run, request)
    case "reverseContinue": try await move(.reverse, request)
    case "pause": try pause(request)
    case "restartFrame": try again(request)
    case "continueLive": try goOnLive(request)
    default: throw AdapterError("the request '\(request.command.onOneLine)' is not supported")
    }
  }

  /// Returns the session.
  ///
  /// - Throws: `AdapterError` before a launch.
  func launchedSession() throws(AdapterError) -> DebugSession {
    guard let session else { throw AdapterError("nothing was launched") }
    return session
  }

  /// Returns the session at a stop.
  ///
  /// - Throws: `AdapterError` before a launch and while a live run goes on.
  func stoppedSession() throws(AdapterError) -> DebugSession {
    let session = try launchedSession()
    if session.place == .running { throw AdapterError("the run is not stopped") }
    return session
  }

  /// A line as the client counts it.
  func shown(line: Int) -> JSON { .int(line - 1 + firstLine) }

  /// A column as the client counts it.
  func shown(column: Int) -> JSON { .int(column - 1 + firstColumn) }

  /// Returns a line of the client, from 1, or nil without one.
  func line(_ name: String, of json: JSON) throws(AdapterError) -> Int? {
    try json.wantedNumber(name).map { $0 + 1 - firstLine }
  }
}

extension MessageStream.Part {
  /// The problem with bytes that are no message.
  fileprivate var problem: String {
    switch self {
    case .message: ""
    case .notJSON(let error): "a message that is not JSON was ignored: \(error)"
    case .tooLong(let count): "a message of \(count) bytes was ignored, which is too long"
    case .brokenHeader(let reason): "a broken header was ignored: \(reason)"
    }
  }
}
