internal import FlowCore
internal import FlowEngine

/// Brings the lines of steps that run at the same time into the order of the scenario.
///
/// Lines of a branch are kept until all branches before it have ended. The text consists of stretches: one
/// for each running branch, one for what came before the branches and one for what will come after them.
struct BranchOrder {
  /// Lines that stand together in the transcript.
  private struct Stretch {
    /// Orders the stretches: the number of a stretch in its branch, the index of a branch inside of that
    /// one, and so on inwards.
    let key: [Int]
    var lines: [UInt8] = []
    var isEnded = false
  }

  /// A running branch, or the run itself.
  private struct Writer {
    /// Nil for the run.
    let branch: Branch?
    let key: [Int]
    /// The number of its present stretch.
    var stretch = 0
    /// The step whose branches it began last.
    var step: Address?

    /// The key of the stretch that it writes now.
    var presentKey: [Int] { key + [stretch] }
  }

  private var stretches = [Stretch(key: [0])]
  /// The run first, then the branches in the order of their beginnings, so an inner one comes later.
  private var writers = [Writer(branch: nil, key: [])]

  /// Whether no branch is running.
  var isEmpty: Bool { writers.count == 1 }

  /// Begins a branch behind the lines that its step's surroundings have written.
  mutating func begin(_ branch: Branch) {
    let parent = writer(of: branch.address)
    if writers[parent].step != branch.address {
      writers[parent].step = branch.address
      end(writers[parent])
      writers[parent].stretch += 1
      insert(Stretch(key: writers[parent].presentKey))
    }
    let key = writers[parent].key + [writers[parent].stretch - 1, branch.index]
    let writer = Writer(branch: branch, key: key)
    writers.append(writer)
    insert(Stretch(key: writer.presentKey))
  }

  /// Ends a branch, which writes nothing more.
  mutating func end(_ branch: Branch) {
    guard let index = writers.firstIndex(where: { $0.branch == branch }) else { return }
    end(writers.remove(at: index))
    // Everything is in its place, and nothing has to be kept apart any more.
    if isEmpty { writers[0].step = nil }
  }

  /// Adds lines at their place; what no running branch contains belongs to the run.
  mutating func append(_ lines: [UInt8], at address: Address) {
    let key = writers[writer(of: address)].presentKey
    guard let index = stretches.firstIndex(where: { $0.key == key }) else { return }
    stretches[index].lines += lines
  }

  /// Takes the lines before which nothing can come any more.
  mutating func takeReady() -> [UInt8] {
    if stretches.count == 1 && stretches[0].lines.isEmpty { return [] }
    var ready: [UInt8] = []
    let ended = stretches.prefix { $0.isEnded }
    for stretch in ended { ready += stretch.lines }
    stretches.removeFirst(ended.count)
    if !stretches.isEmpty {
      ready += stretches[0].lines
      stretches[0].lines = []
    }
    return ready
  }

  private func writer(of address: Address) -> Int {
    writers.lastIndex { $0.branch?.contains(address) ?? true } ?? 0
  }

  private mutating func end(_ writer: Writer) {
    guard let index = stretches.firstIndex(where: { $0.key == writer.presentKey }) else { return }
    stretches[index].isEnded = true
  }

  private mutating func insert(_ stretch: Stretch) {
    let index = stretches.lastIndex { $0.key.lexicographicallyPrecedes(stretch.key) }
    stretches.insert(stretch, at: index.map { $0 + 1 } ?? 0)
  }
}
