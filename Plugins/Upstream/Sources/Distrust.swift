internal import FlowCore
private import Synchronization

/// The failures of a run whose programs refused the certificates of the proxy.
///
/// Such a program sends no request, and looks like one that asks nothing. Most clients refuse during
/// the handshake: each connection counts that does not end it. Others end it before they look at the
/// certificate. So a host counts, too, to which no request comes after all.
final class Distrust: Sendable {
  private struct Host {
    /// The connections with a certificate that is not accepted.
    var offered = 0
    /// True if a request came.
    var isAsked = false
    /// The failure, unless all is well.
    var failure: PendingFailure?

    mutating func settle() {
      guard offered == 0, isAsked else { return }
      failure?.withdraw()
      failure = nil
    }
  }

  private struct State {
    /// The call of `environment` that gave out the variables last.
    var context: Context?
    var hosts: [String: Host] = [:]
    /// True if the scenario says itself what came.
    var isSettled = false
  }

  private let state = Mutex(State())

  /// Notes that a step has the variables.
  func handOut(_ context: Context) { state.withLock { $0.context = context } }

  /// Notes that the certificate of a host, as `https://pay.example`, is sent to a program, or that
  /// one has accepted it.
  func note(_ name: String, isAccepted: Bool) {
    state.withLock { state in
      guard !state.isSettled, let context = state.context else { return }
      var host = state.hosts[name] ?? Host()
      host.offered += isAccepted ? -1 : 1
      if host.failure == nil {
        host.failure = Self.failure(Messages.refusedCertificate(of: name), context)
      }
      host.settle()
      state.hosts[name] = host
    }
  }

  /// Notes a request to a host.
  func ask(_ name: String) {
    state.withLock { state in
      state.hosts[name, default: Host()].isAsked = true
      state.hosts[name]?.settle()
    }
  }

  /// Notes a step that asks for the requests or closes the port.
  func settle() {
    state.withLock { state in
      for host in state.hosts.values { host.failure?.withdraw() }
      state.isSettled = true
    }
  }

  private static func failure(_ text: String, _ context: Context) -> PendingFailure {
    context.failAtEnd(ComponentError(.untrusted, text), notes: Messages.trustAdvice)
  }
}

extension ErrorCode {
  static let untrusted = ErrorCode("untrusted", "A program refused the certificate of a host.")
}
