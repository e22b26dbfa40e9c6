internal import FlowSystem

/// The order of a component's recorded calls during one call, task by task.
///
/// A task takes a call by its question and by the earlier questions of the task. So each task gets
/// the answers that belong together, whichever of several equal calls comes first.
struct TaskOrder {
  /// A recorded call.
  struct Entry {
    /// Its number in the recording.
    let number: Int
    /// The recorded task that made it, or 0 for the component's own.
    let lane: Int
    /// The hash of its question: name and input.
    let question: Int
  }

  /// A found call.
  struct Finding {
    /// Its number in the recording.
    let number: Int
    /// The number of the call that its task made before, and should have made after it.
    var after: Int?
    /// True if it was found before and is made again.
    var isRepeated = false
    /// True if it may be another one, because hidden texts cannot be told apart.
    var isUnsure = false
  }

  /// The calls to search for the first remaining one.
  private struct Queue {
    var indices: [Int] = []
    var next = 0

    mutating func first(besides isTaken: [Bool]) -> Int? {
      while next < indices.count, isTaken[indices[next]] { next += 1 }
      return next < indices.count ? indices[next] : nil
    }
  }

  private let entries: [Entry]
  /// The hash of the task's questions up to each call, including it.
  private var histories: [Int] = []
  /// The next call of the same task, or nil after the last one.
  private var following: [Int?]
  private var isTaken: [Bool]
  private var byHistory: [Int: Queue] = [:]
  private var byQuestion: [Int: Queue] = [:]
  /// The latest call of each task of the run.
  private var latest: [Int: Int] = [:]
  /// The tasks whose latest call was made by more tasks with the same history than recorded.
  ///
  /// More tasks than before share the work now.
  private var crowded: Set<Int> = []
  private let laneCount: Int

  /// The calls in their recorded order.
  init(_ entries: [Entry]) {
    self.entries = entries
    following = Array(repeating: nil, count: entries.count)
    isTaken = Array(repeating: false, count: entries.count)
    laneCount = (entries.lazy.map(\.lane).max() ?? 0) + 1
    var ends: [Int: Int] = [:]
    for (index, entry) in entries.enumerated() {
      let previous = ends.updateValue(index, forKey: entry.lane)
      if let previous { following[previous] = index }
      let history = Self.history(
        previous.map { histories[$0] }, entry.question, isOwn: entry.lane == 0)
      histories.append(history)
      byHistory[history, default: Queue()].indices.append(index)
      byQuestion[entry.question, default: Queue()].indices.append(index)
    }
  }

  private static func history(_ before: Int?, _ question: Int, isOwn: Bool) -> Int {
    var hasher = Hasher()
    hasher.combine(before ?? (isOwn ? 0 : 1))
    hasher.combine(question)
    return hasher.finalize()
  }

  /// Returns true if a call was not taken.
  func isLeft(_ number: Int) -> Bool { index(of: number).map { !isTaken[$0] } ?? false }

  /// The index of a call, by binary search, because the numbers rise.
  private func index(of number: Int) -> Int? {
    let index = entries.partitioningIndex { $0.number >= number }
    return index < entries.count && entries[index].number == number ? index : nil
  }

  /// The number of the next call of the recorded task, or nil if it was taken.
  func following(_ task: Int) -> Int? {
    latest[task].flatMap { following[$0] }.flatMap { isTaken[$0] ? nil : entries[$0].number }
  }

  /// The number of the first call with this question, taken or not.
  func known(_ question: Int) -> Int? {
    byQuestion[question]?.indices.first.map { entries[$0].number }
  }

  /// The numbers of the calls with the same question as one of them, including it.
  func equals(of number: Int) -> [Int] {
    guard let index = index(of: number) else { return [] }
    return byQuestion[entries[index].question]?.indices.map { entries[$0].number } ?? []
  }

  /// The recorded task of a task of the run, or a new one without a recorded call.
  func lane(of task: Int) -> Int {
    if task == 0 { return 0 }
    return latest[task].map { entries[$0].lane } ?? laneCount + task
  }

  /// Takes the call that a task of the run makes.
  ///
  /// Returns nil without a remaining one.
  mutating func take(_ question: Int, by task: Int) -> Finding? {
    let last = latest[task]
    let history = Self.history(last.map { histories[$0] }, question, isOwn: task == 0)
    let next = last.flatMap { following[$0] }
    if let next, !isTaken[next], histories[next] == history { return take(next, task, last) }
    let same = byHistory[history]?.first(besides: isTaken)
    guard let index = same ?? byQuestion[question]?.first(besides: isTaken) else { return nil }
    let finding = take(index, task, last)
    if same == nil, byHistory[history] != nil { crowded.insert(task) }
    return finding
  }

  /// Returns true if a call with this question remains, but none with the task's history.
  mutating func isUnsure(_ question: Int, by task: Int) -> Bool {
    let history = Self.history(latest[task].map { histories[$0] }, question, isOwn: task == 0)
    return byHistory[history]?.first(besides: isTaken) == nil
      && byQuestion[question]?.first(besides: isTaken) != nil
  }

  /// The number of the first remaining call with a question for which a condition holds.
  mutating func first(_ question: Int, where holds: (Int) -> Bool) -> Int? {
    guard byQuestion[question]?.first(besides: isTaken) != nil, let queue = byQuestion[question]
    else { return nil }
    return queue.indices[queue.next...].lazy.filter { [isTaken] in !isTaken[$0] }
      .map { [entries] in entries[$0].number }.first(where: holds)
  }

  /// Takes a call found in another way.
  mutating func take(number: Int, by task: Int) -> Finding? {
    guard let index = index(of: number) else { return nil }
    return take(index, task, latest[task])
  }

  private mutating func take(_ index: Int, _ task: Int, _ last: Int?) -> Finding {
    isTaken[index] = true
    latest[task] = index
    var finding = Finding(number: entries[index].number)
    let isCrowded = crowded.remove(task) != nil
    if let last, !isCrowded, isInverted(last, index) { finding.after = entries[last].number }
    return finding
  }

  /// Returns true if a call belongs before the last one of its task.
  ///
  /// False if another task asked one without the other: tasks that share their work divide it
  /// differently each time.
  private func isInverted(_ last: Int, _ index: Int) -> Bool {
    guard entries[last].lane == entries[index].lane, index < last else { return false }
    if entries[index].lane == 0 { return true }
    let others = Set(byQuestion[entries[last].question]?.indices.map { entries[$0].lane } ?? [])
    return byQuestion[entries[index].question]?.indices
      .allSatisfy { others.contains(entries[$0].lane) } ?? true
  }
}
