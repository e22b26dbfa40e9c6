internal import FlowCore

/// The exchange of requests and answers between programs and the role `server`.
struct Exchange: Sendable {
  private static let role = Role(
    "server", "Answers the requests: an 'http' component whose 'base' is the server.")
  private static let errors = [
    "invalid", "file", "unreachable", "tls", "timeout", "protocol", "too_large", "forbidden",
  ].map { ErrorCode($0, "") }

  /// The call for a request.
  static let server = role.call(
    "exchange", input: PassedRequest.record, answers: ServerAnswer.record, errors: errors,
    fromOutside: true)
  /// The call for the next piece of a streamed answer.
  static let pieces = role.call(
    "piece", Parameter<String>("stream", "The name of the stream."),
    answers: ServerPiece.record, errors: errors)

  /// The result of a request.
  private enum Ending: Sendable {
    case answer(ServerAnswer)
    case failure(ComponentError)
    /// The program has given up.
    case left
  }

  let listener: Listener
  let headers: PassedHeaders
  let hold: Duration

  /// Serves the requests until the listener ends.
  func serve(_ context: Context) async {
    await withDiscardingTaskGroup { group in
      for await request in listener.requests {
        group.addTask { await serve(request, context) }
      }
    }
  }

  private func serve(_ request: IncomingRequest, _ context: Context) async {
    let passed = PassedRequest(request, headers)
    switch await ending(of: request, passed, context) {
    case .answer(let answer) where answer.stream != nil:
      await send(answer, to: request, passed.label, context)
    case .answer(let answer) where (200...599).contains(answer.status):
      listener.answer(request, answer.head, body: answer.body)
    case .failure(let error) where error.code.name == "timeout":
      await holdOn(to: request)
    // As when the server resets the connection, or cannot be reached.
    case .answer, .failure, .left: listener.end(request, by: .reset)
    }
  }

  /// The server's answer, unless the program gives up before.
  private func ending(
    of request: IncomingRequest, _ passed: PassedRequest, _ context: Context
  ) async -> Ending {
    await withTaskGroup(of: Ending.self) { group in
      // A separate task for each, so that it does not matter which of several comes first.
      group.addTask {
        do {
          return .answer(try await Self.server(passed, as: passed.label, in: context))
        } catch let error as ComponentError { return .failure(error) } catch { return .left }
      }
      group.addTask { [listener] in
        await listener.untilLeft(request.number)
        return .left
      }
      defer { group.cancelAll() }
      return await group.next() ?? .left
    }
  }

  /// Sends the pieces of a streamed answer as they arrive.
  private func send(
    _ answer: ServerAnswer, to request: IncomingRequest, _ label: String, _ context: Context
  ) async {
    listener.begin(request, answer.head)
    do {
      while true {
        let piece = try await Self.pieces(answer.stream ?? "", as: label, in: context)
        if piece.end { return listener.finish(request) }
        try await listener.write(request, piece: piece.content)
      }
    } catch {
      listener.end(request, by: .close)
    }
  }

  /// Leaves a request without an answer until the program gives up.
  private func holdOn(to request: IncomingRequest) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [listener] in await listener.untilLeft(request.number) }
      group.addTask { [hold] in try? await Task.sleep(for: hold) }
      await group.next()
      group.cancelAll()
    }
    listener.end(request, by: .reset)
  }
}
