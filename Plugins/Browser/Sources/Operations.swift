import FlowCore

extension Browser {
  private static let selector = Parameter<String>("selector", "Which element, in CSS; the first.")

  /// The operations that open and close a session.
  static let opening: [Operation<Browser>] = [
    Operation(
      "open", "Opens a page; starts the browser if need be.",
      Parameter<String?>("url", "Its URL: of http, https or data, or about:blank."),
      Parameter<String?>("file", "An HTML file below the scenario's folder, in place of 'url'."),
      answers: Page.record, errors: ErrorCode.driver + [.forbidden, .file], retry: .safe
    ) { browser, context, url, file in try await browser.open(url, file, context) },
    Operation(
      "close", "Ends the browser; nothing happens if there is none.", answers: Record<Void>.none,
      errors: ErrorCode.driver, retry: .safe
    ) { browser, context in try await browser.close(context) },
  ]

  /// The operations that change the page.
  static let acting: [Operation<Browser>] = [
    Operation(
      "click", "Clicks an element.", selector, answers: Record<Void>.none,
      errors: ErrorCode.driver + [.rejected]
    ) { browser, context, selector in try await browser.click(selector, context) },
    Operation(
      "type", "Types a text into a field.", selector,
      Parameter<String>("text", "What to type."),
      Parameter<Bool>("clear", "Whether to empty the field first.", default: true),
      Parameter<Bool?>("loose", "Whether the page may make something else of the text."),
      answers: Record<Void>.none, errors: ErrorCode.driver + [.rejected]
    ) { browser, context, selector, text, clear, loose in
      try await browser.type(selector, text, clear: clear, loose: loose ?? false, context)
    },
    Operation(
      "press", "Presses a key in the element that has the focus.",
      Parameter<String>("key", "As browsers name it, such as Enter, a or Shift+Tab."),
      answers: Record<Void>.none, errors: ErrorCode.driver
    ) { browser, context, key in try await browser.press(key, context) },
    Operation(
      "evaluate", "Runs JavaScript in the page.",
      Parameter<String>(
        "script", "The body of a function; what it returns is answered.", code: true),
      Parameter<[Value]>("arguments", "What 'arguments' has in the script.", default: []),
      answers: Record<Value>("value", "What it returned, as JSON; null for nothing."),
      errors: ErrorCode.driver
    ) { browser, context, script, arguments in
      try await browser.evaluate(script, arguments, context)
    },
    Operation(
      "resize", "Sets the size of the page's viewport.",
      Parameter<Int>("width", "Its width in CSS pixels."),
      Parameter<Int>("height", "Its height in CSS pixels."), answers: Record<Void>.none,
      errors: ErrorCode.driver, retry: .safe
    ) { browser, context, width, height in try await browser.resize(width, height, context) },
    Operation(
      "media", "Sets the preferences of the user that the page can ask for.",
      Parameter<Bool?>(
        "dark", "Whether dark colours are preferred; as the system has it if absent."),
      Parameter<Bool?>(
        "reduced_motion", "Whether less motion is preferred; as the system has it if absent."),
      answers: Record<Void>.none, errors: ErrorCode.driver, retry: .safe
    ) { browser, context, dark, motion in
      try await browser.media(dark: dark, reducedMotion: motion, context)
    },
  ]

  /// The operations that only read.
  static let looking: [Operation<Browser>] = [
    Operation(
      "page", "Answers which page is open.", answers: Page.record, errors: ErrorCode.driver,
      retry: .safe
    ) { browser, context in try await browser.page(context) },
    Operation(
      "read", "Answers the state of an element.", selector, answers: ElementState.record,
      errors: ErrorCode.driver, retry: .safe
    ) { browser, context, selector in try await browser.read(selector, context) },
    Operation(
      "wait_for", "Waits until an element is displayed, as long as the step may take.", selector,
      Parameter<String?>("text", "What its text has to contain."), answers: ElementState.record,
      errors: ErrorCode.driver, retry: .safe
    ) { browser, context, selector, text in try await browser.wait(selector, text, context) },
    Operation(
      "screenshot", "Takes a picture of the viewport or of an element.",
      Parameter<String?>("selector", "Which element, in CSS; the viewport if absent."),
      Parameter<String?>("to", "A PNG file for it, below the scenario's folder."),
      answers: Screenshot.record, errors: ErrorCode.driver + [.file], retry: .safe
    ) { browser, context, selector, file in
      try await browser.screenshot(selector, to: file, context)
    },
    Operation(
      "accessibility", "Answers the page as assistive technology meets it.",
      answers: Record<[AccessibleNode]>("nodes", "In the order of the page; at most 10,000."),
      errors: ErrorCode.driver, retry: .safe
    ) { browser, context in try await browser.accessibility(context) },
  ]
}

/// The settings of a scenario.
struct BrowserSettings: Sendable {
  var headless: Bool
  var width: Int
  var height: Int
  var arguments: [String]
  var binary: String?

  static let record = Record(
    BrowserSettings.init(headless:width:height:arguments:binary:),
    Field("headless", \.headless, "Whether the browser has no window.", default: true),
    Field("width", \.width, "The viewport's width in CSS pixels, up to 10000.", default: 1280),
    Field("height", \.height, "The viewport's height in CSS pixels, up to 10000.", default: 800),
    Field("arguments", \.arguments, "More arguments of the browser.", default: []),
    Field("binary", \.binary, "The browser's program; the driver's choice if absent."))

  /// - Throws: `ComponentError` for a size without a meaning.
  func check() throws(ComponentError) {
    for (name, number) in [("width", width), ("height", height)] where !Self.isSize(number, number)
    {
      throw ComponentError(.settings, "'\(name)' is \(number); it must be from 1 to 10000")
    }
  }

  static func isSize(_ width: Int, _ height: Int) -> Bool {
    1...10_000 ~= width && 1...10_000 ~= height
  }

  /// The capabilities requested for a session.
  ///
  /// See https://developer.chrome.com/docs/chromedriver/capabilities.
  var capabilities: Value {
    let given = (headless ? ["--headless=new"] : []) + arguments
    var options = [("args", Value.list(given.map { .string($0) }))]
    if let binary { options.append(("binary", .string(binary))) }
    let match = ["goog:chromeOptions": Value.map(ValueMap(options))] as KeyValuePairs
    return .object(["alwaysMatch": .object(match)])
  }
}
