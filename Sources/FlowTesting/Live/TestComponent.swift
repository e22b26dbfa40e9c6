public import FlowCore
internal import FlowPlan

/// A component of a test, in place of one that the scenario would open.
public struct TestComponent: Sendable {
  /// The plugin with its own declarations and the test's way to open it.
  let plugin: RegisteredPlugin
  /// The name of the replaced component in the scenario, or nil for all of its plugin.
  let name: String?
  /// The stand-in that answers, or nil for a component of the plugin's own type.
  private let standIn: StandIn?

  /// An object that the test keeps and can look at afterwards.
  ///
  /// `name` is its name under the scenario's `components`. The scenario's settings for it are
  /// checked and not used.
  public static func instance<Concrete: Component>(
    _ component: Concrete, as name: String? = nil
  ) -> TestComponent {
    TestComponent(plugin: RegisteredPlugin(erasing: component), name: name, standIn: nil)
  }

  /// Scripted answers of a stand-in, which records the calls.
  ///
  /// `name` is its name under the scenario's `components`.
  public static func standIn(_ standIn: StandIn, as name: String? = nil) -> TestComponent {
    TestComponent(plugin: standIn.plugin, name: name, standIn: standIn)
  }

  var unscripted: [Diagnostic] { standIn?.unscripted ?? [] }

  /// The registry, with the test's components in place of its own.
  static func registry(
    _ registry: Registry?, replacing components: [TestComponent]
  ) throws(RegistryError) -> Registry {
    var plugins = try registry?.plugins ?? []
    for component in components {
      let name = component.plugin.plugin.name
      let index = plugins.firstIndex { $0.plugin.name == name }
      let plugin = component.plugin(replacing: index.map { plugins[$0] })
      if let index { plugins[index] = plugin } else { plugins.append(plugin) }
    }
    return try Registry(plugins: plugins)
  }

  /// The problems of test components that replace nothing in a scenario, or replace the same one.
  static func problems(_ components: [TestComponent], in plan: Plan) -> [Diagnostic] {
    let names = plan.components.map(\.name)
    var known: Set<String> = []
    return components.compactMap { component in
      let plugin = component.plugin.plugin.name
      if let name = component.name, !names.contains(name) {
        return .unknownComponent(name, among: names)
      }
      if known.insert(component.name ?? "plugin \(plugin)").inserted { return nil }
      let what = component.name.map { "the component '\($0)'" } ?? "the plugin '\(plugin)'"
      return Diagnostic("test component", "the test provides \(what) twice", at: nil)
    }
  }

  /// The replaced components of a scenario.
  func names(in plan: Plan) -> Set<String> {
    if let name { return [name] }
    return plan.names(ofComponents: plugin.plugin.name)
  }

  /// The plugin, which opens this component in its place and another one everywhere else.
  private func plugin(replacing other: RegisteredPlugin?) -> RegisteredPlugin {
    guard let name else { return plugin }
    return plugin.opened { [plugin] settings, context in
      // The address of an opening ends with the component's name.
      if context.address.path.split(separator: "/").last.map(String.init) == name {
        return try await plugin.open(settings, context)
      }
      guard let other else { throw UnknownTestComponent(name: name) }
      return try await other.open(settings, context)
    }
  }
}

extension Diagnostic {
  /// A test component with a name that the scenario does not have.
  static func unknownComponent(_ name: String, among names: [String]) -> Diagnostic {
    let offer = Suggestion.ending(for: name, among: Set(names).sorted())
    return Diagnostic(
      "test component", "the scenario has no component '\(name)'\(offer)", at: nil)
  }
}

private struct UnknownTestComponent: Error, CustomStringConvertible {
  let name: String

  var description: String { "the test provides '\(name)' only, and no other type" }
}
