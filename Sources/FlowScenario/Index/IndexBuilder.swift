internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// Collects the index of one file while it is planned.
///
/// A class, because the planner and all of its compilers write to the same one. It does not outlive
/// the planning.
final class IndexBuilder {
  /// A name and its place at run time, which together have one meaning at a time.
  private struct Meaning: Hashable {
    let name: String
    let slot: Slot
  }

  private(set) var index = ScenarioIndex()
  private let file: String
  private var latest: [Meaning: Int] = [:]
  private var components: [String: Int] = [:]
  /// The starts of the scalars whose expressions were compiled.
  private var compiledScalars: Set<Position> = []

  init(file: String) { self.file = file }

  // MARK: - Names for expressions

  func declare(_ name: String, _ type: ExpressionType, _ slot: Slot, at span: Span?) {
    latest[Meaning(name: name, slot: slot)] = index.declarations.count
    index.declarations.append(
      .init(name: name, type: type, slot: slot, span: span.map { SourceSpan($0, file: file) }))
  }

  func use(_ name: String, _ slot: Slot, at span: Span) {
    guard let declaration = latest[Meaning(name: name, slot: slot)] else { return }
    index.uses.append(.init(declaration: declaration, span: SourceSpan(span, file: file)))
  }

  /// Notes that the expressions of a scalar are compiled, with or without mistakes.
  func compiled(_ scalar: Span) { compiledScalars.insert(scalar.start) }

  func isCompiled(_ scalar: Span) -> Bool { compiledScalars.contains(scalar.start) }

  /// Notes the new meaning of a name, or that it has none any more.
  func change(_ name: String, _ binding: Environment.Binding?) {
    index.changes.append(.init(name: name, binding: binding))
  }

  // MARK: - Steps

  /// Notes a step that is about to be planned.
  ///
  /// Returns its number.
  func begin(_ path: String, at span: Span) -> Int {
    let count = index.changes.count
    index.steps.append(
      .init(path: path, span: SourceSpan(span, file: file), before: count, after: count))
    return index.steps.count - 1
  }

  func end(_ step: Int) { index.steps[step].after = index.changes.count }

  /// Notes that the names known now are those of the components' settings.
  func beginComponents() { index.beforeComponents = index.changes.count }

  /// Notes that the names known now are those of the outputs.
  func beginOutputs() { index.beforeOutputs = index.changes.count }

  // MARK: - Included scenarios

  func include(
    _ plan: Plan?, _ other: String, at span: Span, input: [Node.Entry], components: [Node.Entry]
  ) {
    // Planning uses them if the other scenario has no mistakes.
    for entry in components { use(component: entry.value.text, at: entry.value.span) }
    index.inclusions.append(
      .init(
        span: SourceSpan(span, file: file), file: other, plan: plan, input: given(input),
        components: given(components)))
  }

  private func given(_ entries: [Node.Entry]) -> [ScenarioIndex.Given] {
    entries.map { .init(name: $0.key.text, span: SourceSpan($0.key.span, file: file)) }
  }

  // MARK: - Components

  func declare(component name: String, at span: Span) {
    components[name] = index.components.count
    index.components.append(.init(name: name, span: SourceSpan(span, file: file)))
  }

  func resolve(component name: String, to plugin: RegisteredPlugin) {
    if let component = components[name] { index.components[component].plugin = plugin }
  }

  func use(component name: String, at span: Span) {
    let span = SourceSpan(span, file: file)
    guard let component = components[name], !index.components[component].uses.contains(span) else {
      return
    }
    index.components[component].uses.append(span)
  }
}
