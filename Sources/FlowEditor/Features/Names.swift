internal import FlowCore
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// Something with a name that a file declares.
enum NamedThing: Hashable {
  /// An id, an input or a variable, by the place of its declaration.
  case name(String, SourceSpan)
  case component(String, SourceSpan)
  /// A scenario, by its path.
  case scenario(String)
}

/// A place where a name is written.
struct Mention: Hashable {
  let span: SourceSpan
  let isDeclaration: Bool
}

/// The names in one file, as its index has them.
struct NamesOfFile {
  /// The path of the file, as diagnostics show it.
  let file: String
  let index: ScenarioIndex
  /// The indexes of the included files, by their paths from the main file's folder.
  let others: [String: ScenarioIndex]
  /// The lines that are no YAML, whose names are not known.
  let unread: [String]

  /// The thing whose name is at a place, or nil.
  func thing(at place: Position) -> NamedThing? {
    for declaration in index.declarations {
      if let span = declaration.span, span.contains(place) { return .name(declaration.name, span) }
    }
    if let use = index.uses.first(where: { $0.span.contains(place) }) {
      let declaration = index.declarations[use.declaration]
      return declaration.span.map { .name(declaration.name, $0) }
    }
    for component in index.components
    where component.span.contains(place) || component.uses.contains(where: { $0.contains(place) }) {
      return .component(component.name, component.span)
    }
    return included(at: place)
  }

  /// The other scenario at a place, or one of its inputs or components.
  private func included(at place: Position) -> NamedThing? {
    for inclusion in index.inclusions {
      guard let plan = inclusion.plan else { continue }
      if inclusion.span.contains(place) { return .scenario(plan.file) }
      let other = others[plan.path]
      if let given = inclusion.input.first(where: { $0.span.contains(place) }) {
        let declaration = other?.declarations.first { $0.name == "inputs.\(given.name)" }
        return declaration?.span.map { .name("inputs.\(given.name)", $0) }
      }
      if let given = inclusion.components.first(where: { $0.span.contains(place) }) {
        let component = other?.components.first { $0.name == given.name }
        return component.map { .component($0.name, $0.span) }
      }
    }
    return nil
  }

  /// Returns all places of a thing's name in the file, in file order.
  func mentions(of thing: NamedThing) -> [Mention] {
    switch thing {
    case .name(let name, let span):
      guard name.hasPrefix("inputs.") else { return span.file == file ? mentions(of: span) : [] }
      return (span.file == file ? mentions(of: span) : [])
        + given(String(name.dropFirst("inputs.".count)), in: span.file, \.input)
    case .component(let name, let span):
      return (span.file == file ? mentions(of: name, span) : [])
        + given(name, in: span.file, \.components)
    case .scenario(let path):
      return index.inclusions.filter { $0.file == path }.map {
        Mention(span: $0.span, isDeclaration: false)
      }
    }
  }

  /// The declarations at a place, of an id and its error, and their uses.
  private func mentions(of span: SourceSpan) -> [Mention] {
    let same = index.declarations.indices.filter { index.declarations[$0].span == span }
    let uses = index.uses.filter { same.contains($0.declaration) }.map(\.span)
    return [Mention(span: span, isDeclaration: true)]
      + uses.sorted { $0.start < $1.start }.map { Mention(span: $0, isDeclaration: false) }
  }

  /// The declaration of a component, and its uses.
  private func mentions(of component: String, _ span: SourceSpan) -> [Mention] {
    let uses = index.components.first { $0.name == component }?.uses ?? []
    return [Mention(span: span, isDeclaration: true)]
      + uses.map { Mention(span: $0, isDeclaration: false) }
  }

  /// The places that give an input or a component of another file.
  private func given(
    _ name: String, in other: String,
    _ given: (ScenarioIndex.Inclusion) -> [ScenarioIndex.Given]
  ) -> [Mention] {
    index.inclusions.filter { $0.file == other }.flatMap(given).filter { $0.name == name }
      .map { Mention(span: $0.span, isDeclaration: false) }
  }
}
