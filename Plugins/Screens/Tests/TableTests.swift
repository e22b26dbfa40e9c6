import Testing

@testable import ScreensPlugin

/// The plain table and the endless one.
@Suite struct TableTests {
  private static func places(_ range: Range<Int>) -> [Place] {
    range.map { Place(title: "\($0)", city: "", state: "", image: "\($0).png") }
  }

  private static func titles(_ table: Table) -> [String] {
    table.cells.sorted { $0.key < $1.key }.map { "\($0.value.number)=\($0.value.view.title)" }
  }

  private static func plain(height: Int = 120) -> Table {
    Table(height: height) { _ in PlaceView(picture: ImageView { _ in }) }
  }

  @Test func `cells of rows that are scrolled away are used again`() {
    var table = Self.plain()
    table.append(Self.places(0..<10))
    #expect(Self.titles(table) == ["1=0", "2=1"])

    table.scroll(to: 30)
    #expect(Self.titles(table) == ["1=0", "2=1", "3=2"])
    table.scroll(to: 300)
    #expect(Self.titles(table) == ["3=5", "2=6"])
    table.scroll(to: .max)
    #expect(table.offset == 480)
    table.scroll(to: .min)
    #expect(table.offset == 0)
  }

  @Test func `an answer reaches the cell that asked, and is shown if the path is still its own`() {
    var table = Self.plain()
    table.append(Self.places(0..<10))
    table.scroll(to: 300)
    let picture = ImageView.Content.shown(Picture(width: 1, height: 1))

    table.receive(picture, for: "0.png", cell: 1)
    table.receive(picture, for: "1.png", cell: 2)
    table.receive(picture, for: "5.png", cell: 2)

    #expect(table.cells[5]?.view.picture.content == picture)
    #expect(table.cells[6]?.view.picture.content == .loading)
  }

  @Test func `other rows fill the cells that are there`() {
    var table = Self.plain()
    table.append(Self.places(0..<10))
    table.replace(Self.places(10..<20))
    #expect(Self.titles(table) == ["1=10", "2=11"])

    table.scroll(to: 480)
    table.replace(Self.places(20..<23))

    #expect(table.offset == 60)
    #expect(Set(Self.titles(table).map { $0.split(separator: "=")[1] }) == ["21", "22"])
  }

  /// The starts that a table asks for.
  private final class Asked {
    var starts: [Int] = []

    func table(_ care: Care = Care()) -> EndlessTable {
      EndlessTable(TableTests.plain(), care) { [self] start in
        starts.append(start)
        return starts.count
      }
    }
  }

  @Test(arguments: [(1035, [0]), (1036, [0, 20]), (1080, [0, 20]), (0, [0])])
  func `more rows are asked for within 44 points of the end`(_ offset: Int, _ starts: [Int]) {
    let asked = Asked()
    var table = asked.table()
    table.reload()
    table.receive(Self.places(0..<20), from: 0, for: 1)
    table.scroll(to: offset)

    #expect(asked.starts == starts)
    #expect(table.isLoading == (starts.count == 2))
  }

  @Test func `there is one request at a time, and none after an empty page`() {
    let asked = Asked()
    var table = asked.table()
    table.reload()
    table.scroll(to: 0)
    table.receive(Self.places(0..<3), from: 0, for: 1)
    table.scroll(to: 60)
    table.scroll(to: 60)
    #expect(asked.starts == [0, 3])

    table.receive([], from: 3, for: 2)
    table.scroll(to: 60)

    #expect(asked.starts == [0, 3])
    #expect(table.isAtEnd)
    #expect(!table.isLoading)
  }

  @Test func `rows that do not fill the screen are followed by more at once`() {
    let asked = Asked()
    var table = asked.table()
    table.reload()
    table.receive(Self.places(0..<1), from: 0, for: 1)

    #expect(asked.starts == [0, 1])
  }

  @Test func `a failed load ends the loading, and scrolling tries again`() {
    let asked = Asked()
    var table = asked.table()
    table.reload()
    table.fail("no answer", for: 1)
    #expect(!table.isLoading)
    #expect(table.problem == "no answer")
    #expect(asked.starts == [0])

    table.scroll(to: 0)

    #expect(asked.starts == [0, 0])
    #expect(table.isLoading)
    #expect(table.problem == nil)
  }

  @Test func `what was asked for before the table began anew is ignored`() {
    let asked = Asked()
    var table = asked.table()
    table.reload()
    table.receive(Self.places(0..<20), from: 0, for: 1)
    table.scroll(to: 1080)
    table.reload()

    table.receive(Self.places(20..<40), from: 20, for: 2)
    table.fail("no answer", for: 2)

    #expect(table.table.rows.count == 20)
    #expect(table.isLoading)
    #expect(table.problem == nil)
  }

  @Test func `content that shrinks brings the end near`() {
    let asked = Asked()
    var table = asked.table()
    table.reload()
    table.receive(Self.places(0..<20), from: 0, for: 1)
    table.scroll(to: 900)
    table.reload()
    table.receive(Self.places(0..<5), from: 0, for: 2)

    #expect(table.table.offset == 180)
    #expect(asked.starts == [0, 0, 5])
  }

  @Test func `a plain table asks for nothing`() {
    var table = Self.plain()
    table.append(Self.places(0..<5))
    table.scroll(to: .max)

    #expect(table.rows.count == 5)
  }
}
