/// Something that scenarios can talk to: a model, a service, a screen, a tool.
///
/// Conform an actor (or a struct, or a final class that is `Sendable`), and name it in the list of
/// the executable's `Registry`. What the protocol asks for:
///
/// 1. Everything it does is an operation; every failure a scenario may meet is a declared code.
/// 2. It sleeps, draws random numbers, reads the date and starts tasks through its `Context` only.
/// 3. Nothing outlives it: what it opened is closed when it is released.
public protocol Component: Sendable {
  /// What `with:` of the component's declaration holds; `Void` for nothing.
  associatedtype Settings: Sendable

  /// Name, version and purpose. Read once, when the registry is made.
  static var plugin: Plugin { get }

  /// The fields of `with:`. Read once, when the registry is made.
  static var settings: Record<Settings> { get }

  /// What scenarios can ask of it, in the order `flow list` prints. Read once.
  static var operations: [Operation<Self>] { get }

  /// What it may report by itself, in the order `flow list` prints. Read once. None by default.
  static var events: [EventDescription] { get }

  /// Where the state of a component with these settings lives. Read when it is opened in a run that
  /// has a journal, or that is resumed. What `plugin` says by default.
  static func state(for settings: Settings) -> Plugin.State

  /// Opens the component. Called once a run for each declaration in `components:`, in file order,
  /// before the first step; throwing fails the run.
  init(configuration: Settings, context: Context) async throws
}

extension Component {
  /// No events.
  public static var events: [EventDescription] { [] }

  /// The same place for all settings.
  public static func state(for settings: Settings) -> Plugin.State { plugin.state }
}

extension Component where Settings == Void {
  /// No settings.
  public static var settings: Record<Void> { .none }
}
