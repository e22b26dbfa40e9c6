public import FlowCore

/// Requests to web servers.
///
/// `HTTPClient` has the rules and libcurl makes the exchanges. This type connects them to
/// scenarios.
public struct HTTP: Component {
  /// The name in `plugin:`.
  public static let pluginName = "http"

  /// Loads libcurl.
  public static func load() { _ = try? CurlLibrary.system() }

  /// The plugin `http`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Sends requests to web servers.", state: .external,
    reaches: [.network, .files],
    settings: HTTPSettings.record,
    events: [EventListener.received],
    operations: [
      Operation(
        "request", "Sends a request with any method.", input: RequestInput.any,
        answers: HTTPAnswer.record, errors: ErrorCode.all, retry: { $0.safety }
      ) { http, context, input in try await http.answer(input, context) }
      .answering,
      plain("get", "Sends a GET request.", "GET"),
      plain("head", "Sends a HEAD request.", "HEAD"),
      sending("post", "Sends a POST request.", "POST"),
      sending("put", "Sends a PUT request.", "PUT"),
      sending("patch", "Sends a PATCH request.", "PATCH"),
      sending("delete", "Sends a DELETE request.", "DELETE"),
      Operation(
        "call", "Calls an operation of the description in 'contract' by its name.",
        input: CallInput.record, answers: HTTPAnswer.record, errors: ErrorCode.all,
        retry: { $0.request.safety }
      ) { http, context, input in
        try await http.answer(try input.request(by: context.contract), context)
      }
      .answering,
      Operation(
        "graphql", "Sends a query or a mutation of GraphQL.", input: GraphQLInput.record,
        answers: GraphQLAnswer.record, errors: ErrorCode.all, retry: { $0.safety }
      ) { http, context, input in
        GraphQLAnswer(try await http.answer(input.sent, context))
      }
      .pausing(GraphQLAnswer.record, \.retryAfter)
      .failing(GraphQLAnswer.record, GraphQLAnswer.faults)
      .demanding(GraphQLAnswer.record) { $0.refusal(expecting: $1) }
      .checking(GraphQLInput.check)
      .readOnly(GraphQLInput.record) { $0.isQuery },
      Operation(
        "listen",
        "Opens a stream of server-sent events, and reports them until the end of the run.",
        input: RequestInput.listening, answers: ListenAnswer.record, errors: ErrorCode.all,
        retry: { HTTPRequest.isSafe($0.method) ? .safe : .never }
      ) { http, context, input in try await http.listen(input, context) }
      .checking(RequestInput.check),
      Operation(
        "cookies", "Returns the cookies of the component, after changing them.",
        input: CookieInput.record, answers: CookieAnswer.record, errors: [.invalid, .unreachable],
        retry: .safe
      ) { http, context, input in try await http.cookies(input) },
      setHeaders,
      Operation(
        "exchange", "Passes on the request of another program as it is.",
        input: ExchangeInput.record, answers: ExchangeAnswer.record, errors: ErrorCode.all,
        retry: { $0.safety }
      ) { http, context, input in try await http.exchange(input, context) }
      .failing(ExchangeAnswer.record, ExchangeAnswer.faults)
      .checking(ExchangeInput.check)
      .readOnly(ExchangeInput.record) { HTTPRequest.isSafe($0.method) }
      .passingOn,
      Operation(
        "piece", "Waits for the next piece of a streamed answer of 'exchange'.",
        Parameter<String>("stream", "The 'stream' of the answer."),
        Parameter<Bool>("stop", "Ends the stream without waiting for a piece.", default: false),
        answers: Piece.record, errors: ErrorCode.all
      ) { http, context, name, stops in
        try await http.streams.piece(of: name, stops: stops, in: context)
      }
      .failing(Piece.record, Piece.faults)
      .passingOn,
    ]
  ) { context, settings in
    HTTP(client: try HTTPClient(settings, in: context))
  }
  .checking(HTTPSettings.record) { try $0.check() }
  .contracted(in: GraphQLContract.setting) { settings, read in
    try GraphQLContract(settings, reading: read) ?? HTTPContract(settings, reading: read)
  }
  .characterized { try ComponentTraits(http: $0, $1) }

  let client: HTTPClient
  private let streams = BodyStreams()

  /// Ends the connections.
  public func close() async {
    await client.close()
  }

  private static func plain(_ name: String, _ summary: String, _ method: String) -> Operation<HTTP>
  {
    Operation(
      name, summary, input: RequestInput.plain, answers: HTTPAnswer.record, errors: ErrorCode.all,
      retry: .safe
    ) { http, context, input in try await http.answer(input.with(method: method), context) }
    .answering.readOnly
  }

  private static func sending(_ name: String, _ summary: String, _ method: String) -> Operation<
    HTTP
  > {
    Operation(
      name, summary, input: RequestInput.sending, answers: HTTPAnswer.record,
      errors: ErrorCode.all, retry: { $0.safety }
    ) { http, context, input in try await http.answer(input.with(method: method), context) }
    .answering
  }

  private func answer(_ input: RequestInput, _ context: Context) async throws -> HTTPAnswer {
    try await context.outside {
      if let path = input.to {
        let download = try Download(to: path, with: client, in: context)
        return try await download.answer(to: try client.request(input, context))
      }
      let response = try await client.send(
        try client.request(input, context), hiding: context.secrets)
      let address = response.address
      let body = try client.body(of: response.reply, from: address)
      var answer = HTTPAnswer(response.reply, body, from: address, elapsed: response.elapsed)
      answer.set(hops: response.hops)
      if let note = answer.note { context.log("\(address): \(note)") }
      return answer
    }
  }

  private func exchange(
    _ input: ExchangeInput, _ context: Context
  ) async throws -> ExchangeAnswer {
    try await context.outside {
      try await client.pass(
        try client.request(passing: input, context), in: streams, hiding: context.secrets)
    }
  }

  private func cookies(_ input: CookieInput) async throws -> CookieAnswer {
    try await client.cookies(input)
  }

  private func listen(_ input: RequestInput, _ context: Context) async throws -> ListenAnswer {
    let request = try client.request(input, context)
    let stream = try await context.outside {
      try await client.open(
        request, after: input.lastEventID ?? "", hiding: context.secrets)
    }
    guard stream.isOpen else { return stream.answer }
    // The step has ended, so nothing may continue on its behalf.
    if Task.isCancelled { client.end(stream.number) }
    try Task.checkCancellation()
    context.spawn("listen") { [client] context in
      var listener = EventListener(
        to: request, after: input.lastEventID ?? "", with: client, in: context)
      try await listener.listen(to: stream)
    }
    return stream.answer
  }
}

extension Operation<HTTP> {
  /// The same operation for the response of a server, with its `retry-after`.
  fileprivate var answering: Operation {
    pausing(HTTPAnswer.record, \.retryAfter)
      .failing(HTTPAnswer.record, HTTPAnswer.faults)
      .explaining(HTTPAnswer.record) { $0.absence(of: $1) }
      .checking(RequestInput.check)
  }
}
