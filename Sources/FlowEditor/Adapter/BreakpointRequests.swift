internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

extension DebugAdapter {
  func setBreakpoints(_ request: AdapterRequest) throws(AdapterError) {
    let session = try launchedSession()
    guard let path = request.arguments["source"]?["path"]?.string else {
      throw AdapterError("the source has no path")
    }
    let file = session.file(at: path) ?? path
    session.removeBreakpoints { $0.location.file == file }
    var shown: [JSON] = []
    for wanted in (request.arguments["breakpoints"] ?? .null).elements.prefix(1_000) {
      let line = line(wanted["line"]) ?? 0
      shown.append(add(wanted, at: .line(line, file: file), session))
    }
    output.respond(to: request, .fields([("breakpoints", .array(shown))]))
  }

  func setFunctionBreakpoints(_ request: AdapterRequest) throws(AdapterError) {
    let session = try launchedSession()
    session.removeBreakpoints { $0.location.file == nil }
    var shown: [JSON] = []
    for wanted in (request.arguments["breakpoints"] ?? .null).elements.prefix(1_000) {
      shown.append(add(wanted, at: .step(wanted["name"]?.string ?? ""), session))
    }
    output.respond(to: request, .fields([("breakpoints", .array(shown))]))
  }

  /// Adds a breakpoint, and returns it as the client sees it.
  private func add(
    _ wanted: JSON, at location: Breakpoint.Location, _ session: DebugSession
  ) -> JSON {
    do throws(DebugError) {
      var hits: Breakpoint.Hits?
      if let text = wanted["hitCondition"]?.string, !text.isEmpty {
        hits = Breakpoint.Hits(text)
        if hits == nil { throw DebugError("write the number of hits as 3, >= 3 or % 3") }
      }
      let condition = wanted["condition"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      let breakpoint = try session.addBreakpoint(at: location, if: condition, hits: hits)
      let span = breakpoint.steps.first?.place.span
      return .fields([
        ("id", .int(breakpoint.number)), ("verified", .bool(true)),
        ("source", span.map { source(of: $0.file) }),
        ("line", span.map { shown(line: $0.start.line) }),
      ])
    } catch {
      return .fields([
        ("verified", .bool(false)), ("message", .string(redactor.redacted(error.description))),
        ("line", wanted["line"]),
      ])
    }
  }

  func setExceptionBreakpoints(_ request: AdapterRequest) throws(AdapterError) {
    let session = try launchedSession()
    let filters = (request.arguments["filters"] ?? .null).elements.compactMap(\.string)
    session.stopsAtFailures = filters.contains("failed") && !launched.isWithoutDebugging
    output.respond(
      to: request,
      .fields([
        ("breakpoints", .array(filters.map { .fields([("verified", .bool($0 == "failed"))]) }))
      ]))
  }

  func findBreakpointLocations(_ request: AdapterRequest) throws(AdapterError) {
    let session = try launchedSession()
    let path = request.arguments["source"]?["path"]?.string ?? ""
    let first = line(request.arguments["line"]) ?? 1
    let last = line(request.arguments["endLine"]) ?? first
    let lines = session.file(at: path).map { session.places.lines(in: $0) } ?? []
    let found = lines.filter { first <= $0 && $0 <= last }
    output.respond(
      to: request,
      .fields([("breakpoints", .array(found.map { .fields([("line", shown(line: $0))]) }))]))
  }

  /// A file as the client sees it.
  func source(of file: String) -> JSON {
    let path = FileSystem.realPath(file) ?? file
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return .fields([("name", .string(name)), ("path", .string(path))])
  }
}

extension DebugSession {
  /// The file of the scenario at a path of the client, or nil for another file.
  func file(at path: String) -> String? {
    if places.files.contains(path) { return path }
    let real = FileSystem.realPath(path) ?? path
    return places.files.first { FileSystem.realPath($0) == real }
  }

  /// The reason to stop at the present place, or nil.
  var reasonHere: StopReason? {
    guard case .moment(let number) = place else { return nil }
    return rule(for: .run).reason(at: number, in: timeline)
  }
}
