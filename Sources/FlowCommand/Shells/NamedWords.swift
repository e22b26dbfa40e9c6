internal import FlowCore
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// The kinds of names that a completion script asks for, because they are in scenarios.
enum NamedWords: String {
  case inputs, tags, components

  /// Returns the names in a scenario.
  fileprivate func words(of plan: Plan) -> [String] {
    switch self {
    case .inputs: plan.inputs.map { "\($0.name)=" }
    case .tags: plan.tags
    case .components: plan.components.map(\.name)
    }
  }
}

extension CommandContext {
  /// The most scenarios read for a completion, for which a person waits.
  private static let mostScenarios = 200

  /// Prints the names of a kind in the scenarios on a command line, a line each and sorted.
  ///
  /// Nothing for an unknown kind and for unreadable scenarios, since a shell shows no message.
  func printNames(_ kind: String, on words: [String]) -> ExitCode {
    guard let kind = NamedWords(rawValue: kind) else { return .passed }
    let loader = ScenarioLoader(registry: registry)
    var names: Set<String> = []
    for file in scenarios(on: words, kind).prefix(Self.mostScenarios) {
      guard let source = try? ScenarioSource(reading: file), let plan = try? loader.plan(source)
      else { continue }
      names.formUnion(kind.words(of: plan))
    }
    let lines = names.sorted().filter { $0.utf8.allSatisfy(Self.isPlain) }
    process.documentOutput(lines.map { $0 + "\n" }.joined())
    return .passed
  }

  /// True for a byte without a meaning for a shell.
  ///
  /// bash expands the words that it completes, and a scenario may come from anybody.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte.isWordCharacter || "-.=:/@+".utf8.contains(byte)
  }

  /// Returns the scenarios among the words, or else those of the project.
  ///
  /// An input belongs to one scenario, so it is none of the project's.
  private func scenarios(on words: [String], _ kind: NamedWords) -> [String] {
    let named = words.filter { word in
      ScenarioFinder.endings.contains(where: word.hasSuffix) && !FileSystem.isDirectory(word)
        && FileSystem.exists(word)
    }
    if !named.isEmpty || kind == .inputs { return named }
    let folders = words.filter(FileSystem.isDirectory)
    guard let project = try? Project(around: folders.first ?? ".", registry) else { return [] }
    let own = (project.file?.scenarios ?? []).map { project.path($0.value) }
    let finder = ScenarioFinder(
      excluding: (project.file?.exclude ?? []).map { project.path($0.value) })
    let paths = !folders.isEmpty ? folders : own.isEmpty ? [project.path(".")] : own
    return ((try? finder.files(at: paths))?.files ?? []).map(\.path)
  }
}
