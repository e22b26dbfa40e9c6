internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowSystem
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#endif

extension CheckRun {
  /// The calls that block, or wait for something outside the run's time without saying so.
  func timeProblems() async -> [Diagnostic] {
    let live = live
    let watch = OutsideWaits(live.virtualTime)
    let record = await record([watch], in: live)
    return watch.found.map { wait in
      wait.fault.diagnostic(at: record.span(of: wait.address, in: plan.file))
    }
  }
}

/// A sink that finds calls waiting in real time.
///
/// A task waits until the run's time is idle. It wakes up only when the executor has nothing to do,
/// no task sleeps, and no work runs in `Context.outside`. An open call then waits for something
/// that the run's time does not know: a real timer, another thread, a server. Its wait is measured
/// only then, so a slow machine is no fault. A call that blocks its thread keeps the executor busy.
/// It is found by its thread, which has given up its processor, used none and wanted none.
private final class OutsideWaits: EventSink {
  struct Wait: Sendable {
    let address: Address
    let fault: CheckFault
  }

  private struct Open {
    let name: String
    let begin: ContinuousClock.Instant
    let thread: ThreadUse
    let holds: Int
    var isOutside = false
  }

  private struct State {
    var open: [Address: Open] = [:]
    var found: [Wait] = []
    var watch: Task<Void, Never>?
  }

  /// The allowed duration of a hop to another thread and back, also on a busy machine.
  private static let allowed = Duration.milliseconds(100)

  private let time: VirtualTime?
  private let state = Mutex(State())

  init(_ time: VirtualTime?) { self.time = time }
  var found: [Wait] { state.withLock { $0.found } }

  func receive(_ event: Event) {
    switch event {
    case .invoked(let invocation):
      let open = Open(
        name: invocation.name, begin: .now, thread: ThreadUse(), holds: time?.holds ?? 0)
      state.withLock { state in
        state.open[invocation.address] = open
        // Not before a call: an executor without work would wake the watch at once.
        if state.watch == nil { state.watch = watch() }
      }
    case .completed(let invocation, _): end(invocation.address)
    case .runEnded: state.withLock { $0.watch?.cancel() }
    default: return
    }
  }

  private func watch() -> Task<Void, Never>? {
    guard let time else { return nil }
    return Task(executorPreference: time) { [self] in
      // Cancelled at the end of the run, when nothing is open.
      try? await time.clock.untilIdle()
      state.withLock { state in
        for address in state.open.keys { state.open[address]?.isOutside = true }
        state.watch = nil
      }
    }
  }

  private func end(_ address: Address) {
    let (thread, holds) = (ThreadUse(), time?.holds ?? 0)
    state.withLock { state in
      guard let call = state.open.removeValue(forKey: address) else { return }
      let elapsed = call.begin.duration(to: .now)
      if call.isOutside, elapsed > Self.allowed {
        state.found.append(Wait(address: address, fault: .outsideWait(name: call.name, address)))
      } else if call.holds == holds, thread.idle(since: call.thread, elapsed) > Self.allowed {
        state.found.append(Wait(address: address, fault: .blocks(name: call.name, address)))
      }
    }
  }
}

private struct ThreadUse {
  #if canImport(Glibc) || canImport(Musl)
    private let thread = pthread_self()
    private let use: rusage
    /// The time that the thread has waited for a processor.
    private let queued = Self.queued()
    /// The time that other machines had the processors of a virtual one, in total.
    private let stolen = Self.stolen()

    init() {
      var use = rusage()
      // RUSAGE_THREAD of <bits/resource.h>, an enumerator that Swift sees as another type.
      unsafe getrusage(.init(1), &use)
      self.use = use
    }

    /// The time that the thread waited since an earlier measurement.
    ///
    /// Zero for another thread, and for a thread that wanted to run all the time.
    func idle(since earlier: ThreadUse, _ elapsed: Duration) -> Duration {
      guard pthread_equal(thread, earlier.thread) != 0, use.ru_nvcsw > earlier.use.ru_nvcsw else {
        return .zero
      }
      return elapsed - (processor - earlier.processor) - (queued - earlier.queued)
        - (stolen - earlier.stolen)
    }

    /// The second number of proc_pid_schedstat(5), in nanoseconds, or zero without such a file.
    private static func queued() -> Duration {
      .nanoseconds(number(1, in: "/proc/thread-self/schedstat") ?? 0)
    }

    /// The number after `cpu`, `user`, `nice`, `system`, `idle`, `iowait`, `irq` and `softirq` in the first line of
    /// proc_stat(5), in clock ticks.
    private static func stolen() -> Duration {
      let ticks = number(8, in: "/proc/stat") ?? 0
      return .seconds(ticks) / max(sysconf(Int32(_SC_CLK_TCK)), 1)
    }

    /// A number in the first line of a file, by its position among the words, from 0, or nil.
    private static func number(_ index: Int, in file: String) -> Int64? {
      guard let text = try? FileSystem.contents(of: file, limit: 1 << 20) else { return nil }
      let words = text.prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
      return words.count > index ? Int64(String(decoding: words[index], as: UTF8.self)) : nil
    }

    private var processor: Duration {
      .seconds(use.ru_utime.tv_sec + use.ru_stime.tv_sec)
        + .microseconds(use.ru_utime.tv_usec + use.ru_stime.tv_usec)
    }
  #else
    /// Other systems do not report the work of a single thread.
    func idle(since earlier: ThreadUse, _ elapsed: Duration) -> Duration { .zero }
  #endif
}
