internal import FlowEngine
package import FlowExplore
internal import FlowRedaction
internal import FlowSystem

/// The result of `flow explore`.
package struct ExplorationReport: Sendable {
  let exploration: Exploration
  private let file: String
  let recording: Recording?

  /// The recording of the failing run.
  package struct Recording: Sendable {
    let path: String
    let command: String

    /// Creates a recording from its transcript and the command that runs it again.
    package init(at path: String, again command: String) {
      self.path = path
      self.command = command
    }
  }

  /// Creates the report on a scenario's file.
  ///
  /// `recording` is nil if nothing failed.
  package init(_ exploration: Exploration, of file: String, recording: Recording?) {
    self.exploration = exploration
    self.file = file
    self.recording = recording
  }

  private var schedulesASecond: Int {
    let seconds = exploration.elapsed / .seconds(1)
    return seconds > 0 ? Int(Double(exploration.tried + exploration.shrinkingTries) / seconds) : 0
  }

  // MARK: - For people

  fileprivate var text: String {
    var text = "\(file)\n" + exploration.triedFaults.map(\.text).joined() + summary
    if !exploration.strays.isEmpty {
      text += "not fully controlled: the schedule does not decide the order of these\n"
      text += exploration.strays.sorted().map { "  \($0)\n" }.joined()
    }
    for name in exploration.outside {
      text +=
        "'\(name)' keeps its state outside of the process: each run starts with the state that the last one left\n"
    }
    if let crashes = exploration.crashes, exploration.found == nil {
      text +=
        crashes > 0
        ? "crashed and resumed after \(exploration.crashesTried) of \(counted(crashes, "line")) of the journal\n"
        : "no crash was tried: components keep their state outside of the process\n"
    }
    if !exploration.isDeterministic {
      text += "not deterministic: a schedule had another outcome when it was run again\n"
    }
    if let found = exploration.found { text += story(of: found) }
    return text
  }

  private var summary: String {
    var text = "tried \(counted(exploration.tried, "schedule")) in "
    text +=
      "\(exploration.elapsed.reportText), \(schedulesASecond) a second: \(counted(exploration.outcomeCount, "outcome")), "
    text += "up to \(counted(exploration.moments, "choice")) per run\n"
    if exploration.inconclusive > 0 {
      text += "\(counted(exploration.inconclusive, "schedule")) had no verdict: "
      text += "they make calls that are not in the transcript\n"
    }
    if exploration.isStopped, exploration.found == nil {
      text += "interrupted; no failure found so far\n"
    } else if let scope = exploration.scope {
      text += "no failure found; \(scope.text)\n"
    } else if exploration.found == nil {
      text += "no failure found"
      if let delays = exploration.completedDelays {
        text += "; all choices of up to \(counted(delays, "delayed moment")) were tried"
      }
      text += "\n"
    }
    return text
  }

  private func story(of found: ScheduledRun) -> String {
    let causes = found.schedule.causes
    var text = causes.isEmpty ? "failed in the plain order" : "failed with "
    text += causes.joined(separator: " and ")
    text += found.standstill?.clause ?? ""
    text += ":\n" + found.story.texts.map { "  \($0.onOneLine)\n" }.joined()
    if let recording {
      text += "recorded \(recording.path.onOneLine); "
      text += "'\(recording.command.onOneLine)' runs it again\n"
    }
    return text
  }

  // MARK: - For machines

  fileprivate func json(_ redactor: Redactor) -> JSON {
    var members: [JSON.Member] = [
      .init("scenario", .string(file)), .init("schedules", .number(exploration.tried)),
      .init("outcomes", .number(exploration.outcomeCount)),
      .init("inconclusive", .number(exploration.inconclusive)),
      .init("choices", .number(exploration.moments)),
      .init("completedDelays", exploration.completedDelays.map { .number($0) } ?? .null),
      .init("exhausted", .bool(exploration.scope != nil)),
      .init("deterministic", .bool(exploration.isDeterministic)),
      .init("outside", .list(exploration.outside)),
      .init("uncontrolled", .list(exploration.strays.sorted())),
      .init(
        "crashes", exploration.crashes.map { _ in .number(exploration.crashesTried) } ?? .null),
      .init("interrupted", .bool(exploration.isStopped)),
      .init("failed", .bool(exploration.found != nil)),
    ]
    if !exploration.triedFaults.isEmpty {
      members.append(.init("triedFaults", .array(exploration.triedFaults.map(\.json))))
    }
    if let found = exploration.found {
      members += [
        .init("stuck", .bool(found.standstill == .stuck)),
        .init("endless", .bool(found.standstill == .endless)),
        .init("delays", .number(found.schedule.delays.count)),
        .init("faults", .list(found.schedule.faults.map(\.text))),
        .init("story", .list(found.story.texts.map { redactor.redacted($0) })),
        .init("recorded", recording.map { .string($0.path) } ?? .null),
        .init("diagnostics", .diagnostics(found.report.diagnostics, redactor)),
      ]
    }
    return .object(members)
  }
}

extension SearchScope {
  /// The end of the search before its budget, in words.
  fileprivate var text: String {
    if faults == 0, orders == 1 { return "there is only one order" }
    let orders =
      switch orders {
      case nil: "the plain order"
      case 1?: "the only order"
      case let count?: "all \(count) orders"
      }
    let limit = delays > 0 ? " with up to \(counted(delays, "delayed moment"))" : ""
    let rest = faults > 0 ? ", and \(counted(faults, "fault"))\(limit)" : ""
    return "nothing is left to vary after \(orders)\(rest)"
  }
}

extension Schedule {
  /// The differences of a run from the plain order, in words.
  fileprivate var causes: [String] {
    let delays = delays.reduce(0) { $0 + $1.count }
    var (errors, silent, twice) = (0, 0, 0)
    for fault in faults {
      switch fault {
      case .error, .typical: errors += 1
      case .silence: silent += 1
      case .duplicate: twice += 1
      }
    }
    let counts = [(delays, "delay"), (errors, "injected fault")].filter { $0.0 > 0 }
    return counts.map { counted($0.0, $0.1) }
      + (silent > 0 ? ["\(counted(silent, "call")) without an answer"] : [])
      + (twice > 0 ? ["\(counted(twice, "event")) delivered twice"] : [])
      + (crash == nil ? [] : ["a crash"])
  }
}

extension Schedule.Fault {
  /// The place and the kind, in words.
  fileprivate var text: String {
    switch self {
    case .error(let name, let key), .typical(let name, let key): "\(Self.address(key)): \(name)"
    case .silence(let key): "\(Self.address(key)): no answer"
    case .duplicate(let event, let number): "\(event) \(number): twice"
    }
  }
}

extension Schedule.Fault {
  /// The address in the key of an address, without the tags behind it.
  private static func address(_ key: String) -> Substring { key.prefix { $0 != "~" } }
}

extension TriedFault {
  /// `payments.charge#1: busy, passed`, and a line for each event after the fault.
  fileprivate var text: String {
    let more = (omitted > 0 ? ["and \(omitted) more"] : []) + (reaction?.texts ?? [])
    return "\(fault.text.onOneLine), \(verdict)\n"
      + (lines + more).map { "  \($0.onOneLine)\n" }.joined()
  }

  fileprivate var verdict: String {
    switch passed {
    case true?: "passed"
    case false?: "failed"
    case nil: "no verdict"
    }
  }

  fileprivate var json: JSON {
    .object(
      [
        .init("call", .string(name)), .init("fault", .string(fault.text)),
        .init("verdict", .string(verdict)), .init("then", .list(lines)),
        .init("omitted", .number(omitted)),
      ] + (reaction.map { [.init("reaction", $0.json)] } ?? []))
  }
}

extension TriedFault.Reaction {
  /// `the program repeated the call, and made 1 other call`, and a line for each end of a step.
  fileprivate var texts: [String] {
    let again =
      switch repeated {
      case 0: "did not repeat the call"
      case 1: "repeated the call"
      case let count: "repeated the call \(count) times"
      }
    let calls = others == 0 ? "no other call" : counted(others, "other call")
    return ["the program \(again), and made \(calls)"] + ends.map(\.text)
  }

  fileprivate var json: JSON {
    .object([
      .init("repeated", .number(repeated)), .init("others", .number(others)),
      .init("ends", .array(ends.map(\.json))),
    ])
  }
}

extension TriedFault.End {
  fileprivate var text: String {
    switch differences {
    case nil: "'\(step)' ended, which it did not without the fault"
    case []?: "'\(step)' ended as without the fault"
    case let differences?: "'\(step)' ended with " + differences.joined(separator: ", ")
    }
  }

  fileprivate var json: JSON {
    .object([
      .init("step", .string(step)), .init("differences", differences.map { .list($0) } ?? .null),
    ])
  }
}

extension ReportFormat<ExplorationReport> {
  /// Text for people.
  ///
  ///     month.yaml
  ///     tried 3 schedules in 12 ms, 250 a second: 2 outcomes, up to 12 choices a run
  ///     failed with 1 delay:
  ///       balance at 'components/balance#1' is called with {opening: 10.00}
  ///       …
  ///     recorded month.transcript.explored.jsonl; 'flow replay month.transcript.explored.jsonl --live' runs it again
  package static var text: ReportFormat { ReportFormat("text") { report, _ in .text(report.text) } }
  /// One JSON object.
  ///
  ///     {"scenario":"branches.yaml","schedules":50,"outcomes":1,"inconclusive":0,"choices":110,
  ///     "completedDelays":null,"exhausted":false,"deterministic":true,"outside":[],"uncontrolled":[],"crashes":null,
  ///     "interrupted":false,"failed":false}
  package static var json: ReportFormat { ReportFormat("json") { .json($0.json($1)) } }
}

extension Standstill {
  /// The end of a run as a clause after its failure.
  var clause: String {
    switch self {
    case .stuck: "; in the end nothing happened for a second, and the run was cancelled"
    case .endless: "; it kept waiting without an end, and was cancelled"
    }
  }
}

extension SearchProgress {
  /// `1200 schedules, 8400 a second, 3 outcomes: 2 delays`.
  package var text: String {
    let seconds = elapsed / .seconds(1)
    let rate = seconds > 0 ? Int(Double(tried) / seconds) : 0
    return
      "\(counted(tried, "schedule")), \(rate) a second, \(counted(outcomes, "outcome")): \(stage.text)"
  }
}

extension SearchStage {
  fileprivate var text: String {
    switch self {
    case .plain: "the plain order"
    case .faults: "faults"
    case .crashes: "crashes"
    case .delays(let count): counted(count, "delay")
    case .chance: "by chance"
    case .shrinking: "shrinking what fails"
    }
  }
}
