import FlowCore

extension Screens {
  private static let screen = Parameter<ScreenName>("screen", "The name of the screen.")
  private static let settled = Parameter<Bool>(
    "settled", "Waits until no screen is loading.", default: true)
  private static let acting: [ErrorCode] = [.closed, .blocked]

  /// Returns the operations of scenarios on the screens of an owner.
  static func operations<Owner>(
    _ screens: @escaping @Sendable (Owner) -> Screens
  ) -> [Operation<Owner>] {
    actions(screens) + looks(screens)
  }

  private static func actions<Owner>(
    _ screens: @escaping @Sendable (Owner) -> Screens
  ) -> [Operation<Owner>] {
    [
      Operation(
        "open", "Opens a screen and starts loading its content.", screen,
        Parameter<Int>("row", "The catalog row for the screen 'place', from 0.", default: 0),
        answers: ScreenState.record, errors: [.unfilled, .opened]
      ) { owner, context, screen, row in
        try await screens(owner).open(screen, row: row, context)
      },
      Operation(
        "reload", "Loads the content of a screen again.", screen, answers: ScreenState.record,
        errors: acting
      ) { owner, context, screen in try await screens(owner).reload(screen, context) },
      Operation(
        "type", "Replaces the text in the field of the balance screen.",
        Parameter<String>("text", "The new text of the field."), answers: ScreenState.record,
        errors: acting
      ) { owner, context, text in try await screens(owner).type(text, context) },
      Operation(
        "submit", "Presses the return key in the field of the balance screen.",
        answers: ScreenState.record, errors: acting + [.busy]
      ) { owner, context in try await screens(owner).submit(context) },
      Operation(
        "scroll", "Scrolls the catalog, at most to its last row.",
        Parameter<Int>("to", "The distance from the top in points. A row is 60 points high."),
        answers: ScreenState.record, errors: [.closed]
      ) { owner, context, offset in try await screens(owner).scroll(to: offset, context) },
      Operation(
        "dismiss", "Dismisses the alert of the balance screen.", answers: ScreenState.record,
        errors: [.closed, .noAlert]
      ) { owner, context in try await screens(owner).dismiss(context) },
      Operation(
        "close", "Closes a screen, even while it is loading.", screen, answers: Record<Void>.none,
        errors: [.closed]
      ) { owner, _, screen in try await screens(owner).close(screen) },
    ]
  }

  private static func looks<Owner>(
    _ screens: @escaping @Sendable (Owner) -> Screens
  ) -> [Operation<Owner>] {
    [
      Operation(
        "read", "Returns the visible content of a screen.", screen,
        Parameter<String?>(
          "text", "Waits until a line of the screen contains this text. No wait if absent."),
        settled, answers: ScreenState.record, errors: [.closed], retry: .safe
      ) { owner, _, screen, text, settled in
        try await screens(owner).read(screen, text, settled: settled)
      },
      Operation(
        "text", "Returns the visible content of a screen as lines of text.", screen, settled,
        answers: Record<[String]>("lines", "The lines, from the top."), errors: [.closed],
        retry: .safe
      ) { owner, _, screen, settled in
        try await screens(owner).read(screen, nil, settled: settled).lines
      },
      Operation(
        "draw", "Draws the visible content of a screen.", screen, settled,
        answers: Record<String>("svg", "The drawing as SVG."), errors: [.closed], retry: .safe
      ) { owner, context, screen, settled in
        try await screens(owner).draw(screen, settled: settled, context)
      },
    ]
  }
}

/// Reasons why a person cannot do something.
extension ErrorCode {
  static let closed = ErrorCode("closed", "The screen is not open.")
  static let opened = ErrorCode("opened", "The screen is already open.")
  static let unfilled = ErrorCode(
    "unfilled", "The screen needs a component that 'using' does not name.")
  static let blocked = ErrorCode("blocked", "An alert must be dismissed first.")
  static let busy = ErrorCode("busy", "The previous amount is still being subtracted.")
  static let noAlert = ErrorCode("no_alert", "No alert is open.")
}
