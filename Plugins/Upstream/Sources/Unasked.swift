internal import FlowCore
private import Synchronization

/// The failure of a run whose programs got the address of an upstream and sent nothing there.
///
/// A program that goes to its server past flow would leave an empty recording, and a green test as
/// long as the server can be reached.
final class Unasked: Sendable {
  private enum State {
    case waiting
    case handedOut(PendingFailure)
    /// Something came, or the scenario says itself what came.
    case settled
  }

  private let state = Mutex(State.waiting)

  /// Notes that a step has the address, in `what` form.
  func handOut(
    _ what: String, _ context: Context, notes: [String] = Messages.unaskedAdvice
  ) {
    state.withLock { state in
      guard case .waiting = state else { return }
      state = .handedOut(
        context.failAtEnd(
          ComponentError(.unasked, Messages.unasked(what)), notes: notes,
          ifPassed: true))
    }
  }

  /// Notes a request, or a step that asks for the requests or closes the port.
  func settle() {
    state.withLock { state in
      if case .handedOut(let failure) = state { failure.withdraw() }
      state = .settled
    }
  }
}

extension ErrorCode {
  static let unasked = ErrorCode("unasked", "No request came, although a step has the address.")
}
