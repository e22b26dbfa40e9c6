private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Signals of the process for which actions replace the default handling.
///
/// A handler may do hardly anything (signal-safety(7)): it writes the signal's number into a pipe
/// for a thread that is started with the first action. Dispatch would open a descriptor for each
/// signal and poll them all.
package final class TakenSignals: Sendable {
  private typealias Action = @Sendable () -> Void

  private struct State {
    var actions: [CInt: [ObjectIdentifier: Action]] = [:]
    /// The earlier handling of a signal.
    var before: [CInt: sigaction] = [:]
    /// True while the thread runs.
    var isListening = false
  }

  private static let state = Mutex(State())
  private let numbers: [CInt]

  /// Calls an action on a separate thread whenever the process receives one of these signals, until
  /// `release`.
  ///
  /// Signals of one kind at the same time may arrive as one. Several actions for one signal are all
  /// called, in any order. An action must not create or release any of these objects.
  package init(_ numbers: [CInt], _ action: @escaping @Sendable () -> Void) {
    self.numbers = numbers
    Self.state.withLock { state in
      // Without a pipe or a thread they keep their earlier handling.
      if !state.isListening { state.isListening = Self.listen() }
      guard state.isListening else { return }
      for number in numbers {
        state.actions[number, default: [:]][ObjectIdentifier(self)] = action
        if state.before[number] == nil { state.before[number] = Self.handle(number) }
      }
    }
  }

  deinit { release() }

  /// Calls the action no more, and waits for one that goes on.
  ///
  /// The last one to let go of a signal leaves it as it was before.
  package func release() {
    Self.state.withLock { state in
      for number in numbers {
        state.actions[number]?[ObjectIdentifier(self)] = nil
        guard state.actions[number]?.isEmpty == true else { continue }
        state.actions[number] = nil
        guard var before = state.before.removeValue(forKey: number) else { continue }
        _ = unsafe sigaction(number, &before, nil)
      }
    }
  }

  /// Returns true if the process was started with a signal ignored, as by `nohup`.
  package static func isIgnored(_ number: CInt) -> Bool {
    var present = sigaction()
    guard unsafe sigaction(number, nil, &present) == 0 else { return false }
    return present.isIgnoring
  }

  /// Installs the handler for a signal, and returns the earlier handling.
  private static func handle(_ number: CInt) -> sigaction {
    var (new, old) = (sigaction(), sigaction())
    // Most calls of the system go on by themselves then.
    new.sa_flags = SA_RESTART
    new.setHandler { number in
      let error = errno
      var byte = UInt8(truncatingIfNeeded: number)
      // A full pipe has more than anybody can do.
      _ = unsafe write(pipeEnd.load(ordering: .relaxed), &byte, 1)
      errno = error
    }
    _ = unsafe sigaction(number, &new, &old)
    return old
  }

  /// Starts the thread that calls the actions.
  ///
  /// Returns false when the system refuses.
  private static func listen() -> Bool {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    pipeEnd.store(ends[1], ordering: .relaxed)
    let argument = unsafe UnsafeMutableRawPointer(bitPattern: Int(ends[0]))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = unsafe pthread_create(
      &thread, nil,
      { argument in
        TakenSignals.tell(from: CInt(Int(bitPattern: argument)))
        return nil
      }, argument)
    if failure != 0 { for end in ends { close(end) } }
    return failure == 0
  }

  private static func tell(from pipe: CInt) {
    var byte: UInt8 = 0
    while true {
      switch unsafe read(pipe, &byte, 1) {
      case 1:
        // Under the lock, so that no action continues after its release.
        state.withLock { state in
          for action in state.actions[CInt(byte)]?.values.map({ $0 }) ?? [] { action() }
        }
      case ..<0 where errno == EINTR: continue
      default: return
      }
    }
  }
}

/// The end of the pipe for the handler, outside of types, so that the handler does nothing but load
/// it.
private let pipeEnd = Atomic<CInt>(-1)

extension sigaction {
  #if canImport(Darwin)
    fileprivate mutating func setHandler(_ handler: @escaping @convention(c) (CInt) -> Void) {
      unsafe __sigaction_u.__sa_handler = handler
    }

    fileprivate var isIgnoring: Bool {
      unsafe unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
    }
  #else
    fileprivate mutating func setHandler(_ handler: @escaping @convention(c) (CInt) -> Void) {
      unsafe __sigaction_handler.sa_handler = handler
    }

    fileprivate var isIgnoring: Bool {
      unsafe unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
    }
  #endif
}
