internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The texts to hide in transcripts.
struct RedactionOptions {
  static let options = [
    Option.secret,
    Option(
      "path", .required("STEP.ok.PATH"),
      "With redact: hides the recorded values at this path of a step's answer, or of its 'input'. "
        + "Can be repeated."),
    Option(
      "pattern", .required("REGEX"),
      "With redact: hides the matches of a pattern. Can be repeated."),
    Option(
      "dry-run", .none,
      "With redact: changes nothing. Exits with 1 if there is something to hide."),
  ]

  let secrets: GivenSecrets
  let places: [RecordedPlace]
  let patterns: [RedactionPattern]
  let isDry: Bool

  init(
    _ arguments: ParsedArguments, _ process: ProcessEnvironment, _ redactor: Redactor
  ) throws(UsageError) {
    secrets = try GivenSecrets(arguments, process, redactor)
    isDry = arguments.has("dry-run")
    var places: [RecordedPlace] = []
    for text in arguments.values("path") {
      guard let place = RecordedPlace(text) else {
        throw .malformed(
          option: "path", value: text, expected: "a path such as 'login.ok.json.token'")
      }
      places.append(place)
    }
    self.places = places
    patterns = try Self.patterns(arguments.values("pattern"))
  }

  private static func patterns(_ texts: [String]) throws(UsageError) -> [RedactionPattern] {
    var patterns: [RedactionPattern] = []
    for text in texts {
      let expected = "a regular expression"
      if text.isEmpty { throw .malformed(option: "pattern", value: text, expected: expected) }
      do throws(EvaluationError) { patterns.append(try RedactionPattern(text)) } catch {
        throw .malformed(
          option: "pattern", value: text, expected: "\(expected) (\(error.message))")
      }
    }
    return patterns
  }

  /// The advice for hiding the same texts in new recordings.
  var advice: String {
    var parts: [String] = secrets.names.map { "declare the input '\($0)' with 'secret: true'" }
    for place in places where place.isAnswer {
      parts.append("write 'secret: [\(place.path.text)]' on the step '\(place.step)'")
    }
    if !patterns.isEmpty { parts.append("add the pattern to 'redact' of flow.yaml") }
    return parts.joined(separator: ", and ")
  }
}

extension CommandContext {
  /// Hides texts in transcripts.
  func redact(_ paths: [String], _ options: RedactionOptions) -> ExitCode {
    var code = ExitCode.passed
    for path in paths {
      do {
        if try !redact(path, options), code == .passed { code = .failed }
      } catch let error as TranscriptError {
        print(error)
        code = .badInput
      } catch {
        process.say("\(error)")
        code = (error as? FileError)?.code ?? .badInput
      }
    }
    return code
  }

  /// Returns false if something is still to be hidden.
  private func redact(_ path: String, _ options: RedactionOptions) throws -> Bool {
    if TranscriptReader.isJournal(path) { throw RedactionProblem.journal(path) }
    let transcript = try TranscriptReader.read(path, allowsPipe: false)
    guard let plan = plan(try scenario(nil, of: transcript.header, in: path)),
      hidePatterns(around: plan.file, and: options.patterns)
    else { throw RedactionProblem.scenario(path) }
    let hiding = try redactor(for: transcript, plan, options)
    let redacted = try RedactedTranscript(transcript, at: path, of: plan, hiding)
    for change in redacted.changes {
      let places = change.paths.joined(separator: ", ")
      say(hiding.redacted("\(path):\(change.line): \(change.address): \(places)"))
    }
    if redacted.changes.isEmpty {
      if redacted.visibleLines.isEmpty { say("\(path): nothing to hide") }
    } else if options.isDry {
      say("\(path) would be redacted")
    } else {
      try write(redacted, to: path, options)
    }
    return finish(redacted, path, options)
  }

  private func finish(
    _ redacted: RedactedTranscript, _ path: String, _ options: RedactionOptions
  ) -> Bool {
    for line in redacted.visibleLines {
      say(
        "\(path):\(line): still shows a secret, in a name, a number or another place of flow's own")
    }
    return redacted.visibleLines.isEmpty && (!options.isDry || redacted.changes.isEmpty)
  }

  private func say(_ line: String) { confirm(line.onOneLine + "\n") }

  /// The redactor with everything to hide in a transcript.
  private func redactor(
    for transcript: Transcript, _ plan: Plan, _ options: RedactionOptions
  ) throws -> Redactor {
    let hiding = Redactor(within: redactor)
    let inputs = plan.inputs.filter(\.isSecret).map(\.name)
    let names = (options.secrets.names + inputs).unique
    transcript.reserveNumbers(in: hiding, except: names)
    for name in names {
      if let value = options.secrets.value(name) { try hiding.add(value, named: name) }
    }
    for place in options.places
    where try transcript.hide(place, of: plan, by: hiding) == 0 {
      throw RedactionProblem.nothing(at: place)
    }
    return hiding
  }

  private func write(
    _ redacted: RedactedTranscript, to path: String, _ options: RedactionOptions
  ) throws {
    let folder = Path.folder(of: path)
    // Released before bodies are removed, which needs the folder alone.
    do {
      let lock = FolderLock(sharing: folder)
      defer { withExtendedLifetime(lock) {} }
      try redacted.write(to: path, isPrivate: true)
    }
    say("redacted \(path)")
    try remove(redacted.formerBodies, in: folder)
    let advice =
      options.advice.isEmpty ? "" : "; to hide the same in new recordings, \(options.advice)"
    say("it replays as before\(advice)")
  }

  /// Removes bodies that no transcript names any more.
  private func remove(_ digests: [String], in folder: String) throws {
    if digests.isEmpty { return }
    let paths = digests.map { Path.joined(Path.joined(folder, BlobFolder.name), $0) }
    var orphans = try OrphanedFiles(in: [folder], isHolding: true)
    let unnamed = Set(paths)
    try orphans.remove { unnamed.contains($0.path) }
    for path in paths {
      let isRemoved = orphans.items.contains { $0.path == path && $0.isRemoved }
      say(
        isRemoved
          ? "removed \(path)"
          : "\(path) is kept, since another transcript names it: redact that one as well")
    }
  }
}

/// The reason that a transcript cannot be redacted.
private enum RedactionProblem: Error, CustomStringConvertible {
  case journal(String)
  case scenario(String)
  case nothing(at: RecordedPlace)

  var description: String {
    switch self {
    case .journal(let path):
      "'\(path)' is a journal, and its run can only continue with the texts in it: delete it when the run "
        + "is over"
    case .scenario(let path): "'\(path)' cannot be redacted without its scenario"
    case .nothing(let place):
      "no call of '\(place.step)' has a visible value at '\(place.path.text)' in its "
        + (place.isAnswer ? "answer" : "input")
    }
  }
}
