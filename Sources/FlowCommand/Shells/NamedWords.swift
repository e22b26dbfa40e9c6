internal import FlowCore
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// The kinds of words to complete that are names in scenarios.
enum NamedWords {
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

  /// Returns the names of a kind in the scenarios on a command line, sorted.
  ///
  /// Nothing of unreadable scenarios, since a shell shows no message.
  func names(_ kind: NamedWords, on words: [String]) -> [String] {
    let loader = ScenarioLoader(registry: registry)
    var names: Set<String> = []
    for file in scenarios(on: words, kind).prefix(Self.mostScenarios) {
      guard let source = try? ScenarioSource(reading: file), let plan = try? loader.plan(source)
      else { continue }
      names.formUnion(kind.words(of: plan))
    }
    return names.sorted().filter { $0.utf8.allSatisfy(Self.isPlain) }
  }

  /// True for a byte without a meaning for a shell.
  ///
  /// A shell may run what it is offered, and a scenario may come from anybody.
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
