public import FlowCore

/// Screens without a display: a balance, an endless table and its rows, based on other components.
///
/// Every turn of this actor ends by filling the views and starting their requests.
public actor Screens: Component {
  /// The name in `plugin:`.
  public static let pluginName = "screens"

  /// The plugin `screens`.
  public static let plugin = Plugin(
    pluginName, version: "1.0",
    "Simulates screens for a balance and a catalog, without a display.",
    state: .memory, settings: pageSetting, heightSetting,
    Parameter<String>(
      "pictures", "The folder of the pictures, read through the role 'files'.", default: "."),
    uses: Roles.uses, operations: operations { $0 }
  ) { context, page, height, pictures in
    Screens(context, page: page, height: height, pictures: pictures)
  }.checking { (page: Int, height: Int, _: String) in
    for (name, number, range) in [("page", page, 1...1000), ("height", height, 60...10_000)]
    where !range.contains(number) {
      throw ComponentError(
        .settings,
        "'\(name)' is \(number); it must be from \(range.lowerBound) to \(range.upperBound)")
    }
  }.example

  static let pageSetting = Parameter<Int>(
    "page", "The number of rows in each request, 1 to 1000.", default: 20)
  static let heightSetting = Parameter<Int>(
    "height", "The height of the screen in points, 60 to 10000.", default: 480)

  private let page: Int
  private let height: Int
  private let pictures: String
  private let hasPictures: Bool
  private let care: Care
  private let account = Account()
  private let requests = Requests()
  private var balance: BalanceScreen?
  private var catalog: EndlessTable?
  private var place: PlaceScreen?
  /// The number of background tasks.
  private var running = 0
  /// The callers waiting for the end of a turn.
  private var waiting: [AsyncStream<Void>.Continuation] = []

  init(
    _ context: Context, page: Int, height: Int, pictures: String = ".", _ care: Care = Care()
  ) {
    self.page = page
    self.height = height
    self.pictures = pictures
    self.care = care
    hasPictures = Roles.images.isFilled(in: context)
    guard Roles.balance.isFilled(in: context) else { return }
    context.spawn("follow") { [self] context in
      for try await balance in Roles.changed.reports(in: context) { await hear(balance, context) }
    }
  }

  private func hear(_ balance: Decimal, _ context: Context) {
    account.hear(balance)
    endTurn(context)
  }

  // MARK: - What a person does

  func open(_ screen: ScreenName, row: Int, _ context: Context) throws(ComponentError)
    -> ScreenState
  {
    let role = screen == .balance ? Roles.balance : Roles.catalog
    guard role.isFilled(in: context) else {
      throw ComponentError(.unfilled, "the role '\(role.name)' is not filled")
    }
    guard !isOpen(screen) else {
      throw ComponentError(.opened, "'\(screen.rawValue)' is already open")
    }
    switch screen {
    case .balance:
      balance = BalanceScreen(account, number: requests.nextNumber(), care)
      beginLoad(context)
    case .catalog:
      catalog = makeTable()
      catalog?.reload()
    case .place:
      let rows = catalog?.table.rows ?? []
      place = PlaceScreen(
        row, known: rows.indices.contains(row) ? rows[row] : nil, makeView(.place)(1), care
      ) { [requests] row in requests.page(.place, from: row, 1) }
    }
    return try endTurn(screen, context)
  }

  func reload(_ screen: ScreenName, _ context: Context) throws(ComponentError) -> ScreenState {
    try act(on: screen, context) {
      switch screen {
      case .balance: beginLoad(context)
      case .catalog: catalog?.reload()
      case .place: place?.reload()
      }
    }
  }

  func type(_ text: String, _ context: Context) throws(ComponentError) -> ScreenState {
    try act(on: .balance, context) { balance?.type(text) }
  }

  func submit(_ context: Context) throws(ComponentError) -> ScreenState {
    try act(on: .balance, context) { () throws(ComponentError) in
      guard let number = balance?.number, balance?.isSubmitting == false else {
        throw ComponentError(.busy, "the previous amount is still being submitted")
      }
      balance?.submit(to: account) { amount in
        spawn("balance-submit", context) { screens, context in
          await screens.subtract(amount, for: number, context)
        }
      }
    }
  }

  func scroll(to offset: Int, _ context: Context) throws(ComponentError) -> ScreenState {
    try act(on: .catalog, context) { catalog?.scroll(to: offset) }
  }

  func dismiss(_ context: Context) throws(ComponentError) -> ScreenState {
    guard balance != nil else { throw closed(.balance) }
    guard balance?.dismiss() == true else {
      throw ComponentError(.noAlert, "no alert is shown")
    }
    return try endTurn(.balance, context)
  }

  func close(_ screen: ScreenName) throws(ComponentError) {
    guard isOpen(screen) else { throw closed(screen) }
    switch screen {
    case .balance: balance = nil
    case .catalog: catalog = nil
    case .place: place = nil
    }
    endWaiting()
  }

  /// Returns the visible state as soon as a line contains a text and, if `settled`, no screen is
  /// busy.
  func read(_ screen: ScreenName, _ text: String?, settled: Bool) async throws -> ScreenState {
    while true {
      try Task.checkCancellation()
      guard isOpen(screen) else { throw closed(screen) }
      if !settled || running == 0, let state = state(of: screen), text.map(state.shows) ?? true {
        return state
      }
      let (end, continuation) = AsyncStream.makeStream(of: Void.self)
      waiting.append(continuation)
      for await _ in end {}
    }
  }

  /// Draws the visible state as an SVG, with the small pictures whose files are available.
  func draw(_ screen: ScreenName, settled: Bool, _ context: Context) async throws -> String {
    let state = try await read(screen, nil, settled: settled)
    var drawing = Drawing(height: height)
    for row in state.rows where drawing.hasRoom(for: row) && Roles.files.isFilled(in: context) {
      // A box replaces a file that cannot be read.
      let content = try? await Roles.read("\(pictures)/\(row.path)", .bytes, in: context)
      if let content { drawing.embed(content, for: row) }
    }
    try Task.checkCancellation()
    drawing.draw(state)
    return drawing.svg
  }

  // MARK: - What is asked of other components

  /// Loads the balance for an open balance screen.
  private func beginLoad(_ context: Context) {
    guard let number = balance?.number else { return }
    balance?.beginLoad()
    spawn("balance-load", context) { screens, context in await screens.load(for: number, context) }
  }

  private func load(for number: Int, _ context: Context) async {
    var alert: Alert?
    do {
      var version = account.version
      while !account.take(try await Roles.load(in: context), askedAt: version) {
        version = account.version
      }
    } catch {
      alert = Alert(title: "No balance", message: Self.message(error))
    }
    update(number) { $0.endLoad(alert) }
  }

  private func subtract(_ amount: Decimal, for number: Int, _ context: Context) async {
    let version = account.version
    do {
      let answer = try await Roles.subtract(amount, in: context)
      if !care.keepsAnswers {
        update(number) { $0.show(answer) }
      } else if !account.take(answer, askedAt: version) {
        beginLoad(context)
      }
      update(number) { $0.finishSubmit() }
    } catch {
      update(number) { $0.failSubmit(Alert(title: "Not taken", message: Self.message(error))) }
      // The balance differs from the assumed one.
      if (error as? ComponentError)?.code == .insufficient { beginLoad(context) }
    }
  }

  /// Changes the balance screen behind a request, if it is still open.
  private func update(_ number: Int, _ change: (inout BalanceScreen) -> Void) {
    guard var screen = balance, screen.number == number || !care.endsWithOwner else { return }
    change(&screen)
    balance = screen
  }

  private func load(_ page: Requests.Page, _ context: Context) async {
    let (screen, number) = (page.screen, page.number)
    do {
      let rows = try await Roles.page(page.start, page.length, in: context)
      if screen == .catalog { catalog?.receive(rows, from: page.start, for: number) }
      if screen == .place { place?.receive(rows, for: number) }
    } catch {
      if screen == .catalog { catalog?.fail(Self.message(error), for: number) }
      if screen == .place { place?.fail(Self.message(error), for: number) }
    }
  }

  private func load(_ picture: Requests.Picture, _ context: Context) async {
    let content: ImageView.Content
    do { content = .shown(try await Roles.fetch(picture.path, in: context)) } catch {
      content = .broken((error as? ComponentError)?.code.name ?? "cancelled")
    }
    if picture.screen == .catalog {
      catalog?.receive(content, for: picture.path, cell: picture.cell)
    } else {
      place?.receive(content, for: picture.path)
    }
  }

  private static func message(_ error: any Error) -> String {
    (error as? ComponentError)?.message ?? "cancelled"
  }

  // MARK: - Turns

  private func makeTable() -> EndlessTable {
    let makeView = makeView(.catalog)
    return EndlessTable(Table(height: height, makeView: makeView), care) { [requests, page] in
      requests.page(.catalog, from: $0, page)
    }
  }

  /// Returns a maker for views of places.
  ///
  /// It holds the requests and not this object, which owns the views.
  private func makeView(_ screen: ScreenName) -> (_ cell: Int) -> PlaceView {
    guard hasPictures else { return { [care] _ in PlaceView(picture: ImageView(care, load: nil)) } }
    return { [care, requests] cell in
      PlaceView(picture: ImageView(care) { requests.picture(screen, cell: cell, $0) })
    }
  }

  private func closed(_ screen: ScreenName) -> ComponentError {
    ComponentError(.closed, "'\(screen.rawValue)' is not open")
  }

  private func isOpen(_ screen: ScreenName) -> Bool {
    switch screen {
    case .balance: balance != nil
    case .catalog: catalog != nil
    case .place: place != nil
    }
  }

  /// Acts on a screen and returns its visible state.
  private func act(
    on screen: ScreenName, _ context: Context,
    _ action: () throws(ComponentError) -> Void
  ) throws(ComponentError) -> ScreenState {
    guard isOpen(screen) else { throw closed(screen) }
    if screen == .balance, balance?.alert != nil {
      throw ComponentError(.blocked, "dismiss the alert first")
    }
    try action()
    return try endTurn(screen, context)
  }

  private func state(of screen: ScreenName) -> ScreenState? {
    switch screen {
    case .balance: return balance?.state
    case .place: return place?.state
    case .catalog:
      guard let catalog else { return nil }
      let rows = catalog.table.cells.sorted { $0.key < $1.key }
      return ScreenState(
        screen: .catalog, waiting: catalog.isLoading, problem: catalog.problem,
        rows: rows.map { ScreenState.Row($0.key, $0.value.view) },
        count: catalog.table.rows.count, offset: catalog.table.offset, end: catalog.isAtEnd)
    }
  }

  /// Ends a turn and returns the visible state.
  private func endTurn(
    _ screen: ScreenName, _ context: Context
  ) throws(ComponentError) -> ScreenState {
    endTurn(context)
    guard let state = state(of: screen) else { throw closed(screen) }
    return state
  }

  /// Fills the views and starts their requests.
  private func endTurn(_ context: Context) {
    balance?.update()
    let (pages, pictures) = requests.takeAll()
    for page in pages {
      spawn("\(page.screen.rawValue)-page", context) { screens, context in
        await screens.load(page, context)
      }
    }
    for picture in pictures where care.beginsRequests {
      spawn("cell-\(picture.cell)-picture", context) { screens, context in
        await screens.load(picture, context)
      }
    }
    endWaiting()
  }

  /// Starts background work.
  private func spawn(
    _ name: String, _ context: Context,
    _ work: @escaping @Sendable (isolated Screens, Context) async -> Void
  ) {
    running += 1
    context.spawn(name) { [self] context in await run(work, context) }
  }

  private func run(
    _ work: @Sendable (isolated Screens, Context) async -> Void, _ context: Context
  ) async {
    await work(self, context)
    running -= 1
    endTurn(context)
  }

  private func endWaiting() {
    for continuation in waiting { continuation.finish() }
    waiting = []
  }
}
