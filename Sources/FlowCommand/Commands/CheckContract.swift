internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// A description in place of that of a component, as `--contract` names it.
struct GivenContract: Sendable {
  /// The component's name, or nil for every component with a description.
  let component: String?
  let file: String

  /// Reads `FILE` or `NAME=FILE`.
  init(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    (component, file) =
      parts.count == 2 ? (String(parts[0]), String(parts[1])) : (nil, text)
  }
}

// `flow check --contract`: the recorded calls that a description does not allow.
extension CommandContext {
  /// Compares the recorded calls of scenarios with descriptions.
  func checkContracts(
    _ contracts: [GivenContract], _ files: [FoundFile], _ output: ReportFormat<CheckReport>
  ) -> ExitCode {
    var comparison = ContractComparison(contracts)
    let loader = ScenarioLoader(registry: registry)
    for file in files {
      guard let plan = contractPlan(file, by: loader) else {
        comparison.isBroken = true
        continue
      }
      if let plan { compare(plan, &comparison) }
    }
    for problem in comparison.unknownNames {
      comparison.isBroken = true
      process.say(problem)
    }
    return report(comparison, output)
  }

  /// Returns the plan of a scenario, nil in it for a file that is none, or nil after a problem.
  private func contractPlan(_ file: FoundFile, by loader: ScenarioLoader) -> Plan?? {
    do throws(ScenarioError) {
      let source = try ScenarioSource(reading: file.path)
      do throws(ScenarioError) {
        return .some(try loader.plan(source))
      } catch {
        if !file.isMeant(source) { return .some(nil) }
        throw error
      }
    } catch {
      error.hideSecrets(by: redactor)
      print(error.diagnostics)
      return nil
    }
  }

  private func compare(_ plan: Plan, _ comparison: inout ContractComparison) {
    let transcript = Path.transcript(of: plan.file)
    guard FileSystem.isOccupied(transcript) else { return }
    do {
      let rules = try comparison.rules(for: plan)
      if rules.isEmpty { return }
      let recorded = try TranscriptReader.read(transcript, allowsPipe: false)
      comparison.add(
        RecordedContradictions(of: recorded, plan, contracts: rules), in: transcript)
    } catch let error as TranscriptError {
      print(error)
      comparison.isBroken = true
    } catch {
      comparison.isBroken = true
      // A broken description is named once, with the file that the command line names.
      let reason = (error as? ComponentError)?.message ?? "\(error)"
      let setting = ["'contract': ", "'schema': "].first(where: reason.hasPrefix) ?? ""
      let text = String(reason.dropFirst(setting.count))
      if comparison.reported.insert(text).inserted { process.say(text) }
    }
  }

  private func report(
    _ comparison: ContractComparison, _ output: ReportFormat<CheckReport>
  ) -> ExitCode {
    let code: ExitCode =
      comparison.isBroken ? .badInput : comparison.diagnostics.isEmpty ? .passed : .failed
    if write(CheckReport(comparison.diagnostics), as: output) {
      collect(comparison.diagnostics)
      return code
    }
    print(comparison.diagnostics)
    if !comparison.isBroken { confirm(comparison.summary) }
    return code
  }
}

/// The recorded calls of all scenarios compared with descriptions.
private struct ContractComparison {
  private let contracts: [GivenContract]
  private(set) var diagnostics: [Diagnostic] = []
  private var callCount = 0
  private var transcriptCount = 0
  /// The names of the components that can have a description.
  private var names: Set<String> = []
  var isBroken = false
  var reported: Set<String> = []

  init(_ contracts: [GivenContract]) { self.contracts = contracts }

  /// Returns the rules of the given descriptions for a scenario's components, by their names.
  mutating func rules(for plan: Plan) throws -> [String: any CallContract] {
    var rules: [String: any CallContract] = [:]
    let able = plan.allComponents.filter(\.takesContract)
    let described = able.filter { $0.contract != nil }
    names.formUnion(able.map(\.name))
    for contract in contracts {
      // A scenario without a description may get one, if there is no doubt for which component.
      let chosen =
        contract.component.map { name in able.filter { $0.name == name } }
        ?? (described.isEmpty && able.count == 1 ? able : described)
      for component in chosen {
        rules[component.name] = try component.contract(
          contract.file, reading: DocumentReader.document(at:))
      }
    }
    return rules
  }

  mutating func add(_ found: RecordedContradictions, in transcript: String) {
    callCount += found.callCount
    transcriptCount += 1
    for contradiction in found.all {
      diagnostics.append(
        Diagnostic(
          .contradictedContract, Self.message(contradiction, transcript), at: contradiction.step,
          notes: contradiction.problem.rule.map { ["the rule is \($0)"] } ?? []))
    }
  }

  private static func message(
    _ contradiction: RecordedContradictions.Contradiction, _ transcript: String
  ) -> String {
    let problem = contradiction.problem
    let side = problem.side == .input ? "the recorded request of" : "the recorded answer to"
    let place = problem.path.isEmpty ? "" : "'\(problem.path)': "
    return "\(side) '\(contradiction.address)' (\(transcript):\(contradiction.line)): "
      + place + problem.placedMessage
  }

  /// The given names that no recorded scenario has.
  var unknownNames: [String] {
    contracts.compactMap(\.component).filter { !names.contains($0) }.map { name in
      "no recorded scenario has a component '\(name.onOneLine)' that takes a description"
        + Suggestion.ending(for: name, among: names.sorted())
    }
  }

  var summary: String {
    let calls = callCount == 1 ? "1 recorded call" : "\(callCount) recorded calls"
    let files = transcriptCount == 1 ? "1 transcript" : "\(transcriptCount) transcripts"
    let count = diagnostics.count
    let found =
      count == 0 ? "no contradictions" : count == 1 ? "1 contradiction" : "\(count) contradictions"
    return "\(calls) in \(files) compared, \(found)\n"
  }
}
