internal import FlowCore
internal import FlowEngine
private import Synchronization

/// A scheduler that orders a run's work by a strategy, and notes its decisions.
final class Steering: Scheduler {
  /// A way to choose the next task.
  enum Strategy: Sendable, Hashable {
    /// As written.
    case given([Schedule.Delay])
    /// Each ready task with equal chances.
    case random(UInt64)
    /// The task with the highest priority.
    ///
    /// At some moments its priority falls below all others.
    ///
    /// Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs"
    /// (2010).
    case priorities(UInt64, falls: [Int])
  }

  fileprivate struct State {
    var given: ArraySlice<Schedule.Delay> = []
    var generator = SeededGenerator(seed: 0, label: "schedule")
    var falls: [Int] = []
    var priorities: [UInt64: Int] = [:]
    var lowest = 0
    var delays: [Schedule.Delay] = []
    var widths: [Int] = []
    var delayed: [(moment: Int, tasks: [UInt64])] = []
  }

  private let strategy: Strategy
  private let notesTasks: Bool
  private let state: Mutex<State>

  /// Creates the scheduler of a run.
  ///
  /// Set `notesTasks` if the run's story will be told.
  init(_ strategy: Strategy, notesTasks: Bool = false) {
    self.strategy = strategy
    self.notesTasks = notesTasks
    var state = State()
    state.widths.reserveCapacity(32)
    switch strategy {
    case .given(let delays): state.given = delays[...]
    case .random(let seed): state.generator = SeededGenerator(seed: seed, label: "schedule")
    case .priorities(let seed, let falls):
      state.generator = SeededGenerator(seed: seed, label: "schedule")
      state.falls = falls
    }
    self.state = Mutex(state)
  }

  /// The decisions so far, as a schedule.
  var delays: [Schedule.Delay] { state.withLock { $0.delays } }
  /// The numbers of ready tasks at each moment so far.
  var widths: [Int] { state.withLock { $0.widths } }
  /// The delayed tasks, with the moments of their delays.
  var delayed: [(moment: Int, tasks: [UInt64])] { state.withLock { $0.delayed } }
  /// The number of moments.
  var moments: Int { state.withLock { $0.widths.count } }

  func delay(_ ready: ArraySlice<ReadyWork>) -> (count: Int, length: Schedule.Length) {
    state.withLock { state in
      let moment = state.widths.count
      state.widths.append(ready.count)
      var (count, length) = choice(at: moment, ready, &state)
      count = min(count, ready.count - 1)
      if count > 0 {
        state.delays.append(Schedule.Delay(at: moment, count: count, length))
        if notesTasks { state.delayed.append((moment, ready.prefix(count).map(\.task))) }
      }
      return (count, length)
    }
  }

  private func choice(
    at moment: Int, _ ready: ArraySlice<ReadyWork>, _ state: inout State
  ) -> (count: Int, length: Schedule.Length) {
    switch strategy {
    case .given:
      guard let next = state.given.first, next.moment == moment else { return (0, .untilIdle) }
      state.given.removeFirst()
      return (next.count, next.length)
    case .random:
      return (Int.random(in: 0..<ready.count, using: &state.generator), .behindOthers)
    case .priorities:
      let first = state.highest(of: ready)
      guard state.falls.contains(moment) else { return (first - ready.startIndex, .behindOthers) }
      state.lowest -= 1
      state.priorities[ready[first].task] = state.lowest
      return (state.highest(of: ready) - ready.startIndex, .behindOthers)
    }
  }
}

extension Steering.State {
  /// The position of the work whose task has the highest priority.
  ///
  /// A new task gets a random one.
  fileprivate mutating func highest(of ready: ArraySlice<ReadyWork>) -> Int {
    var best = (index: ready.startIndex, priority: Int.min)
    for index in ready.indices {
      let task = ready[index].task
      let priority = priorities[task] ?? Int.random(in: 1...1 << 40, using: &generator)
      priorities[task] = priority
      if priority > best.priority { best = (index, priority) }
    }
    return best.index
  }
}
