public import FlowCore

/// A browser with one page, driven through chromedriver.
///
/// This type has the actions of a user, `DriverSession` the protocol.
public actor Browser: Component {
  /// The name in `plugin:`.
  public static let pluginName = "browser"

  /// The plugin `browser`.
  ///
  /// The component itself only has the name of the driver's session, which a resumed run rebuilds
  /// from the driver's responses.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Controls a browser through chromedriver.", state: .memory,
    reaches: [.network, .process, .files],
    settings: BrowserSettings.record,
    uses: DriverSession.uses,
    operations: opening + acting + leading + looking
  ) { _, settings in Browser(settings) }
  .checking(BrowserSettings.record) { try $0.check() }

  private static let waitStep = Duration.milliseconds(100)

  private let settings: BrowserSettings
  private var session: DriverSession?
  private var isStarting = false
  private var downloads = 0

  private init(_ settings: BrowserSettings) {
    self.settings = settings
  }

  // MARK: - The session

  func open(_ url: String?, _ file: String?, _ context: Context) async throws -> Page {
    let target = try PageTarget(url: url, file: file, in: context)
    try await start(context)
    return try await inSession(context) { session in
      try await session.post("url", ["url": .string(target.url)], context)
      if let html = target.html {
        _ = try await session.run(Script.write, [.string(html)], context)
      }
      let page = try Page(answer: try await session.run(Script.page, [], context))
      guard !page.url.hasPrefix("chrome-error:") else {
        throw BrowserError.unreachable(target.url)
      }
      // The page may have led elsewhere.
      try PageTarget.check(page.url, context)
      return page
    }
  }

  /// Starts a session unless one is open.
  private func start(_ context: Context) async throws {
    guard session == nil else { return }
    guard !isStarting else { throw BrowserError.starting }
    isStarting = true
    defer { isStarting = false }
    let begun = try await DriverSession.begin(settings, context)
    session = begun
    try await begun.resize(settings.width, settings.height, context)
  }

  func close(_ context: Context) async throws {
    guard let session else { return }
    self.session = nil
    do { try await session.end(context) } catch let error as BrowserError {
      guard error.code == .closed else { throw error }
    }
  }

  /// Does work in the session, and forgets it when the driver has lost it.
  ///
  /// If only a window has closed, the next action is in another one.
  private func inSession<Answer>(
    _ context: Context, _ work: (DriverSession) async throws -> Answer
  ) async throws -> Answer {
    guard let session else { throw BrowserError.noPage }
    do { return try await work(session) } catch let error as BrowserError {
      guard error.code == .closed else { throw error }
      let isOpen = error.isOfLostWindow ? await Windows(session).recover(context) : false
      if !isOpen, self.session?.id == session.id { self.session = nil }
      throw error
    }
  }

  /// Returns the page of a failed step, with a picture unless it could show a secret.
  public func evidence(_ context: Context) async -> Value? {
    guard let session else { return nil }
    let withPicture = settings.picture ?? !context.secrets.areHidden
    return await Evidence.value(of: session, withPicture: withPicture, context)
  }

  // MARK: - What a user does

  func click(_ selector: String, _ context: Context) async throws {
    try await inSession(context) { session in
      try await Target(selector, forTyping: false, in: session, context)
        .click(in: session, context)
    }
  }

  func type(
    _ selector: String, _ text: String, clear: Bool, loose: Bool, _ context: Context
  ) async throws {
    try await inSession(context) { session in
      try await Target(selector, forTyping: true, in: session, context)
        .type(text, clear: clear, loose: loose, in: session, context)
    }
  }

  func hover(_ selector: String, _ context: Context) async throws {
    try await inSession(context) { session in
      try await Pointer(session).move(to: selector, context)
    }
  }

  func choose(_ choice: Choice, _ selector: String, _ context: Context) async throws {
    try await inSession(context) { session in
      try await choice.make(selector, in: session, context)
    }
  }

  func download(
    _ selector: String, to path: String, _ context: Context
  ) async throws -> Download.Saved {
    downloads += 1
    let number = downloads
    try await inSession(context) { session in
      try await Download(session, number: number).start(selector, context)
    }
    let file = try await wait(context) {
      let progress = try await inSession(context) { session in
        try await Download(session, number: number).progress(context)
      }
      return switch progress {
      case .waiting(let sight): Result<Download.File, Unmet>.failure(Unmet(sight))
      case .complete(let file): .success(file)
      }
    }
    return try file.save(to: path, in: context.directory)
  }

  func press(_ key: String, _ context: Context) async throws {
    guard let keys = KeyStroke(key) else { throw BrowserError.key(key) }
    try await inSession(context) { session in
      _ = try await session.post("actions", keys.actions, context)
    }
  }

  func resize(_ width: Int, _ height: Int, _ context: Context) async throws {
    guard BrowserSettings.isSize(width, height) else { throw BrowserError.size(width, height) }
    try await inSession(context) { session in try await session.resize(width, height, context) }
  }

  func media(dark: Bool?, reducedMotion: Bool?, _ context: Context) async throws {
    let scheme = dark.map { $0 ? "dark" : "light" }
    let motion = reducedMotion.map { $0 ? "reduce" : "no-preference" }
    try await inSession(context) { session in
      try await session.prefer(
        [("prefers-color-scheme", scheme), ("prefers-reduced-motion", motion)], context)
    }
  }

  func evaluate(
    _ script: String, _ arguments: [Value], _ context: Context
  ) async throws -> Value {
    try await inSession(context) { session in try await session.run(script, arguments, context) }
  }

  // MARK: - Frames, windows and dialogs

  func enterFrame(_ selector: String?, _ context: Context) async throws {
    try await inSession(context) { session in
      var frame = Value.null
      if let selector {
        frame = DriverSession.reference(try await session.element(selector, context))
      }
      try await session.post("frame", ["id": frame], context)
    }
  }

  /// Waits for another window, and goes on in it.
  func enterWindow(title: String?, url: String?, _ context: Context) async throws -> Page {
    try await wait(context) {
      try await inSession(context) { session in
        switch try await Windows(session).enterOther(title: title, url: url, context) {
        case .page(let page):
          try await session.resize(settings.width, settings.height, context)
          return .success(page)
        case .none(let others): return .failure(Unmet(others.sight))
        }
      }
    }
  }

  func closeWindow(_ context: Context) async throws -> Page {
    try await inSession(context) { session in
      try await Windows(session).close(context)
      return try Page(answer: try await session.run(Script.page, [], context))
    }
  }

  /// Waits for a dialog, answers it, and returns its message.
  func answerDialog(accept: Bool, text: String?, _ context: Context) async throws -> String {
    try await wait(context) {
      try await inSession(context) { session in
        guard let message = try await Dialog(session).message(context) else {
          return .failure(Unmet("the page has no open dialog"))
        }
        try await Dialog(session).answer(accept: accept, text: text, context)
        return .success(message)
      }
    }
  }

  // MARK: - What a user sees

  func page(_ context: Context) async throws -> Page {
    try await inSession(context) { session in
      try Page(answer: try await session.run(Script.page, [], context))
    }
  }

  func read(_ selector: String, _ context: Context) async throws -> ElementState {
    switch try await find(selector, nil, isShown: false, context) {
    case .state(let found): return found
    case .other(let sight): throw BrowserError.missing(selector, sight.page)
    }
  }

  func wait(_ selector: String, _ text: String?, _ context: Context) async throws -> ElementState {
    try await wait(context) {
      switch try await find(selector, text, isShown: true, context) {
      case .state(let found): .success(found)
      case .other(let sight): .failure(Unmet(sight.text(of: selector, text)))
      }
    }
  }

  func waitUntilGone(_ selector: String, _ text: String?, _ context: Context) async throws {
    try await wait(context) {
      guard case .state(let found) = try await find(selector, text, isShown: true, context) else {
        return .success(())
      }
      return .failure(Unmet(found.sight(of: selector)))
    }
  }

  /// Waits for a condition in the run's time, and logs the latest finding if that fails.
  ///
  /// It explains the failure, even when the step's timeout ends the wait.
  private func wait<Answer>(
    _ context: Context, until look: () async throws -> Result<Answer, Unmet>
  ) async throws -> Answer {
    var seen: String?
    do {
      while true {
        switch try await look() {
        case .success(let answer): return answer
        case .failure(let unmet): seen = unmet.sight
        }
        try await context.sleep(for: Self.waitStep)
      }
    } catch {
      if let seen { context.log(seen) }
      throw error
    }
  }

  /// A condition that is not met yet, with the finding.
  private struct Unmet: Error {
    let sight: String

    init(_ sight: String) { self.sight = sight }
  }

  private enum Finding {
    case state(ElementState)
    /// No match, with the elements found instead.
    case other(Sight)
  }

  /// Finds the first element of a selector, if asked only among displayed elements with a text.
  private func find(
    _ selector: String, _ text: String?, isShown: Bool, _ context: Context
  ) async throws -> Finding {
    try await inSession(context) { session in
      let script = Selector.isCSS(selector) ? Script.find : Script.findAny
      let answer = try await session.run(
        script, [.string(selector), text.encoded, .bool(isShown)], context)
      if case .bool = answer { throw BrowserError.selector(selector) }
      if let sight = Sight(answer: answer) { return .other(sight) }
      return .state(try ElementState(answer: answer))
    }
  }

  func screenshot(
    _ selector: String?, to file: String?, _ context: Context
  ) async throws -> Screenshot {
    let picture = try await inSession(context) { session in
      var path = "screenshot"
      if let selector {
        path = "element/\(try await session.element(selector, context))/screenshot"
      }
      return try Screenshot(answer: try await session.get(path, context))
    }
    guard let file else { return picture }
    do { try context.directory.write(picture.bytes?.content ?? [], to: file) } catch {
      throw BrowserError.file(error)
    }
    return picture.withoutBytes
  }

  func accessibility(_ context: Context) async throws -> [AccessibleNode] {
    try await inSession(context) { session in
      try AccessibleNode.rows(
        ofTree: try await session.command("Accessibility.getFullAXTree", [:], context))
    }
  }
}
