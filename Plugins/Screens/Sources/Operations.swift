import FlowCore

extension Screens {
  private static let screen = Parameter<ScreenName>("screen", "Which screen.")
  private static let settled = Parameter<Bool>(
    "settled", "Whether to wait until nothing is under way.", default: true)
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
        "open", "Opens a screen, which begins to load.", screen,
        Parameter<Int>("row", "The row of the screen 'place', from 0.", default: 0),
        answers: ScreenState.record, errors: [.unfilled, .opened]
      ) { owner, context, screen, row in
        try await screens(owner).open(screen, row: row, context)
      },
      Operation(
        "reload", "Loads what a screen shows again.", screen, answers: ScreenState.record,
        errors: acting
      ) { owner, context, screen in try await screens(owner).reload(screen, context) },
      Operation(
        "type", "Types into the field of the balance screen.",
        Parameter<String>("text", "The whole text of the field."), answers: ScreenState.record,
        errors: acting
      ) { owner, context, text in try await screens(owner).type(text, context) },
      Operation(
        "submit", "Presses the return key in the field of the balance screen.",
        answers: ScreenState.record, errors: acting + [.busy]
      ) { owner, context in try await screens(owner).submit(context) },
      Operation(
        "scroll", "Scrolls the catalog, as far as it has rows.",
        Parameter<Int>("to", "How far from the top, in points; a row has 60."),
        answers: ScreenState.record, errors: [.closed]
      ) { owner, context, offset in try await screens(owner).scroll(to: offset, context) },
      Operation(
        "dismiss", "Dismisses the alert of the balance screen.", answers: ScreenState.record,
        errors: [.closed, .noAlert]
      ) { owner, context in try await screens(owner).dismiss(context) },
      Operation(
        "close", "Closes a screen, whatever it waits for.", screen, answers: Record<Void>.none,
        errors: [.closed]
      ) { owner, _, screen in try await screens(owner).close(screen) },
    ]
  }

  private static func looks<Owner>(
    _ screens: @escaping @Sendable (Owner) -> Screens
  ) -> [Operation<Owner>] {
    [
      Operation(
        "read", "Answers what a person sees, once it has a text if one is given.", screen,
        Parameter<String?>("text", "Part of a line, as 'text' answers it; any when absent."),
        settled, answers: ScreenState.record, errors: [.closed], retry: .safe
      ) { owner, _, screen, text, settled in
        try await screens(owner).read(screen, text, settled: settled)
      },
      Operation(
        "text", "Answers what a person sees, in lines of text.", screen, settled,
        answers: Record<[String]>("lines", "The lines, from the top."), errors: [.closed],
        retry: .safe
      ) { owner, _, screen, settled in
        try await screens(owner).read(screen, nil, settled: settled).lines
      },
      Operation(
        "draw", "Draws what a person sees.", screen, settled,
        answers: Record<String>("svg", "An SVG."), errors: [.closed], retry: .safe
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
  static let unfilled = ErrorCode("unfilled", "The screen needs a role that is not filled.")
  static let blocked = ErrorCode("blocked", "An alert has to be dismissed first.")
  static let busy = ErrorCode("busy", "The amount before is still being taken.")
  static let noAlert = ErrorCode("no_alert", "There is no alert.")
}
