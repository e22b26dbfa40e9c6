internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// A breakpoint as the client asks for it.
struct AskedBreakpoint {
  /// The number by which client and adapter name it.
  let number: Int
  /// The path of its file, or nil for the id or the path of a step.
  let path: String?
  let json: JSON
}

extension DebugAdapter {
  func setBreakpoints(_ request: AdapterRequest) throws(AdapterError) {
    guard let path = try path(of: request.arguments["source"]) else {
      throw AdapterError("the source has no path")
    }
    set(request, in: path)
  }

  func setFunctionBreakpoints(_ request: AdapterRequest) { set(request, in: nil) }

  /// Replaces the breakpoints of a file, or with nil those of steps.
  private func set(_ request: AdapterRequest, in path: String?) {
    asked.removeAll { $0.path == path }
    if let session {
      let file = path.map { session.file(at: $0) ?? $0 }
      session.removeBreakpoints { $0.location.file == file }
    }
    let all = (request.arguments["breakpoints"] ?? .null).elements.prefix(1_000)
    let shown = all.map { json in
      breakpointCount += 1
      let breakpoint = AskedBreakpoint(number: breakpointCount, path: path, json: json)
      if let session { return place(breakpoint, in: session) }
      asked.append(breakpoint)
      return refused(breakpoint, "it is placed when the scenario is launched")
    }
    output.respond(to: request, .fields([("breakpoints", .array(shown))]))
  }

  /// Places the breakpoints of before the launch, and tells the client where they are.
  func placeAsked(in session: DebugSession) {
    for breakpoint in asked {
      output.event(
        "breakpoint",
        .fields(["reason": .string("changed"), "breakpoint": place(breakpoint, in: session)]))
    }
    asked = []
  }

  /// Places a breakpoint, and returns it as the client sees it.
  private func place(_ asked: AskedBreakpoint, in session: DebugSession) -> JSON {
    do throws(AdapterError) {
      let span = try add(asked, to: session).steps.first?.place.span
      return .fields([
        ("id", .int(asked.number)), ("verified", .bool(true)),
        ("source", span.map { source(of: $0.file) }),
        ("line", span.map { shown(line: $0.start.line) }),
      ])
    } catch {
      return refused(asked, error.message)
    }
  }

  private func refused(_ asked: AskedBreakpoint, _ reason: String) -> JSON {
    .fields([
      ("id", .int(asked.number)), ("verified", .bool(false)),
      ("message", .string(redactor.redacted(reason))),
      ("line", asked.json["line"]?.int.map(JSON.int)),
    ])
  }

  private func add(
    _ asked: AskedBreakpoint, to session: DebugSession
  ) throws(AdapterError) -> Breakpoint {
    let location = try location(of: asked, in: session)
    let condition = try asked.json.wantedText("condition").flatMap { $0.isEmpty ? nil : $0 }
    var hits: Breakpoint.Hits?
    if let text = try asked.json.wantedText("hitCondition"), !text.isEmpty {
      hits = Breakpoint.Hits(text)
      if hits == nil { throw AdapterError("write the number of hits as 3, >= 3 or % 3") }
    }
    let message = try asked.json.wantedText("logMessage").flatMap { $0.isEmpty ? nil : $0 }
    do throws(DebugError) {
      var log: LogMessage?
      if let message { log = try LogMessage(message) }
      session.latestBreakpoint = asked.number - 1
      return try session.addBreakpoint(at: location, if: condition, hits: hits, log: log)
    } catch {
      throw AdapterError(error.description)
    }
  }

  private func location(
    of asked: AskedBreakpoint, in session: DebugSession
  ) throws(AdapterError) -> Breakpoint.Location {
    guard let path = asked.path else { return .step(try asked.json.wantedText("name") ?? "") }
    guard let line = try line("line", of: asked.json) else {
      throw AdapterError("'line' is missing")
    }
    return .line(line, file: session.file(at: path) ?? path)
  }

  func setExceptionBreakpoints(_ request: AdapterRequest) {
    let filters = (request.arguments["filters"] ?? .null).elements.compactMap(\.string)
    stopsAtFailures = filters.contains("failed")
    session?.stopsAtFailures = stopsAtFailures && !launched.isWithoutDebugging
    output.respond(
      to: request,
      .fields([
        ("breakpoints", .array(filters.map { .fields([("verified", .bool($0 == "failed"))]) }))
      ]))
  }

  func findBreakpointLocations(_ request: AdapterRequest) throws(AdapterError) {
    let path = try path(of: request.arguments["source"]) ?? ""
    let first = try line("line", of: request.arguments) ?? 1
    let last = try line("endLine", of: request.arguments) ?? first
    let lines = session?.lines(at: path) ?? []
    let found = lines.filter { first <= $0 && $0 <= last }
    output.respond(
      to: request,
      .fields([("breakpoints", .array(found.map { .fields([("line", shown(line: $0))]) }))]))
  }

  /// The path of a source of the client, or nil without one.
  private func path(of source: JSON?) throws(AdapterError) -> String? {
    try source?.wantedText("path").map { paths.take($0) }
  }

  /// A file as the client sees it.
  func source(of file: String) -> JSON {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return .fields([("name", .string(name)), ("path", .string(paths.shown(file)))])
  }
}

extension DebugSession {
  /// The file of the scenario at a path of the client, or nil for another file.
  func file(at path: String) -> String? {
    if places.files.contains(path) { return path }
    let real = FileSystem.realPath(path) ?? path
    return places.files.first { FileSystem.realPath($0) == real }
  }

  /// The lines of a file of the client at which steps start.
  fileprivate func lines(at path: String) -> [Int] {
    file(at: path).map { places.lines(in: $0) } ?? []
  }

  /// The reason to stop at the present place, or nil.
  var reasonHere: StopReason? {
    guard case .moment(let number) = place else { return nil }
    return rule(for: .run).reason(at: number, in: timeline)
  }
}
