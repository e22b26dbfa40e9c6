package import FlowCore
package import FlowPlan
package import FlowScenario
internal import FlowSystem
package import FlowTranscript

extension MutationReport {
  /// Adds the places of the steps, and the lines that would notice what nothing noticed.
  ///
  /// - Parameters:
  ///   - plan: The scenario.
  ///   - transcript: The recording whose answers were altered.
  ///   - source: Reads the file of the scenario, and of those that it includes.
  package mutating func propose(
    for plan: Plan, _ transcript: Transcript, _ source: (_ file: String) -> ScenarioSource?
  ) {
    guard results.contains(where: { $0.notice != .noticed }) else { return }
    let proposals = StepProposals(for: plan, transcript, source)
    file = plan.file
    var steps: [SourceSpan: [(line: ProposedLine, alteration: Alteration)]] = [:]
    for (index, result) in results.enumerated() where result.notice != .noticed {
      results[index].step = proposals.place(of: result.alteration)
      do throws(NoProposal) {
        let line = try proposals.line(for: [result.alteration])
        results[index].proposal = line.text
        if steps[line.step]?.last?.line != line {
          steps[line.step, default: []].append((line, result.alteration))
        }
      } catch {
        results[index].noProposal = error
      }
    }
    wholeSteps = steps.values.compactMap { proposals.wholeLine(for: $0.map(\.alteration)) }
      .sorted { ($0.step.file, $0.step.start) < ($1.step.file, $1.step.start) }
  }
}

/// The lines of a scenario's steps that would notice alterations of their recorded answers.
package struct StepProposals: Sendable {
  /// The most parts of one line.
  private static let mostParts = 50

  private let plan: Plan
  private let answers: StepAnswers
  private let expectations: ProposedExpectations

  /// Creates proposals for a scenario, from all recorded answers of its steps.
  ///
  /// - Parameters:
  ///   - plan: The scenario.
  ///   - transcript: Its recording.
  ///   - source: Reads the file of the scenario, and of those that it includes.
  package init(
    for plan: Plan, _ transcript: Transcript, _ source: (_ file: String) -> ScenarioSource?
  ) {
    self.plan = plan
    answers = StepAnswers(in: transcript, of: plan)
    expectations = ProposedExpectations(for: plan, source)
  }

  /// Returns the place of the step with an altered answer, or nil if no step has it.
  func place(of alteration: Alteration) -> SourceSpan? {
    let way = plan.way(to: alteration.address.path)
    return way.step?.place.span(in: way.plan.file)
  }

  /// Returns the line of a step that notices alterations of its answers, at least one.
  ///
  /// - Throws: The reason why there is none for one of them.
  package func line(for alterations: [Alteration]) throws(NoProposal) -> ProposedLine {
    var parts: [RecordedPart] = []
    for alteration in alterations { parts.append(try part(alteration)) }
    return try expectations.line(for: parts, of: alterations[0].address.path)
  }

  /// Returns the line of a step that notices several alterations of its answers.
  ///
  /// Nil for many, for one, and if one line notices no two of them.
  package func wholeLine(for alterations: [Alteration]) -> ProposedLine? {
    guard 2...Self.mostParts ~= alterations.count else { return nil }
    return try? line(for: alterations)
  }

  /// Returns the change of a file that puts a line into its step, or nil if that is not safe.
  package func edit(for line: ProposedLine) -> SourceEdit? { expectations.edit(for: line) }

  private func part(_ alteration: Alteration) throws(NoProposal) -> RecordedPart {
    // One field with a line tells an answer from another one.
    for field in alteration.ofFields {
      guard let part = try? ownPart(field),
        (try? expectations.line(for: [part], of: alteration.address.path)) != nil
      else { continue }
      return part
    }
    return try ownPart(alteration)
  }

  private func ownPart(_ alteration: Alteration) throws(NoProposal) -> RecordedPart {
    guard alteration.address.calls.isEmpty else { throw .madeByComponent }
    if answers.wasTriedAgain(alteration) { throw .triedAgain }
    if alteration.path.steps.first == .field("error") { throw .isError }
    guard let values = answers.values(at: alteration), let altered = alteration.alteredValue else {
      throw .isElsewhere
    }
    let path = alteration.partOfAnswer
    if case .field(let name)? = path.first, path.count == 1,
      let call = plan.way(to: alteration.address.path).step?.action.call,
      values.isWithoutValue(name, of: call)
    {
      throw .hasNoValue
    }
    return RecordedPart(
      path, values: values.all, altered: altered, isRepeated: values.isRepeated)
  }
}
