/// Rows below each other, of which a part is seen; cells that are scrolled away are used again.
struct Table {
  /// The height of a row, in points.
  static let rowHeight = 60

  /// A view that shows a row as long as that is seen.
  struct Cell {
    /// Which cell it is, whatever it shows; from 1.
    let number: Int
    fileprivate(set) var view: PlaceView
  }

  /// What is shown, whether seen or not.
  private(set) var rows: [Place] = []
  /// How far the content is scrolled, in points.
  private(set) var offset = 0
  /// The cells of the rows that are seen, by row.
  private(set) var cells: [Int: Cell] = [:]
  private var spare: [Cell] = []
  private var made = 0
  private let height: Int
  private let makeView: (_ cell: Int) -> PlaceView

  /// An empty table of a height in points; `makeView` makes what is in a cell, given its number.
  init(height: Int, makeView: @escaping (_ cell: Int) -> PlaceView) {
    self.height = height
    self.makeView = makeView
  }

  /// How far the content can be scrolled at the most.
  var greatestOffset: Int { max(0, rows.count * Self.rowHeight - height) }

  /// Scrolls as far as there is content.
  mutating func scroll(to offset: Int) {
    self.offset = min(max(0, offset), greatestOffset)
    layOut()
  }

  /// Adds rows at the end.
  mutating func append(_ rows: [Place]) {
    self.rows += rows
    layOut()
  }

  /// Shows other rows; what is beyond their end is scrolled back.
  mutating func replace(_ rows: [Place]) {
    self.rows = rows
    offset = min(offset, greatestOffset)
    layOut()
    for row in cells.keys.sorted() { cells[row]?.view.fill(with: rows[row]) }
  }

  /// Brings an answer to the cell that asked, whatever it shows by now.
  mutating func receive(_ content: ImageView.Content, for path: String, cell number: Int) {
    for (row, cell) in cells where cell.number == number {
      cells[row]?.view.picture.receive(content, for: path)
    }
    for index in spare.indices where spare[index].number == number {
      spare[index].view.picture.receive(content, for: path)
    }
  }

  /// Gives a cell to each row that is seen, and takes those of the others.
  private mutating func layOut() {
    let first = min(offset / Self.rowHeight, rows.count)
    let end = min((offset + height + Self.rowHeight - 1) / Self.rowHeight, rows.count)
    for row in cells.keys.sorted() where !(first..<end).contains(row) {
      if let cell = cells.removeValue(forKey: row) { spare.append(cell) }
    }
    for row in first..<end where cells[row] == nil {
      var cell = spare.popLast() ?? makeCell()
      cell.view.fill(with: rows[row])
      cells[row] = cell
    }
  }

  private mutating func makeCell() -> Cell {
    made += 1
    return Cell(number: made, view: makeView(made))
  }
}

/// A table that asks for more rows when its end comes near, until there are no more.
///
/// It has a table and is none: one without this stays as it is.
struct EndlessTable {
  /// How near the end is when more rows are asked for, in points.
  static let reach = 44

  /// What is seen.
  private(set) var table: Table
  /// Whether the last answer was an empty page.
  private(set) var isAtEnd = false
  /// Why the last load failed; nil while another is under way.
  private(set) var problem: String?
  /// The requests under way: one, or none.
  private var requests: Set<Int> = []
  private let care: Care
  private let ask: (_ start: Int) -> Int

  /// An empty table; `ask` requests the rows from a start on and answers the request's number.
  init(_ table: Table, _ care: Care = Care(), ask: @escaping (_ start: Int) -> Int) {
    self.table = table
    self.care = care
    self.ask = ask
  }

  /// Whether rows are on their way.
  var isLoading: Bool { !requests.isEmpty }

  /// Scrolls, and asks for more rows near the end; after a failure this tries again.
  mutating func scroll(to offset: Int) {
    table.scroll(to: offset)
    testBounds()
  }

  /// Begins anew; what is on its way is not waited for any more.
  mutating func reload() {
    requests = []
    isAtEnd = false
    request(from: 0)
  }

  /// Takes the rows from a start on, if this table still waits for them; the first ones replace what is there.
  mutating func receive(_ rows: [Place], from start: Int, for number: Int) {
    guard requests.remove(number) != nil || !care.endsWithOwner else { return }
    isAtEnd = rows.isEmpty
    if start == 0 { table.replace(rows) } else { table.append(rows) }
    testBounds()
  }

  /// Ends a load without rows; it does not try again by itself, which might never end.
  mutating func fail(_ problem: String, for number: Int) {
    guard requests.contains(number) else { return }
    if care.clearsLoading { requests.remove(number) }
    self.problem = problem
  }

  /// Brings the picture of a cell.
  mutating func receive(_ content: ImageView.Content, for path: String, cell: Int) {
    table.receive(content, for: path, cell: cell)
  }

  private mutating func testBounds() {
    if isAtEnd || (isLoading && care.asksOnce) { return }
    guard table.offset >= table.greatestOffset - Self.reach else { return }
    request(from: table.rows.count)
  }

  private mutating func request(from start: Int) {
    problem = nil
    requests.insert(ask(start))
  }
}
