internal import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// The components of a scenario, and their uses by its steps.
///
/// A class, because every planned step notes its uses. It does not outlive the planning.
final class DeclaredComponents {
  private let plugins: KnownPlugins
  private let diagnostics: DiagnosticCollector
  /// The index of the file, or nil if nobody asks for it.
  private let index: IndexBuilder?
  private(set) var planned: [PlannedComponent] = []
  /// The positions of the components in opening order.
  var openingOrder: [Int] = []
  private var indices: [String: Int] = [:]
  private var used: Set<Int> = []
  /// Components with a wrong declaration.
  ///
  /// Their steps are not reported as well.
  private var broken: Set<String> = []
  private var operations: [String: OperationReference] = [:]

  init(_ plugins: KnownPlugins, _ diagnostics: DiagnosticCollector, _ index: IndexBuilder?) {
    self.index = index
    self.plugins = plugins
    self.diagnostics = diagnostics
  }

  // MARK: - Declarations

  func plugin(of declaration: Scenario.ComponentDeclaration) -> RegisteredPlugin? {
    if let node = declaration.plugin {
      let file = diagnostics.file
      do throws(PluginError) {
        if let plugin = try plugins.plugin(node.text, in: file) { return plugin }
        diagnostics.add(.unknownPlugin(node.text, among: plugins.names(in: file)), at: node.span)
      } catch {
        diagnostics.add(.unusablePlugin(error), at: node.span)
      }
    }
    broken.insert(declaration.name)
    return nil
  }

  /// The command that describes a plugin in flow.lock, or nil for one that is not from there.
  func lock(of plugin: RegisteredPlugin) -> String? {
    plugins.registry.names.contains(plugin.plugin.name) ? nil : LockFile.command
  }

  func declare(_ component: PlannedComponent) {
    indices[component.name] = planned.count
    planned.append(component)
    index?.resolve(component: component.name, to: component.plugin)
  }

  /// The position of a component, or nil for an unknown one, or one with a wrong declaration.
  func index(of name: String) -> Int? { indices[name] }

  func fill(_ roles: [PlannedRole], optional calls: Set<String>, of index: Int) {
    planned[index].roles = roles
    planned[index].optionalCalls = calls
  }

  /// The position of the component that a node names in another one's declaration, or nil after a
  /// problem.
  func use(_ node: Node) -> Int? {
    index?.use(component: node.text, at: node.span)
    if let index = indices[node.text] {
      used.insert(index)
      return index
    }
    if !broken.contains(node.text) {
      diagnostics.add(.unknownComponent(node.text, among: indices.keys.sorted()), at: node.span)
    }
    return nil
  }

  func isUnused(_ name: String) -> Bool { indices[name].map { !used.contains($0) } ?? false }

  var secretFields: [String] {
    planned.flatMap(\.plugin.operations).flatMap(\.input.fields).filter(\.isSecret).map(\.name)
  }

  // MARK: - Uses

  func operation(_ node: Node) -> OperationReference? {
    index?.use(component: node.componentName, at: node.beforePoint)
    if let known = operations[node.text] {
      used.insert(known.component)
      return known
    }
    guard let (index, name) = component(of: node, for: .operation) else { return nil }
    let component = planned[index]
    guard let name else {
      let known = component.plugin.operations.map(\.name)
      return diagnostics.reject(
        .noOperation(node.text, component: component.name, known: known), at: node.span)
    }
    guard let operation = component.plugin.operationIndex(name) else {
      reportUnknownOperation(name, of: component, at: node.behindPoint)
      return nil
    }
    let reference = OperationReference(
      component: index, index: operation, name: node.text, plugin: component.plugin,
      usesRoles: component.isUsing, volatile: component.volatile[name] ?? [])
    operations[node.text] = reference
    return reference
  }

  func event(_ node: Node) -> EventReference? {
    index?.use(component: node.componentName, at: node.beforePoint)
    guard let (index, name) = component(of: node, for: .event) else { return nil }
    let component = planned[index]
    let events = component.plugin.events
    let known = events.map(\.name)
    guard let name else {
      return diagnostics.reject(
        .noEvent(node.text, component: component.name, known: known), at: node.span)
    }
    guard let event = events.first(where: { $0.name == name }) else {
      return diagnostics.reject(
        .unknownEvent(name, component: component.name, known: known), at: node.behindPoint)
    }
    return EventReference(component: index, name: node.text, description: event)
  }

  /// The kind of member named after the point.
  private enum Member { case operation, event }

  /// Returns the component and, unless it is missing, the member in a string such as
  /// `balance.load`.
  ///
  /// Nil after a problem.
  private func component(of node: Node, for member: Member) -> (index: Int, member: String?)? {
    let parts = node.text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard let index = indices[name] else {
      if !broken.contains(name) { reportUnknownComponent(name, in: node, for: member) }
      return nil
    }
    used.insert(index)
    return (index, parts.count == 2 && !parts[1].isEmpty ? String(parts[1]) : nil)
  }

  private func reportUnknownComponent(_ name: String, in node: Node, for member: Member) {
    let known = indices.keys.sorted()
    guard name == node.text, Suggestion.nearest(to: name, among: known).isEmpty else {
      let meant = planned.filter { $0.plugin.plugin.name == name }.map(\.name).sorted()
      return diagnostics.add(
        .unknownComponent(name, among: known, ofPlugin: meant), at: node.beforePoint)
    }
    let owners = planned.filter { component in
      let plugin = component.plugin
      return switch member {
      case .operation: plugin.operationIndex(name) != nil
      case .event: plugin.events.contains { $0.name == name }
      }
    }
    let full = owners.map { "\($0.name).\(name)" }
    diagnostics.add(
      member == .operation
        ? .noComponent(operation: name, near: full) : .noComponent(event: name, near: full),
      at: node.span)
  }

  private func reportUnknownOperation(
    _ name: String, of component: PlannedComponent, at span: Span
  ) {
    let elsewhere = planned.filter { $0.plugin.operationIndex(name) != nil }
    diagnostics.add(
      .unknownOperation(
        name, component: component.name, of: component.plugin, lock: lock(of: component.plugin),
        elsewhere: elsewhere.map { "\($0.name).\(name)" }), at: span)
  }
}

extension Node {
  /// The text before the first point of a string such as `balance.load`.
  fileprivate var componentName: String { String(text.prefix { $0 != "." }) }

  /// The part before the first point of a string such as `balance.load`.
  fileprivate var beforePoint: Span {
    guard let point = pointMark else { return span }
    return Span(start: span.start, end: point)
  }

  fileprivate var behindPoint: Span {
    guard let point = pointMark else { return span }
    return Span(start: Position(line: point.line, column: point.column + 1), end: span.end)
  }

  /// The place of the first point, or nil if the text's notation differs from its content.
  private var pointMark: Position? {
    guard isPlain, span.start.line == span.end.line,
      let offset = Array(text.unicodeScalars).firstIndex(of: ".")
    else { return nil }
    return Position(line: span.start.line, column: span.start.column + offset)
  }
}
