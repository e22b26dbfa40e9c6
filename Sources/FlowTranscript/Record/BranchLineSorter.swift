internal import FlowCore
internal import FlowEngine
internal import FlowSystem

/// Brings the lines of steps that run at the same time into the order of the scenario.
///
/// Lines of a branch are kept until all branches before it have ended. They are in
/// stretches: one for each running branch, one for the lines before the branches and one for those
/// after them.
struct BranchLineSorter {
  /// Adjacent lines of the transcript.
  private struct Stretch {
    /// Orders the stretches: the number of a stretch in its branch, the index of a branch inside of that
    /// one, and so on inwards.
    let key: [Int]
    var lines: [TranscriptLine] = []
    var isEnded = false
  }

  /// A running branch, or the run itself.
  private struct Writer {
    let key: [Int]
    /// The number of its present stretch.
    var number = 0
    /// The key of its present stretch.
    var stretch: [Int]
    /// The step whose branches it started last.
    var step: Address?
  }

  /// The stretches sorted by their keys.
  ///
  /// There are very many if a branch goes on before another with many iterations at once.
  private var stretches = [Stretch(key: [0])]
  private var run = Writer(key: [], stretch: [0])
  /// The running branches by their roots.
  private var branches: [Address: Writer] = [:]

  /// True if no branch is running.
  var isEmpty: Bool { branches.isEmpty }

  /// Starts a branch, after the lines written around its step.
  mutating func begin(_ branch: Branch) {
    let root = root(of: branch.address)
    var parent = writer(root)
    if parent.step != branch.address {
      parent.step = branch.address
      end(parent)
      parent.number += 1
      parent.stretch = insert(parent.key + [parent.number])
    }
    let key = parent.key + [parent.number - 1, branch.index]
    set(parent, root)
    branches[branch.root] = Writer(key: key, stretch: insert(key + [0]))
  }

  /// Ends a branch.
  mutating func end(_ branch: Branch) {
    guard let writer = branches.removeValue(forKey: branch.root) else { return }
    end(writer)
    // Everything is in its place, and nothing has to be kept apart any more.
    if isEmpty { run.step = nil }
  }

  /// Inserts a line at its place, in the run if no running branch contains it.
  mutating func append(_ line: TranscriptLine, at address: Address) {
    guard let index = index(of: writer(root(of: address)).stretch) else { return }
    stretches[index].lines.append(line)
  }

  /// Takes the lines with nothing more to come before them.
  mutating func takeReady() -> [TranscriptLine] {
    let ended = stretches.firstIndex { !$0.isEnded } ?? stretches.count
    var ready: [TranscriptLine] = []
    for stretch in stretches[..<ended] { ready += stretch.lines }
    stretches.removeFirst(ended)
    if !stretches.isEmpty {
      ready += stretches[0].lines
      stretches[0].lines.removeAll(keepingCapacity: true)
    }
    return ready
  }

  /// Returns the root of the innermost running branch around an address, or nil for the run.
  ///
  /// Looks up prefixes of the address, since a thousand branches may be running.
  private func root(of address: Address) -> Address? {
    if isEmpty { return nil }
    var path = Substring(address.path)
    while true {
      for count in (0...address.iterations.count).reversed() {
        let root = Address(
          path: String(path), iterations: Array(address.iterations.prefix(count)))
        if branches[root] != nil { return root }
      }
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      path = path[..<slash]
    }
  }

  private func writer(_ root: Address?) -> Writer { root.flatMap { branches[$0] } ?? run }

  private mutating func set(_ writer: Writer, _ root: Address?) {
    if let root { branches[root] = writer } else { run = writer }
  }

  private mutating func end(_ writer: Writer) {
    guard let index = index(of: writer.stretch) else { return }
    stretches[index].isEnded = true
  }

  /// Makes room for lines at the place of a key, which is given back.
  private mutating func insert(_ key: [Int]) -> [Int] {
    stretches.insert(Stretch(key: key), at: end(of: key))
    return key
  }

  /// The latest stretch with a key.
  private func index(of key: [Int]) -> Int? {
    let end = end(of: key)
    return end > 0 && stretches[end - 1].key == key ? end - 1 : nil
  }

  /// Returns the end of the stretches whose keys are not greater than this one.
  private func end(of key: [Int]) -> Int {
    stretches.partitioningIndex { key.lexicographicallyPrecedes($0.key) }
  }
}
