/// The screen of one row of the catalog: the view of a cell as the root of a screen.
struct PlaceScreen {
  private let row: Int
  private var controller: ViewController<Place, PlaceView>
  private var request: Int?
  private var problem: String?
  private let ask: (_ row: Int) -> Int

  /// Creates the screen of a row, which is requested unless it is known.
  init(
    _ row: Int, known place: Place?, _ view: PlaceView, _ care: Care = Care(),
    ask: @escaping (_ row: Int) -> Int
  ) {
    self.row = row
    self.ask = ask
    controller = ViewController(care)
    controller.model = place
    controller.load(view)
    if place == nil { reload() }
  }

  /// Requests the row again.
  mutating func reload() {
    problem = nil
    request = ask(row)
  }

  /// Takes the row, if it is the latest requested one.
  mutating func receive(_ rows: [Place], for number: Int) {
    guard request == number else { return }
    request = nil
    if rows.isEmpty { problem = "the catalog has no row \(row)" }
    controller.model = rows.first
  }

  /// Ends the load without a row.
  mutating func fail(_ problem: String, for number: Int) {
    guard request == number else { return }
    request = nil
    self.problem = problem
  }

  /// Passes the picture on to the view.
  mutating func receive(_ content: ImageView.Content, for path: String) {
    controller.updateView { $0.picture.receive(content, for: path) }
  }

  /// The visible state of the screen.
  var state: ScreenState {
    let rows = controller.model == nil ? [] : controller.rootView.map { [$0] } ?? []
    return ScreenState(
      screen: .place, waiting: request != nil, problem: problem,
      rows: rows.map { ScreenState.Row(row, $0) }, count: rows.count)
  }
}
