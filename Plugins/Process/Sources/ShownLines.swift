/// The lines of an output for a person who watches the run, as they come.
///
/// Of a flood only a part is shown, since nobody reads it and the program must not wait.
struct ShownLines: Sendable {
  /// The most lines in a second, and the most bytes of a line.
  private static let (mostLines, longestLine) = (300, 4_000)
  private static let newline = UInt8(ascii: "\n")

  private var line: [UInt8] = []
  private var isLineCut = false
  private var waiting: [String] = []
  /// The lines of the present second.
  private var count = 0
  private var second = ContinuousClock.now
  private var leavesOut = false

  /// Adds bytes of the output that came at a time.
  mutating func append(_ bytes: ArraySlice<UInt8>, at now: ContinuousClock.Instant = .now) {
    if second.duration(to: now) >= .seconds(1) { (second, count) = (now, 0) }
    var rest = bytes
    while let end = rest.firstIndex(of: Self.newline) {
      guard count < Self.mostLines else {
        leavesOut = true
        (line, isLineCut) = ([], false)
        rest = rest[(rest.lastIndex(of: Self.newline) ?? end)...].dropFirst()
        break
      }
      add(rest[..<end])
      endLine()
      rest = rest[(end + 1)...]
    }
    add(rest)
  }

  /// Takes the lines that are complete.
  mutating func take() -> [String] {
    if waiting.isEmpty { return [] }
    defer { waiting = [] }
    return waiting
  }

  /// Completes the last line at the end of the output.
  mutating func finish() {
    if !line.isEmpty { endLine() }
    if leavesOut { waiting.append("… lines are left out") }
    leavesOut = false
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    let room = Self.longestLine - line.count
    line += bytes.prefix(room)
    if bytes.count > room { isLineCut = true }
  }

  private mutating func endLine() {
    if leavesOut { waiting.append("… lines are left out") }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    waiting.append(Output.text(line[...], isCut: isLineCut))
    count += 1
    line.removeAll(keepingCapacity: true)
    (isLineCut, leavesOut) = (false, false)
  }
}
