internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem

extension DebugAdapter {
  func showThreads(_ request: AdapterRequest) {
    let name = session?.loaded.plan.name ?? "run"
    let thread = JSON.fields([
      ("id", .int(Self.thread)), ("name", .string(redactor.redacted(name))),
    ])
    output.respond(
      to: request, .fields([("threads", .array(session == nil ? [] : [thread]))]))
  }

  func showStack(_ request: AdapterRequest) throws(AdapterError) {
    let session = try stoppedSession()
    let frames = session.moment.map { session.frames(at: $0) } ?? []
    let start = max(0, try request.arguments.wantedNumber("startFrame") ?? 0)
    let levels = try request.arguments.wantedNumber("levels") ?? 0
    let wanted = frames.enumerated().dropFirst(start).prefix(levels > 0 ? levels : .max)
    output.respond(
      to: request,
      .fields([
        ("stackFrames", .array(wanted.map { frame($0.element, $0.offset) })),
        ("totalFrames", .int(frames.count)),
      ]))
  }

  private func frame(_ frame: DebugFrame, _ index: Int) -> JSON {
    let span = frame.place.span
    return .fields([
      ("id", .int(index + 1)), ("name", .string("\(frame.address)")),
      ("source", source(of: span.file)), ("line", shown(line: span.start.line)),
      ("column", shown(column: span.start.column)), ("endLine", shown(line: span.end.line)),
      ("endColumn", shown(column: span.end.column)),
    ])
  }

  /// Returns the frame that a request names, or the innermost one.
  func frame(of request: AdapterRequest, _ session: DebugSession) throws(AdapterError) -> DebugFrame
  {
    let frames = session.moment.map { session.frames(at: $0) } ?? []
    let index = (try request.arguments.wantedNumber("frameId") ?? 1) - 1
    guard frames.indices.contains(index) else { throw AdapterError("there is no such frame") }
    return frames[index]
  }

  func showScopes(_ request: AdapterRequest) throws(AdapterError) {
    let session = try stoppedSession()
    let values = session.values(in: try frame(of: request, session))
    let entries = values.entries
    var scopes: [(name: String, hint: String?, content: VariableHandles.Content)] = []
    for kind in ValuesInSight.Kind.allCases {
      let own = entries.filter { $0.kind == kind }
      if own.isEmpty { continue }
      let isInput = kind == .inputs
      scopes.append((kind.rawValue, isInput ? "arguments" : "locals", .entries(own)))
    }
    if let answer = values.answer {
      scopes.append(
        ("Last answer", "returnValue", .value(redactor.redacted(answer), ValuesInSight.subject)))
    }
    let shown = scopes.map { scope in
      JSON.fields([
        ("name", .string(scope.name)), ("presentationHint", scope.hint.map(JSON.string)),
        ("variablesReference", .int(handles.reference(to: scope.content))),
        ("expensive", .bool(false)),
      ])
    }
    output.respond(to: request, .fields([("scopes", .array(shown))]))
  }
}

extension ValuesInSight {
  /// The groups in which names are shown.
  package enum Kind: String, CaseIterable, Sendable {
    case iteration = "Iteration"
    case variables = "Variables"
    case steps = "Steps"
    case inputs = "Inputs"
  }
}

extension ValuesInSight.Entry {
  /// The group of the name.
  package var kind: ValuesInSight.Kind {
    if name.hasPrefix("inputs.") { return .inputs }
    if name.hasPrefix("steps.") { return .steps }
    return name == "loop.index" ? .iteration : .variables
  }

  /// The name within its group.
  var shortName: String {
    switch kind {
    case .inputs: String(name.dropFirst("inputs.".count))
    case .steps: String(name.dropFirst("steps.".count))
    case .iteration, .variables: name
    }
  }
}
