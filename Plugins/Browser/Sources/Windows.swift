import FlowCore

/// The windows of a session: one of them is the current one, in which all other actions happen.
struct Windows: Sendable {
  private let session: DriverSession

  init(_ session: DriverSession) { self.session = session }

  private func names(_ context: Context) async throws -> [String] {
    guard let names = try await session.get("window/handles", context).elements else {
      throw BrowserError.shape("a list of windows")
    }
    return names.compactMap(\.text)
  }

  /// Returns the name of the current window, or nil if it has closed.
  private func current(_ context: Context) async throws -> String? {
    do { return try await session.get("window", context).text } catch let error as BrowserError {
      guard error.isOfLostWindow else { throw error }
      return nil
    }
  }

  private func enter(_ name: String, _ context: Context) async throws {
    try await session.post("window", ["handle": .string(name)], context)
  }

  /// A look for another window.
  enum Search: Sendable {
    case page(Page)
    /// The pages of all windows, if none of them is wanted.
    case none([Page])
  }

  /// Enters another window with these parts of its title and URL, the latest one first.
  ///
  /// The current window stays if there is none.
  func enterOther(title: String?, url: String?, _ context: Context) async throws -> Search {
    let current = try await current(context)
    var others: [Page] = []
    for name in try await names(context).reversed() where name != current {
      do { try await enter(name, context) } catch let error as BrowserError {
        // It has closed meanwhile.
        guard error.isOfLostWindow else { throw error }
        continue
      }
      let page = try Page(answer: try await session.run(Script.page, [], context))
      // A new window is empty until its page comes.
      let isLoaded = page.url != "about:blank" || url == page.url
      if isLoaded, page.title.contains(title ?? ""), page.url.contains(url ?? "") {
        return .page(page)
      }
      others.append(page)
    }
    if let current { try await enter(current, context) }
    return .none(others)
  }

  /// Closes the current window, and enters the first one of the others.
  ///
  /// - Throws: `BrowserError.onlyWindow` if there is no other one.
  func close(_ context: Context) async throws {
    guard try await names(context).count > 1 else { throw BrowserError.onlyWindow }
    guard let first = try await session.deleteWindow(context).elements?.first?.text else {
      throw BrowserError.shape("a list of windows")
    }
    try await enter(first, context)
  }

  /// Enters the first window after the current one has closed by itself, and returns false if there
  /// is none.
  func recover(_ context: Context) async -> Bool {
    do {
      guard let first = try await names(context).first else { return false }
      try await enter(first, context)
      return true
    } catch is CancellationError {
      // The end of the step says nothing of the browser.
      return true
    } catch {
      // The browser has ended.
      return false
    }
  }
}

extension [Page] {
  /// Describes the windows that were seen instead of the wanted one.
  var sight: String {
    if isEmpty { return "there is no other window" }
    let pages = map { "'\($0.title.line)' (\($0.url.line))" }.joined(separator: ", ")
    return "the other window\(count == 1 ? " is" : "s are") \(pages)"
  }
}
