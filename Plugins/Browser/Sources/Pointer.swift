import FlowCore

/// The mouse pointer, which stays where it was moved.
struct Pointer: Sendable {
  private let session: DriverSession

  init(_ session: DriverSession) { self.session = session }

  /// Moves the pointer to the middle of an element, scrolled into view.
  ///
  /// - Throws: `BrowserError`.
  func move(to selector: String, _ context: Context) async throws {
    let element = DriverSession.reference(try await session.element(selector, context))
    let answer = try await session.run(Script.show, [element], context)
    if let obstacle = answer.text { throw BrowserError.blocked(selector, obstacle) }
    let move = Value.object([
      "type": .string("pointerMove"), "duration": .int(0), "x": .int(0), "y": .int(0),
      "origin": element,
    ])
    let mouse = Value.object([
      "type": .string("pointer"), "id": .string("mouse"),
      "parameters": .object(["pointerType": .string("mouse")]), "actions": .list([move]),
    ])
    try await session.post("actions", ["actions": .list([mouse])], context)
  }
}

extension Script {
  /// Scrolls an element into view, to a place where nothing covers it if there is one, and returns
  /// the reason why it cannot be pointed at, or null.
  static let show = """
    const [e] = arguments
    if (!e.checkVisibility({visibilityProperty: true})) return 'it is hidden'
    const isOpen = () => {
      const {left, top, width, height} = e.getBoundingClientRect()
      const hit = e.getRootNode().elementFromPoint(left + width / 2, top + height / 2)
      return hit === null || e.contains(hit)
    }
    for (const block of ['center', 'end', 'start', 'center']) {
      e.scrollIntoView({block, inline: 'nearest', behavior: 'instant'})
      if (isOpen()) break
    }
    return null
    """
}
