import FlowSystem
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Signals that a process takes; each in a process of its own, since they are the whole process's.
@Suite struct SignalsTests {
  @Test func `all actions of a signal are called, until they are released`() async {
    await #expect(processExitsWith: .success) {
      let calls = Mutex<[String]>([])
      let first = TakenSignals([SIGUSR1, SIGUSR2]) { calls.withLock { $0.append("first") } }
      let second = TakenSignals([SIGUSR2]) { calls.withLock { $0.append("second") } }

      kill(getpid(), SIGUSR2)
      while calls.withLock(\.count) < 2 { sched_yield() }
      precondition(calls.withLock { $0.sorted() } == ["first", "second"])

      second.release()
      kill(getpid(), SIGUSR1)
      while calls.withLock(\.count) < 3 { sched_yield() }
      kill(getpid(), SIGUSR2)
      while calls.withLock(\.count) < 4 { sched_yield() }
      precondition(calls.withLock { $0.suffix(2) } == ["first", "first"])
      first.release()
    }
  }

  @Test func `a signal that was released does again what it did before`() async {
    await #expect(processExitsWith: .signal(SIGUSR2)) {
      let called = Atomic(false)
      let taken = TakenSignals([SIGUSR2]) { called.store(true, ordering: .relaxed) }
      kill(getpid(), SIGUSR2)
      while !called.load(ordering: .relaxed) { sched_yield() }
      taken.release()
      kill(getpid(), SIGUSR2)
      while true { pause() }
    }
  }

  @Test func `a signal that was ignored is ignored again`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      precondition(TakenSignals.isIgnored(SIGHUP) && !TakenSignals.isIgnored(SIGTERM))
      let taken = TakenSignals([SIGHUP]) {}
      precondition(!TakenSignals.isIgnored(SIGHUP))
      taken.release()
      precondition(TakenSignals.isIgnored(SIGHUP))
    }
  }
}
