import FlowCore
import FlowPlan
import FlowRedaction
import FlowReport
import FlowScenario
import FlowSystem
import FlowTranscript
import TestKit
import Testing
import UpstreamPlugin

/// A scenario with its transcript, and the lines proposed for what it does not notice.
struct ProposingScenario {
  /// A line with the alterations that it is for.
  struct Line {
    let line: ProposedLine
    var alterations: [Alteration]
  }

  /// More are not tried, from the whole length of the scenario.
  private let mostAlterations: Int
  private let file: String
  private let registry: Registry
  private let original: Plan
  private let transcript: Transcript
  private let inputs: [Value]
  private let proposals: StepProposals
  private let patterns: [RedactionPattern]

  /// Reads a scenario with the components of `flow`, or others.
  init(
    _ file: String, _ components: [any Component.Type] = FlowRun.shipped + [Callbacks.self],
    mostAlterations: Int = 150
  ) throws {
    self.file = file
    self.mostAlterations = mostAlterations
    registry = try Registry(components)
    original = try ScenarioLoader(registry: registry).plan(ScenarioSource(reading: file))
    let path = Path.transcript(of: file)
    transcript = try TranscriptReader.read(path)
    inputs = try transcript.header.inputValues(for: original, file: path)
    proposals = StepProposals(for: original, transcript) { try? ScenarioSource(reading: $0) }
    let project = try ProjectFile.path(around: Path.folder(of: file))
    patterns = try project.map { try ProjectFile(reading: $0).patterns } ?? []
  }

  /// Expects of each proposed line, and of those for whole steps, that the scenario with it is
  /// accepted and replays, and that it notices what it is for.
  func checkLines() async throws {
    let unnoticed = try await unnoticed()
    var proposed = lines(for: unnoticed)
    proposed.append(contentsOf: wholeSteps(proposed))
    while !proposed.isEmpty {
      // One line for each step at a time, as the lines of one step take each other's place.
      var (now, later): ([Line], [Line]) = ([], [])
      for line in proposed {
        if now.contains(where: { $0.line.step == line.line.step }) {
          later.append(line)
        } else {
          now.append(line)
        }
      }
      try await check(now)
      proposed = later
    }
  }

  /// The alterations that nothing notices.
  func unnoticed() async throws -> [Alteration] {
    let all = Alterations(of: transcript, original, .init(limit: .max)).first
    let step = 1 + all.count / mostAlterations
    var unnoticed: [Alteration] = []
    for index in stride(from: 0, to: all.count, by: step)
    where await notice(original, all[index]) != .noticed {
      unnoticed.append(all[index])
    }
    return unnoticed
  }

  /// The reasons of the alterations without a line, each with its number.
  func reasons(of alterations: [Alteration]) -> [NoProposal: Int] {
    var reasons: [NoProposal: Int] = [:]
    for alteration in alterations {
      do throws(NoProposal) { _ = try proposals.line(for: [alteration]) } catch {
        reasons[error, default: 0] += 1
      }
    }
    return reasons
  }

  private func lines(for alterations: [Alteration]) -> [Line] {
    var lines: [Line] = []
    for alteration in alterations {
      guard let line = try? proposals.line(for: [alteration]) else { continue }
      if let index = lines.firstIndex(where: { $0.line == line }) {
        lines[index].alterations.append(alteration)
      } else {
        lines.append(Line(line: line, alterations: [alteration]))
      }
    }
    return lines
  }

  private func wholeSteps(_ lines: [Line]) -> [Line] {
    var whole: [Line] = []
    for step in Set(lines.map(\.line.step)) {
      let alterations = lines.filter { $0.line.step == step }.flatMap(\.alterations)
      guard let line = try? proposals.line(for: alterations) else { continue }
      whole.append(Line(line: line, alterations: alterations))
    }
    return whole
  }

  private func check(_ lines: [Line]) async throws {
    let text = try texts(with: lines.map(\.line))
    let shown = lines.map(\.line.text).joined(separator: "\n")
    let plan: Plan
    do { plan = try self.plan(text) } catch {
      Issue.record("\(file): \(shown)\n\(error)")
      return
    }
    let replayed = await replay(plan, transcript)
    #expect(
      replayed.passed,
      "\(file): \(replayed.diagnostics.map { "\($0.message) \($0.notes)" })\n\(shown)")
    for line in lines {
      for alteration in line.alterations {
        let notice = await notice(plan, alteration)
        #expect(
          notice == .noticed,
          "\(file), \(alteration.place), \(alteration.path): \(alteration.text)\n\(line.line.text)")
      }
    }
  }

  private func plan(_ texts: [String: [UInt8]]) throws -> Plan {
    let files = ScenarioFiles(around: Path.folder(of: file)) { texts[$0] }
    let loader = ScenarioLoader(registry: registry, files: files)
    let main = texts[file].map { ScenarioSource(file: file, bytes: $0) }
    return try loader.plan(main ?? ScenarioSource(reading: file))
  }

  private func notice(_ plan: Plan, _ alteration: Alteration) async -> MutationReport.Notice {
    MutationReport.Notice(await replay(plan, transcript.applying(alteration)))
  }

  private func replay(_ plan: Plan, _ transcript: Transcript) async -> Replay.Report {
    let redactor = Redactor()
    redactor.use(patterns)
    return await Replay(transcript, of: plan).run(inputs: inputs, redactor: redactor)
  }

  /// Returns the changed files with other expectations of steps, by their paths.
  private func texts(with lines: [ProposedLine]) throws -> [String: [UInt8]] {
    let edits = try lines.map { line in try #require(proposals.edit(for: line), "\(line)") }
    var texts: [String: [UInt8]] = [:]
    for (file, edits) in Dictionary(grouping: edits, by: \.span.file) {
      texts[file] = try SourceText(ScenarioSource(reading: file).bytes).changed(by: edits)
    }
    return texts
  }
}

/// A text, which changes at the places of scenarios.
struct SourceText {
  private let scalars: [Unicode.Scalar]

  init(_ bytes: [UInt8]) { scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars) }

  /// Returns the text after changes that do not overlap.
  func changed(by edits: [SourceEdit]) -> [UInt8] {
    var text = scalars
    for edit in edits.sorted(by: { $0.span.start > $1.span.start }) {
      let range = offset(of: edit.span.start)..<offset(of: edit.span.end)
      text.replaceSubrange(range, with: edit.text.unicodeScalars)
    }
    return Array(text.reduce(into: "") { $0.unicodeScalars.append($1) }.utf8)
  }

  private func offset(of position: Position) -> Int {
    var (line, index) = (1, 0)
    while line < position.line {
      if scalars[index] == "\n" { line += 1 }
      index += 1
    }
    return index + position.column - 1
  }
}
