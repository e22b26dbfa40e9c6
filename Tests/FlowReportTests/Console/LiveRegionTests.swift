import FlowReport
import FlowSystem
import Synchronization
import Testing

/// The rows at the bottom of a terminal, and the output above them.
@Suite struct LiveRegionTests {
  /// A region in a window, with a clock that the test sets.
  private struct Window {
    let clock = TickingClock(.zero)
    private let text = Text()
    let region: LiveRegion
    private let size: Setting

    private final class Text: Sendable {
      private let all = Mutex("")

      func append(_ more: String) -> Bool {
        all.withLock { $0 += more }
        return true
      }

      func take() -> String {
        all.withLock { text in
          defer { text = "" }
          return text
        }
      }
    }

    private final class Setting: Sendable {
      let value = Mutex(LiveRegion.Size(columns: 10, rows: 4))
      let isVisible = Mutex(true)
    }

    init() {
      let (text, size) = (text, Setting())
      self.size = size
      region = LiveRegion(
        size: { size.value.withLock { $0 } }, clock: clock,
        isVisible: { size.isVisible.withLock { $0 } }
      ) {
        text.append($0)
      }
    }

    func setVisible(_ isVisible: Bool) { size.isVisible.withLock { $0 = isVisible } }

    func resize(columns: Int, rows: Int) {
      size.value.withLock { $0 = LiveRegion.Size(columns: columns, rows: rows) }
    }

    /// The output since the last call, with `^` for the escape character and `<` for a return.
    func written() -> String {
      text.take().replacing("\u{1B}", with: "^").replacing("\r", with: "<")
    }
  }

  @Test func `rows are erased before the process is stopped, and drawn again after it`() {
    let window = Window()
    window.region.begin { _ in ["one"] }
    window.region.tick()
    _ = window.written()

    window.region.suspend()
    #expect(window.written() == "<^[J")
    window.region.tick()
    #expect(window.written() == "^[?2026h^[?7lone^[?7h<^[?2026l")
  }

  @Test func `a process in the background prints its lines and draws and erases nothing`() {
    let window = Window()
    window.region.begin { _ in ["one"] }
    window.region.tick()
    _ = window.written()

    window.setVisible(false)
    window.clock.advance(by: .seconds(1))
    #expect(window.region.print("line\n") == true)
    window.region.tick()
    #expect(window.written() == "^[?2026hline\n^[?2026l")

    window.setVisible(true)
    window.region.tick()
    #expect(window.written() == "^[?2026h^[?7lone^[?7h<^[?2026l")
  }

  @Test func `a frame is one text, and leaves the cursor where it began`() {
    let window = Window()

    window.region.begin { _ in ["one", "two"] }
    window.region.tick()

    #expect(window.written() == "^[?2026h^[?7lone\ntwo^[?7h^[1A<^[?2026l")
  }

  @Test func `what has not changed is not drawn again, but in another window`() {
    let window = Window()
    window.region.begin { _ in ["one"] }
    window.region.tick()
    _ = window.written()

    window.region.tick()
    #expect(window.written() == "")
    window.resize(columns: 11, rows: 4)
    window.region.tick()
    #expect(window.written() == "^[?2026h<^[J^[?7lone^[?7h<^[?2026l")
  }

  @Test func `lines go above the rows, at most ten times a second`() {
    let window = Window()
    window.region.begin { _ in ["row"] }
    window.region.tick()
    _ = window.written()

    #expect(window.region.print("first\n") == true)
    #expect(window.region.print("second\nhalf") == true)
    #expect(window.written() == "")
    window.region.tick()
    #expect(window.written() == "^[?2026h<^[Jfirst\nsecond\n^[?7lrow^[?7h<^[?2026l")
    window.clock.advance(by: .milliseconds(100))
    _ = window.region.print(" a line\n")
    #expect(window.written() == "^[?2026h<^[Jhalf a line\n^[?7lrow^[?7h<^[?2026l")
  }

  @Test func `the end erases the rows and prints all that was kept back`() {
    let window = Window()
    window.region.begin { _ in ["row"] }
    window.region.tick()
    _ = window.region.print("a line\nand half of one")
    _ = window.written()

    window.region.end()
    #expect(window.written() == "<^[Ja line\nand half of one")
    #expect(window.region.print("not mine") == nil)
    window.region.tick()
    window.region.end()
    #expect(window.written() == "")
  }

  @Test func `a short command shows no row at all`() {
    let window = Window()

    window.region.begin { _ in ["row"] }
    _ = window.region.print("a line\n")
    window.region.end()

    #expect(window.written() == "a line\n")
  }

  @Test func `much text is not kept back`() {
    let window = Window()
    window.region.begin { _ in ["row"] }
    let line = String(repeating: "x", count: 99) + "\n"

    for _ in 0..<330 { _ = window.region.print(line) }

    let lines = String(repeating: line, count: 328)
    #expect(window.written() == "^[?2026h\(lines)^[?7lrow^[?7h<^[?2026l")
  }

  @Test(arguments: [(4, "a\nb\nc^[?7h^[2A<"), (3, "a\nb^[?7h^[1A<"), (2, "a^[?7h<"), (1, "")])
  func `a row of the window is always left to what is printed`(_ rows: Int, _ shown: String) {
    let window = Window()
    window.resize(columns: 10, rows: rows)

    window.region.begin { _ in ["a", "b", "c", "d", "e"] }
    window.region.tick()

    #expect(window.written() == (shown.isEmpty ? "" : "^[?2026h^[?7l\(shown)^[?2026l"))
  }

  @Test(arguments: [
    ("1234567890", "1234567890"), ("12345678901", "123456789…"), ("日本語日本", "日本語日本"),
    ("日本語日本語", "日本語日…"), ("a日本語日本語", "a日本語日…"),
    ("ééééééééééé", "ééééééééé…"),
    (
      "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
      "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}"
    ),
    ("👩‍💻👩‍💻👩‍💻", "👩‍💻👩‍💻…"), ("한국어한국어", "한국어한…"),
  ]) func `a row is cut by the cells that it takes`(_ row: String, _ shown: String) {
    #expect(row.cut(toCells: 10).unicodeScalars.elementsEqual(shown.unicodeScalars))
  }
}
