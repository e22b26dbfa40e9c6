internal import FlowCore
internal import FlowExplore
internal import FlowImport
internal import FlowOpenAPI
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The options of `flow explore --generate` with a description.
struct DescribedCallsOptions: Sendable {
  private static let outputs: [ReportFormat<ContractGenerationReport>] = [.text, .json]

  /// The path of the description.
  let file: String
  /// The address of the service.
  let address: String
  /// The folder of the scenarios that are written.
  let folder: String
  /// The headers of every request.
  fileprivate let headers: [(name: String, value: String)]
  fileprivate var generator = ContractGenerator.Options()
  fileprivate let output: ReportFormat<ContractGenerationReport>
  fileprivate let repeated: String

  /// Reads the options.
  ///
  /// Nil without `--generate`, and for a scenario.
  init?(_ arguments: ParsedArguments, _ explorer: ExplorationOptions) throws(UsageError) {
    let operand = arguments.operands[0]
    guard let to = try arguments.only("to") else {
      for option in ["output", "header"] where arguments.has(option) {
        throw .needs(option: option, other: "to")
      }
      if Self.isDescription(operand) {
        throw .needs(option: "generate", other: "to")
      }
      return nil
    }
    guard let names = try arguments.only("generate") else {
      throw .needs(option: "to", other: "generate")
    }
    let others = ["live", "faults", "silence", "duplicates", "delays", "svg", "crashes", "jobs"]
    for other in others where arguments.has(other) {
      throw .conflict(option: "generate", with: other)
    }
    if !names.isEmpty {
      throw .malformed(option: "generate", value: names, expected: "no names with a description")
    }
    address = try Self.address(to)
    headers = try Self.headers(arguments.values("header"))
    file = operand
    folder = try arguments.only("output") ?? Path.folder(of: operand)
    if folder.isEmpty { throw .emptyPath }
    output = try Self.outputs.chosen(by: arguments)
    generator.explorer = explorer
    if arguments.has("budget") { generator.budget = explorer.budget }
    repeated = RepeatedOptions(arguments).text
  }

  private static func headers(
    _ texts: [String]
  ) throws(UsageError) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    for text in texts {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0.trimming { $0 == " " }) }
      guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(" ") else {
        // The rest may be a secret.
        let start = text.prefix { $0 != " " && $0 != "=" }
        throw .malformed(option: "header", value: String(start), expected: "NAME: VALUE")
      }
      // Whatever its value, since the name alone asks for a secret.
      if CredentialNames.isSecret(parts[0]) || parts[0].lowercased() == "cookie" {
        throw .secretHeader(parts[0])
      }
      headers.append((parts[0], parts[1]))
    }
    return headers
  }

  private static func isDescription(_ path: String) -> Bool {
    (try? FileSystem.contents(of: path, limit: Import.largest)).map(Import.isDescription) ?? false
  }

  private static func address(_ text: String) throws(UsageError) -> String {
    var text = text
    while text.hasSuffix("/") { text.removeLast() }
    if let sign = text.lastIndex(of: "@") {
      let host = String(text[sign...].dropFirst())
      throw .malformed(option: "to", value: host, expected: "an address without a user")
    }
    guard ["http://", "https://"].contains(where: text.lowercased().hasPrefix),
      !text.contains(where: { "?#".contains($0) || $0.isWhitespace })
    else {
      throw .malformed(
        option: "to", value: text, expected: "an address such as http://127.0.0.1:8000")
    }
    return text
  }
}

extension CommandContext {
  /// Searches for answers of a service that its description does not allow.
  func generate(
    _ options: DescribedCallsOptions, _ given: GivenInputs, hiding secrets: GivenSecrets
  ) async throws(UsageError) -> ExitCode {
    guard let service = service(options, secrets) else { return .badInput }
    if let code = prepareFolder(for: service, options) { return code }
    var inner = self
    inner.input = ScenarioSource(
      file: Path.joined(options.folder, "generated.yaml"), bytes: Array(service.text.utf8))
    guard let plan = inner.plan(inner.input?.file ?? "", running: .all) else { return .badInput }
    let texts = try secrets.inputs(given.texts, of: plan)
    guard let inputs = inner.inputs(of: plan, texts, given) else { return .badInput }
    var options = options
    options.generator.explorer = explorerOptions(options.generator.explorer, secrets)
    let latest = LatestRow()
    options.generator.progress = { latest.row = $0.text }
    let generator = ContractGenerator(
      service, of: plan, inputs: inputs, options.generator,
      plan: findingPlan(in: options.folder))
    let (generation, wasInterrupted) = await search(latest) { await generator.generate() }
    plan.hideSecrets(inputs: inputs, by: redactor)
    let code = report(generation, options)
    return wasInterrupted ? .interrupted : code
  }

  /// Makes the folder of the scenarios, or returns a code after printing why that is not possible.
  private func prepareFolder(
    for service: DescribedService, _ options: DescribedCallsOptions
  ) -> ExitCode? {
    if service.contract == nil {
      process.say(
        "scenarios in '\(options.folder.onOneLine)' cannot read '\(options.file.onOneLine)'; "
          + "create 'flow.yaml' in a folder around both, or leave out '--output'")
      return .badInput
    }
    do throws(FileError) {
      // A scenario finds the description from its folder, so this has to exist.
      try FileSystem.makeFolders(options.folder)
      return nil
    } catch {
      process.say("\(error)")
      return .cannotWrite
    }
  }

  /// Writes the scenarios of the findings, and prints all.
  private func report(
    _ generation: ContractGeneration, _ options: DescribedCallsOptions
  ) -> ExitCode {
    if !generation.problems.isEmpty {
      print(generation.problems)
      return .failed
    }
    let written = generation.findings.map { keep($0, options) }
    write(
      ContractGenerationReport(
        generation, of: options.file, at: options.address, written: written),
      as: options.output)
    judge(generation, written)
    return generation.exitCode(
      areWritten: !zip(generation.findings, written).contains {
        $0.text != nil && $1 == nil
      })
  }

  /// Adds the findings to the verdict for programs.
  private func judge(
    _ generation: ContractGeneration, _ written: [ContractGenerationReport.Written?]
  ) {
    guard verdict.isActive else { return }
    verdict.count(generation.verdictCounts)
    if generation.isUnreachable {
      verdict.add(code: "unreachable", "the service cannot be reached", next: verdict.again)
    } else if generation.isBarred {
      verdict.add(
        code: "refused", "the service accepted too few requests to judge it", next: verdict.again)
    }
    for (finding, written) in zip(generation.findings, written) where finding.text != nil {
      verdict.add(
        code: finding.rule.rawValue,
        redactor.redacted("\(finding.operation): \(finding.reason)".onOneLine),
        next: written?.command ?? "")
    }
  }

  /// Reads the description, or returns nil after printing its problems.
  private func service(
    _ options: DescribedCallsOptions, _ secrets: GivenSecrets
  ) -> DescribedService? {
    let folder = Path.folder(of: options.file)
    let directory = Directory(folder, inside: ProjectFolder.path(around: folder))
    let name = String(options.file.split(separator: "/").last ?? "")
    do {
      let description = try OpenAPIDescription(name) { try DocumentReader.read(directory, $0) }
      let login = ServiceLogin(description, headers: options.headers) {
        secrets.value($0) != nil
      }
      return DescribedService(
        description, at: options.address,
        contract: FileSystem.realPath(options.file).flatMap {
          Self.way(to: $0, from: options.folder)
        }, login: login)
    } catch {
      process.say("'\(options.file.onOneLine)': \(error)")
      return nil
    }
  }

  /// Returns a function that plans a text as a scenario of a folder.
  private func findingPlan(
    in folder: String
  ) -> @Sendable (String) throws(ScenarioError) -> Plan {
    let loader = ScenarioLoader(registry: registry.limited(to: permissions.network))
    return { text throws(ScenarioError) in
      try loader.plan(
        ScenarioSource(file: Path.joined(folder, "generated.yaml"), bytes: Array(text.utf8)))
    }
  }

  // MARK: - Scenarios

  /// Writes the scenario of a finding with its transcript, unless an equal one exists.
  ///
  /// Nil without a scenario, and after printing why it was not written.
  private func keep(
    _ finding: ContractGeneration.Finding, _ options: DescribedCallsOptions
  ) -> ContractGenerationReport.Written? {
    guard let text = finding.text, let run = finding.run else { return nil }
    let bytes = Array(text.utf8)
    let stem = Path.joined(options.folder, finding.fileName(for: options.file))
    var (path, number) = ("\(stem).yaml", 1)
    do throws(FileError) {
      while FileSystem.isOccupied(path) {
        if Self.isSame(try? FileSystem.contents(of: path, limit: bytes.count), bytes) {
          return written(path, options, isKnown: true)
        }
        number += 1
        path = "\(stem)-\(number).yaml"
      }
      try FileSystem.replace(
        path, with: bytes, followsLinks: false, isPrivate: run.transcript.isPrivate)
      try run.transcript.write(to: Path.transcript(of: path))
      return written(path, options, isKnown: false)
    } catch {
      process.say("\(error)")
      return nil
    }
  }

  /// Returns true for equal scenarios.
  ///
  /// The text that has to be different in each run does not count.
  private static func isSame(_ known: [UInt8]?, _ bytes: [UInt8]) -> Bool {
    let lines = [known ?? [], bytes].map { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter {
        !$0.contains(DescribedService.uniqueStart)
      }
    }
    return lines[0] == lines[1]
  }

  private func written(
    _ path: String, _ options: DescribedCallsOptions, isKnown: Bool
  ) -> ContractGenerationReport.Written {
    ContractGenerationReport.Written(
      scenario: path, command: "flow run \(path.shellPath)\(options.repeated)", isKnown: isKnown)
  }
}

extension ContractGeneration.Finding {
  /// `shop.server-error-post-orders` for a description `shop.yaml`.
  fileprivate func fileName(for file: String) -> String {
    let stem = (file.split(separator: "/").last ?? "").prefix { $0 != "." }
    let name = operation.lowercased().split { !($0.isLetter || $0.isNumber) }
      .joined(separator: "-")
    return "\(stem).\(rule.rawValue)-\(name.prefix(80))"
  }
}

extension ContractGeneration {
  fileprivate func exitCode(areWritten: Bool) -> ExitCode {
    if isUnreachable { return .failed }
    if operations.count == undrawn.count { return .badInput }
    if repeatedCount == 0 { return isBarred ? .failed : .passed }
    return areWritten ? .failed : .cannotWrite
  }
}
