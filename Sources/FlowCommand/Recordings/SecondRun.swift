internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowReport
internal import FlowTranscript

extension CommandRun {
  /// Returns the same run again, which writes nothing but a recording in memory.
  func again(in session: Session.Options, _ plan: Plan) -> CommandRun {
    var copy = CommandRun()
    copy.session = session
    copy.detail = .failures
    copy.isFromInput = isFromInput
    copy.inputs = inputs
    copy.given = given
    copy.first = Recorder(of: plan)
    return copy
  }
}

extension CommandContext {
  /// Runs a recorded scenario again, and prints the parts of calls to declare as varying.
  func propose(
    from first: Recording, _ run: CommandRun, _ plan: Plan, _ inputs: [Value]
  ) async -> ExitCode {
    let (report, wasInterrupted) = await runLive(plan, inputs, run)
    print(report.diagnostics)
    if wasInterrupted { return .interrupted }
    guard report.passed, let second = run.first else {
      process.say("the second run failed, so nothing is proposed", as: .note)
      return .failed
    }
    do throws(TranscriptError) {
      let (one, two) = (try first.whole(plan.file), try second.recording.whole(plan.file))
      process.output(Proposal(one, two, of: plan).text)
      return .passed
    } catch {
      print(error)
      return .failed
    }
  }
}

/// The parts of calls that differed between two runs, as declarations in YAML.
struct Proposal {
  /// The most differences that cannot be declared.
  private static let mostOthers = 5

  private let varying: ProposedVarying
  /// The parts of answers to steps, for the scenario's own components.
  private let volatile: [VolatileParts]
  /// The parts of results, for a step alone.
  private let results: [String]
  /// The differences that cannot be declared.
  private let others: [String]

  init(_ first: Transcript, _ second: Transcript, of plan: Plan) {
    varying = ProposedVarying(first, second, of: plan)
    let own = Set(plan.components.map(\.name))
    let calls = TranscriptDifference(ofAnswersIn: second, from: first, plan: plan).calls
      .filter { $0.address.calls.isEmpty }
    volatile = VolatileParts.all(in: calls, besideResults: true)
      .filter { own.contains($0.component) }
    results =
      calls.filter { !$0.resultPlaces.isEmpty }.map {
        "# in the step '\($0.address.path)' alone, if it may be so: volatile: "
          + ValuePath.list($0.resultPlaces)
      }.unique
    others = calls.flatMap { call in
      call.otherFields.map { "# also different in '\(call.address)': \($0.text)" }
    }
  }

  /// The declarations, or an empty string if nothing differed.
  var text: String {
    let names = (varying.components + volatile.map(\.component)).unique
    if names.isEmpty && results.isEmpty && others.isEmpty { return "" }
    let lines = names.flatMap { ["  \($0):"] + varies($0) + volatile($0) }
    return
      (["# These parts of calls differed between the two runs:"]
      + (names.isEmpty ? [] : ["components:"]) + lines + results.prefix(Self.mostOthers)
      + others.prefix(Self.mostOthers))
      .map { $0.onOneLine + "\n" }.joined()
  }

  private func varies(_ component: String) -> [String] {
    let calls = varying.calls(of: component)
    if calls.isEmpty { return [] }
    return ["    varies:"] + calls.flatMap { ["      \($0.name):"] + $0.parts.lines }
  }

  private func volatile(_ component: String) -> [String] {
    guard let parts = volatile.first(where: { $0.component == component }) else { return [] }
    return ["    volatile:"]
      + parts.operations.map { "      \($0.name): \(ValuePath.list($0.paths))" }
  }
}

extension ProposedVarying.Parts {
  fileprivate var lines: [String] {
    [("same", same), ("any", any), ("answer", answer)].filter { !$0.1.isEmpty }.map { kind, paths in
      "        \(kind): \(ValuePath.list(paths))"
    }
  }
}
