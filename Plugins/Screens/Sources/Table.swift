/// A scrolling table of rows, reusing the cells scrolled out of view.
struct Table {
  /// The height of a row, in points.
  static let rowHeight = 60

  /// A view that shows a row while it is visible.
  struct Cell {
    /// The number of the cell, from 1, independent of its content.
    let number: Int
    fileprivate(set) var view: PlaceView
  }

  /// The rows, whether visible or not.
  private(set) var rows: [Place] = []
  /// The scroll offset of the content, in points.
  private(set) var offset = 0
  /// The cells of the visible rows, by row.
  private(set) var cells: [Int: Cell] = [:]
  private var spare: [Cell] = []
  private var made = 0
  private let height: Int
  private let makeView: (_ cell: Int) -> PlaceView

  /// Creates an empty table with a height in points and a maker for the content of a cell.
  init(height: Int, makeView: @escaping (_ cell: Int) -> PlaceView) {
    self.height = height
    self.makeView = makeView
  }

  /// The greatest scroll offset.
  var greatestOffset: Int { max(0, rows.count * Self.rowHeight - height) }

  /// Scrolls as far as the content allows.
  mutating func scroll(to offset: Int) {
    self.offset = min(max(0, offset), greatestOffset)
    layOut()
  }

  /// Adds rows at the end.
  mutating func append(_ rows: [Place]) {
    self.rows += rows
    layOut()
  }

  /// Shows other rows, scrolling back if they end earlier.
  mutating func replace(_ rows: [Place]) {
    self.rows = rows
    offset = min(offset, greatestOffset)
    layOut()
    for row in cells.keys.sorted() { cells[row]?.view.fill(with: rows[row]) }
  }

  /// Passes an answer to the requesting cell, whatever it shows by now.
  mutating func receive(_ content: ImageView.Content, for path: String, cell number: Int) {
    for (row, cell) in cells where cell.number == number {
      cells[row]?.view.picture.receive(content, for: path)
    }
    for index in spare.indices where spare[index].number == number {
      spare[index].view.picture.receive(content, for: path)
    }
  }

  /// Assigns a cell to each visible row, and frees the cells of other rows.
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

/// A table that requests more rows near its end, until there are no more.
///
/// It contains a table instead of being one, so that a plain table stays as it is.
struct EndlessTable {
  /// The distance from the end at which more rows are requested, in points.
  static let reach = 44

  /// The table of the loaded rows.
  private(set) var table: Table
  /// True if the last answer was an empty page.
  private(set) var isAtEnd = false
  /// The reason why the last load failed, or nil while another is under way.
  private(set) var problem: String?
  /// The requests under way, at most one.
  private var requests: Set<Int> = []
  private let care: Care
  private let ask: (_ start: Int) -> Int

  /// Creates an empty table.
  ///
  /// `ask` requests the rows from a start on and returns the request's number.
  init(_ table: Table, _ care: Care = Care(), ask: @escaping (_ start: Int) -> Int) {
    self.table = table
    self.care = care
    self.ask = ask
  }

  /// True if rows are being loaded.
  var isLoading: Bool { !requests.isEmpty }

  /// Scrolls and requests more rows near the end, again after a failure.
  mutating func scroll(to offset: Int) {
    table.scroll(to: offset)
    testBounds()
  }

  /// Starts again and ignores the requests under way.
  mutating func reload() {
    requests = []
    isAtEnd = false
    request(from: 0)
  }

  /// Takes the rows from a start on if this table still expects them.
  ///
  /// The first ones replace the old content.
  mutating func receive(_ rows: [Place], from start: Int, for number: Int) {
    guard requests.remove(number) != nil || !care.endsWithOwner else { return }
    isAtEnd = rows.isEmpty
    if start == 0 { table.replace(rows) } else { table.append(rows) }
    testBounds()
  }

  /// Ends a load without rows.
  ///
  /// It does not retry on its own, which might never end.
  mutating func fail(_ problem: String, for number: Int) {
    guard requests.contains(number) else { return }
    if care.clearsLoading { requests.remove(number) }
    self.problem = problem
  }

  /// Passes the picture on to a cell.
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
