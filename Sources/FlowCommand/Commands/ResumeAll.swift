internal import FlowCore
internal import FlowSystem
internal import FlowTranscript

// `flow resume --all`: the runs of a folder or of a database.
extension CommandContext {
  /// The options that concern one journal.
  private static let single = [
    "or-run", "scenario", "done", "as", "input", "inputs", "seed", "report",
  ]

  /// Resumes all runs with a journal in a folder or in a database, some at the same time.
  ///
  /// Each journal belongs to one process: in a folder it is locked, and the lines of a database
  /// belong to the latest process.
  func resumeAll(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
    for option in Self.single where arguments.has(option) {
      throw .conflict(option: option, with: "all")
    }
    let jobs = Jobs(limit: try arguments.whole("jobs", 1...64) ?? 1)
    let secrets = try GivenSecrets(arguments, process, redactor)
    _ = try CommandRun(resumingBy: arguments, secrets)
    let places: [JournalPlace]
    do {
      places = try JournalPlace.all(in: arguments.operands[0])
    } catch let error as UsageError {
      throw error
    } catch {
      process.say("\(error)")
      return (error as? FileError)?.code ?? .badInput
    }
    let isRetried = arguments.has("retry-failed")
    var results: [ResumedRun] = []
    await jobs.run(places) { [self] _, place in
      await resume(place, isRetried: isRetried) { () throws(UsageError) in
        ResumedJournal(
          place: place, scenario: nil, isBegun: false,
          run: try CommandRun(resumingBy: arguments, secrets), secrets: secrets,
          done: try DoneCalls(arguments), steps: try StepNames(arguments))
      }
    } goesOn: { result in
      result.code != .interrupted
    } receive: { result in
      results.append(result)
      tell(result)
    }
    return summary(of: results, from: places.count)
  }

  /// Resumes one of several runs, with its texts in its result.
  private func resume(
    _ place: JournalPlace, isRetried: Bool,
    _ resumed: () throws(UsageError) -> ResumedJournal
  ) async -> ResumedRun {
    var result = ResumedRun(place: place)
    do {
      let journal = try place.read()
      if journal.passed == true { return result.ended(.passedBefore) }
      if journal.passed == false, !isRetried { return result.ended(.failedBefore) }
    } catch {
      // It is told with its reason below.
    }
    let captured = CapturedOutput()
    var flow = self
    flow.process.output = { captured.add(output: $0) }
    flow.process.errorOutput = { captured.add(errors: $0) }
    flow.process.region = nil
    do throws(UsageError) {
      result.code = try await flow.resume(try resumed())
    } catch {
      captured.add(errors: "flow: \(error.message)\n")
      result.code = .badCommandLine
    }
    result.errors = captured.errors
    return result
  }

  private func tell(_ result: ResumedRun) {
    process.output("\(result.place.text.onOneLine): \(result.words)\n")
    if result.code != .passed { process.errorOutput(result.errors) }
  }

  /// Prints the number of runs of each end, and returns the code of all.
  private func summary(of results: [ResumedRun], from count: Int) -> ExitCode {
    var counts: [(words: String, count: Int)] = []
    for result in results {
      if let index = counts.firstIndex(where: { $0.words == result.words }) {
        counts[index].count += 1
      } else {
        counts.append((result.words, 1))
      }
    }
    let left = count - results.count
    let others = left > 0 ? [("not resumed", left)] : []
    let noun = count == 1 ? "1 journal" : "\(count) journals"
    let ends = (counts + others).map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    process.output(ends.isEmpty ? "\(noun)\n" : "\(noun): \(ends)\n")
    return results.map(\.code).max { $0.gravity < $1.gravity } ?? .passed
  }
}

/// A run among several ones that were resumed.
private struct ResumedRun: Sendable {
  /// The end of a run before this command.
  enum Before: Sendable {
    case passedBefore
    case failedBefore
  }

  let place: JournalPlace
  var before: Before?
  var code = ExitCode.passed
  var errors = ""

  init(place: JournalPlace) { self.place = place }

  /// Returns the result of a run that has ended before.
  func ended(_ before: Before) -> ResumedRun {
    var copy = self
    copy.before = before
    if before == .failedBefore { copy.code = .failed }
    return copy
  }

  /// The end of the run.
  var words: String {
    switch before {
    case .passedBefore?: "passed before"
    case .failedBefore?: "failed before"
    case nil:
      switch code {
      case .passed: "passed"
      case .failed: "failed"
      case .busy: "held by another process"
      case .interrupted: "interrupted"
      default: "refused"
      }
    }
  }
}

extension ExitCode {
  /// The rank of a code among those of several runs.
  fileprivate var gravity: Int {
    let ranks: [ExitCode] = [.passed, .busy, .failed, .badInput, .cannotWrite, .interrupted]
    return ranks.firstIndex(of: self) ?? ranks.count
  }
}
