internal import FlowRedaction
internal import FlowSystem

/// Scripts of requests in a collection.
extension PostmanScenario {
  /// A statement that was left out, for a note at the request.
  typealias LeftOut = (line: Int, name: String)

  /// Translates the scripts before a request, and returns the statements that are left out.
  mutating func prepare(_ events: [PlacedJSON]) -> [LeftOut] {
    var leftOut: [LeftOut] = []
    defer { dropUnreadDraws() }
    for (line, effect) in events.flatMap({ effects(of: $0, before: true).effects }) {
      switch effect {
      case .set(let name, let value): prepare(name, value.code, value.kind)
      case .unset(let name): if set[name] != nil { prepare(name, "null", .any) }
      case .check(let code): draws.append(.init(id: "", kind: .check(code)))
      case .status: leftOut.append((line, "a condition"))
      case .skipped(let name): leftOut.append((line, Self.shown(name)))
      }
    }
    return leftOut
  }

  /// Drops what was drawn for values that no variable has.
  private mutating func dropUnreadDraws() {
    var (kept, codes) = ([ImportedRequest.Preparation](), [String]())
    for draw in draws.reversed() {
      switch draw.kind {
      case .set(_, let code), .check(let code): codes.append(code)
      case .draw(_, _, let fields):
        guard codes.contains(where: { $0.contains("steps.\(draw.id).") }) else { continue }
        codes += fields.map(\.value)
      case .uuid, .file: break
      }
      kept.append(draw)
    }
    draws = kept.reversed()
  }

  private mutating func prepare(_ name: String, _ code: String, _ kind: ScriptValue.Kind) {
    let variable = newVariable(name, of: kind)
    draws.append(.init(id: "", kind: .set(name: variable, code: code)))
  }

  private static func shown(_ name: String) -> String {
    name == "a statement" ? name : "'\(name)'"
  }

  /// Translates the scripts after a request, and notes all statements that are left out.
  mutating func run(
    _ events: [PlacedJSON], of request: inout ImportedRequest, leftOut: [LeftOut]
  ) {
    for (line, name) in leftOut {
      scenario.leaveOut("\(name) in a script", of: &request, line: line)
    }
    request.keepsOrder = true
    for event in events {
      let script = self.effects(of: event, before: false, request.subject)
      var effects = script.effects
      if !script.read.isDisjoint(with: effects.compactMap { $0.effect.changed }) {
        // A condition may read a variable as it was before, and has the value that is set itself.
        effects =
          effects.filter { $0.effect.changed == nil } + effects.filter { $0.effect.changed != nil }
      }
      for (line, effect) in effects { apply(effect, to: &request, line) }
    }
  }

  /// Returns the effects of a script, if it runs at this time.
  private mutating func effects(
    of event: PlacedJSON, before isBefore: Bool, _ subject: String? = nil
  ) -> (effects: [(line: Int, effect: ScriptEffect)], read: Set<String>) {
    guard isBefore == (event["listen"]?.text != "test"), let script = event["script"],
      let exec = script["exec"]
    else { return ([], []) }
    let lines =
      exec.string.map { [(text: $0, line: exec.line)] }
      ?? exec.elements.map { (text: $0.string ?? "", line: $0.line) }
    let written = lines.map(\.text).joined(separator: "\n")
    if event["disabled"]?.bool == true {
      if !ScriptParser.read(written).isEmpty {
        scenario.note(event.line, "a disabled script is left out")
      }
      return ([], [])
    }
    let places = Self.lines(of: lines, areRealLines: script["lines"]?.bool == true)
    return ScriptTranslator.effects(
      of: written, dialect, subject: subject,
      line: { $0 < places.count ? places[$0] : exec.line }, &self)
  }

  /// The lines of the file for the lines of a script: an element of JSON may have several.
  private static func lines(
    of elements: [(text: String, line: Int)], areRealLines: Bool
  ) -> [Int] {
    elements.flatMap { element in
      let count = element.text.unicodeScalars.count { $0 == "\n" } + 1
      return (0..<count).map { element.line + (areRealLines ? $0 : 0) }
    }
  }

  /// Adds an effect to a request.
  private mutating func apply(
    _ effect: ScriptEffect, to request: inout ImportedRequest, _ line: Int
  ) {
    switch effect {
    case .set(let name, let value):
      let isSecret =
        CredentialNames.isSecret(name) || CredentialNames.isSecret(value.answer?.name ?? "")
      if isSecret, let place = value.answer?.place { request.hide(place) }
      request.capture(newVariable(name, of: value.kind), value.code)
    case .unset(let name):
      if set[name] != nil { request.capture(newVariable(name, of: .any), "null") }
    case .status(let status):
      let known = request.expected.first { $0.name == "status" }?.value
      guard known == nil || known == .number(status) else {
        return request.demand("\(request.subject).status == \(status)")
      }
      request.expect("status", .number(status))
    case .check(let code): request.demand(code)
    case .skipped(let name):
      scenario.leaveOut("\(Self.shown(name)) in a script", of: &request, line: line)
    }
  }
}

extension PostmanScenario: ScriptHost {
  mutating func variable(named name: String, line: Int) -> ImportedText {
    variable(name, line: line)
  }

  mutating func known(_ name: String, line: Int) -> ImportedText? {
    guard set[name] != nil || !(variables.known[name]?.value.isEmpty ?? true) else { return nil }
    return variable(name, line: line)
  }

  mutating func templated(_ text: String, line: Int) -> ImportedText {
    self.text(text, line: line)
  }

  mutating func written(_ text: String, of name: String, line: Int) -> ImportedText {
    scenario.value(ImportedText(text), of: name, line: line)
  }

  mutating func compared(_ value: ImportedValue, with name: String, line: Int) -> ImportedValue {
    switch value {
    case .text(let text): return .text(scenario.compared(text, of: name, line: line))
    case .list, .map:
      let named = ImportedValue.map([.init(name: name, value: value)])
      guard case .map(let entries) = scenario.json(named, line: line) else { return value }
      return entries.first?.value ?? value
    case .null, .bool, .number: return value
    }
  }

  mutating func now() -> String { draw("now", "time", "now", [], ".time").code }

  mutating func formatted(_ time: String, as format: String) -> String {
    let fields = [("time", "\"${{ \(time) }}\""), ("format", "\"\(format)\"")]
    return draw("date", "time", "format", fields, ".text").code
  }

  mutating func randomNumber(from least: Int, to most: Int) -> String {
    draw("number", "random", "integer", [("min", "\(least)"), ("max", "\(most)")], ".value").code
  }
}
