/// Something that scenarios can talk to: a model, a service, a screen, a tool.
///
/// Conform an actor (or a struct, or a final class that is `Sendable`), and name it in the list of
/// the executable's `Registry`. What the protocol asks for:
///
/// 1. Everything it does is an operation; every failure a scenario may meet is a declared code.
/// 2. It sleeps, draws random numbers, reads the date and starts tasks through its `Context` only, and does what goes on
///    outside of the run's time, such as a request, in `Context.outside`.
/// 3. Nothing outlives it: what it opened is closed by `close`.
public protocol Component: Sendable {
  /// Everything that a scenario sees of it, and how it is opened. Read once, when the registry is made.
  static var plugin: Plugin<Self> { get }

  /// Closes what the component has opened.
  ///
  /// Called once at the end of the run, or of the scenario that the component belongs to, after the tasks that
  /// it started have ended; also after a failure, and after a cancellation, which does not reach it. Not called for an
  /// object that a test brings along. Does nothing by default.
  func close() async
}

extension Component {
  /// Nothing is open.
  public func close() async {}
}

/// Where a component keeps its state, which resuming a run needs to know.
///
/// A wrong one repeats or loses effects when a run is resumed.
public enum ComponentState: String, Sendable {
  /// Nothing is kept from one operation to the next.
  case none
  /// In memory: gone with the process, rebuilt by repeating its recorded calls.
  case memory
  /// Outside of the process: a file, a server, a device.
  case external
}
