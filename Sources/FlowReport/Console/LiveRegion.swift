internal import FlowSystem
private import Synchronization

/// Rows at the bottom of a terminal about the running work, and the only writer of the text above
/// them.
///
/// Between two frames the cursor is at the start of the first row. Clearing everything below it
/// removes all rows, however a change of the window's size has wrapped them.
package final class LiveRegion: Sendable {
  /// The size of a window in cells.
  package struct Size: Sendable, Equatable {
    /// The number of cells in a row, 1 or more.
    package var columns: Int
    /// The number of rows, 1 or more.
    package var rows: Int

    /// Creates a window's size, by default the size of a VT100.
    package init(columns: Int = 80, rows: Int = 24) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// Returns the rows of a frame for a window, without control characters.
  ///
  /// Called ten times a second.
  package typealias Rows = @Sendable (Size) -> [String]

  fileprivate struct State {
    /// The maker of the shown rows, or nil while nothing is shown.
    var rows: Rows?
    var shown: [String] = []
    var size: Size?
    var drawn = Duration.zero
    /// Text waiting to be printed above the rows.
    var pending = ""
  }

  /// The shortest time between two frames.
  package static let interval = Duration.milliseconds(100)
  // What is printed is kept back for a frame up to this many bytes.
  private static let chunk = 32 << 10

  private let size: @Sendable () -> Size?
  private let write: @Sendable (String) -> Bool
  private let isVisible: @Sendable () -> Bool
  private let elapsed: @Sendable () -> Duration
  private let state = Mutex(State())

  /// Creates a region that shows nothing yet.
  ///
  /// - Parameters:
  ///   - size: Returns the window's size, or nil if it is unknown.
  ///   - clock: The clock for the time between frames.
  ///   - isVisible: Returns true if the terminal is this process's to draw on, not another one's.
  ///   - write: Writes to the terminal. Returns false if the text is lost.
  package init(
    size: @escaping @Sendable () -> Size?, clock: some Clock<Duration> = ContinuousClock(),
    isVisible: @escaping @Sendable () -> Bool = { true },
    write: @escaping @Sendable (String) -> Bool
  ) {
    self.size = size
    self.isVisible = isVisible
    self.write = write
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// Begins to show rows, from the next tick on.
  package func begin(_ rows: @escaping Rows) {
    state.withLock { state in
      state.rows = rows
      state.drawn = elapsed()
    }
  }

  /// Erases the rows and prints the waiting text.
  package func end() {
    state.withLock { state in
      let text = Self.erasure(of: state.shown) + state.pending
      state = State()
      if !text.isEmpty { _ = write(text) }
    }
  }

  /// Erases the rows until the next frame, as before the process is stopped.
  package func suspend() {
    state.withLock { state in
      let text = Self.erasure(of: state.shown) + state.takeLines()
      state.shown = []
      if !text.isEmpty { _ = write(text) }
    }
  }

  /// Draws a frame if something is new.
  ///
  /// A timer calls it once in an interval.
  ///
  /// - Returns: True if the printed text is written.
  @discardableResult
  package func tick() -> Bool {
    guard let make = state.withLock({ $0.rows }) else { return true }
    let (size, isVisible) = (self.size() ?? Size(), isVisible())
    // Without the lock, since the maker of the rows takes its own locks.
    let rows =
      isVisible ? make(size).prefix(size.rows - 1).map { $0.cut(toCells: size.columns) } : []
    return state.withLock { state in
      // The text below the cursor belongs to another process by now.
      if !isVisible { state.shown = [] }
      let isNew =
        rows != state.shown || size != state.size || state.pending.utf8.contains(Self.newline)
      guard isNew, state.rows != nil else { return true }
      state.size = size
      return draw(rows, &state)
    }
  }

  /// Prints text above the rows, at once or with the next frame.
  ///
  /// - Returns: False if text is lost, nil if nothing is shown and the text is not printed.
  package func print(_ text: String) -> Bool? {
    let isDue = state.withLock { state -> Bool? in
      guard state.rows != nil else { return nil }
      state.pending += text
      return state.pending.utf8.count >= Self.chunk || elapsed() - state.drawn >= Self.interval
    }
    return isDue.map { $0 ? tick() : true }
  }

  private static let newline = UInt8(ascii: "\n")

  private func draw(_ rows: [String], _ state: inout State) -> Bool {
    let text = state.takeLines()
    if text.isEmpty, rows.isEmpty, state.shown.isEmpty { return true }
    let frame = Self.erasure(of: state.shown) + text + Self.drawing(of: rows)
    state.shown = rows
    state.drawn = elapsed()
    // Terminals with this mode show the frame as a whole:
    // https://gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036
    return write("\u{1B}[?2026h" + frame + "\u{1B}[?2026l")
  }

  private static func erasure(of rows: [String]) -> String { rows.isEmpty ? "" : "\r\u{1B}[J" }

  /// Returns the rows without line wrapping, since the window may just have become narrower, and
  /// the way back.
  private static func drawing(of rows: [String]) -> String {
    if rows.isEmpty { return "" }
    let back = rows.count > 1 ? "\u{1B}[\(rows.count - 1)A" : ""
    return "\u{1B}[?7l" + rows.joined(separator: "\n") + "\u{1B}[?7h" + back + "\r"
  }
}

extension LiveRegion.State {
  /// Takes the whole lines of the waiting text, since nothing may come between the parts of a line.
  fileprivate mutating func takeLines() -> String {
    guard let last = pending.utf8.lastIndex(of: UInt8(ascii: "\n")) else { return "" }
    let end = pending.utf8.index(after: last)
    defer { pending = String(pending[end...]) }
    return String(pending[..<end])
  }
}
