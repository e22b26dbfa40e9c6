import FlowCore

extension Browser {
  private static let selector = Parameter<String>(
    "selector", Selector.summary)

  /// The operations that open and close a session.
  static let opening: [Operation<Browser>] = [
    Operation(
      "open", "Opens a page. Starts the browser if it is not running.",
      Parameter<String?>("url", "The URL: http, https, data, or about:blank."),
      Parameter<String?>("file", "An HTML file in the scenario's folder, instead of 'url'."),
      answers: Page.record, errors: ErrorCode.driver + [.forbidden, .file], retry: .safe
    ) { browser, context, url, file in try await browser.open(url, file, context) },
    Operation(
      "close", "Closes the browser, if it is running.", answers: Record<Void>.none,
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
      "type", "Types text into a field.", selector,
      Parameter<String>("text", "The text to type."),
      Parameter<Bool>("clear", "Empties the field first.", default: true),
      Parameter<Bool?>("loose", "Accepts any change that the page makes to the text."),
      answers: Record<Void>.none, errors: ErrorCode.driver + [.rejected]
    ) { browser, context, selector, text, clear, loose in
      try await browser.type(selector, text, clear: clear, loose: loose ?? false, context)
    },
    Operation(
      "select", "Chooses options of a select by their labels.", selector,
      Parameter<String?>("label", "The label of the option, as the page shows it."),
      Parameter<[String]?>("labels", "The labels of all options to choose, where several can be."),
      answers: Record<Void>.none, errors: ErrorCode.driver + [.rejected]
    ) { browser, context, selector, label, labels in
      try await browser.choose(Choice(label: label, labels: labels), selector, context)
    },
    Operation(
      "hover", "Moves the mouse pointer to an element.", selector, answers: Record<Void>.none,
      errors: ErrorCode.driver
    ) { browser, context, selector in try await browser.hover(selector, context) },
    Operation(
      "download", "Clicks an element and saves the file to which it leads.", selector,
      Parameter<String>("to", "The path of the file in the scenario's folder."),
      answers: Download.Saved.record, errors: ErrorCode.driver + [.rejected, .file]
    ) { browser, context, selector, path in
      try await browser.download(selector, to: path, context)
    },
    Operation(
      "press", "Presses a key in the element with the focus.",
      Parameter<String>("key", "The key by its name in browsers, such as Enter, a or Shift+Tab."),
      answers: Record<Void>.none, errors: ErrorCode.driver
    ) { browser, context, key in try await browser.press(key, context) },
    Operation(
      "evaluate", "Runs JavaScript in the page.",
      Parameter<String>(
        "script", "The body of a JavaScript function. Its return value is the result.", code: true),
      Parameter<[Value]>("arguments", "The elements of 'arguments' in the script.", default: []),
      answers: Record<Value>("value", "The return value as JSON. Null if there is none."),
      errors: ErrorCode.driver
    ) { browser, context, script, arguments in
      try await browser.evaluate(script, arguments, context)
    },
    Operation(
      "resize", "Sets the size of the viewport.",
      Parameter<Int>("width", "The width in CSS pixels."),
      Parameter<Int>("height", "The height in CSS pixels."), answers: Record<Void>.none,
      errors: ErrorCode.driver, retry: .safe
    ) { browser, context, width, height in try await browser.resize(width, height, context) },
    Operation(
      "media", "Sets the CSS media features for dark colours and reduced motion.",
      Parameter<Bool?>(
        "dark", "Prefers dark colours. The system's preference if absent."),
      Parameter<Bool?>(
        "reduced_motion", "Prefers reduced motion. The system's preference if absent."),
      answers: Record<Void>.none, errors: ErrorCode.driver, retry: .safe
    ) { browser, context, dark, motion in
      try await browser.media(dark: dark, reducedMotion: motion, context)
    },
  ]

  /// The operations that lead to frames, windows and dialogs.
  static let leading: [Operation<Browser>] = [
    Operation(
      "dialog", "Waits for a dialog of the page and answers it.",
      Parameter<Bool>("accept", "Accepts the dialog. False dismisses it.", default: true),
      Parameter<String?>("text", "The text for a prompt."),
      answers: Record<String>("message", "The message of the dialog."), errors: ErrorCode.driver
    ) { browser, context, accept, text in
      try await browser.answerDialog(accept: accept, text: text, context)
    },
    Operation(
      "frame", "Enters a frame, or leaves all frames.",
      Parameter<String?>("selector", "The selector of the frame. Absent to leave all frames."),
      answers: Record<Void>.none, errors: ErrorCode.driver
    ) { browser, context, selector in try await browser.enterFrame(selector, context) },
    Operation(
      "window", "Waits for another window and goes on in it.",
      Parameter<String?>("title", "Text that its title must contain."),
      Parameter<String?>("url", "Text that its URL must contain."),
      answers: Page.record, errors: ErrorCode.driver
    ) { browser, context, title, url in
      try await browser.enterWindow(title: title, url: url, context)
    },
    Operation(
      "close_window", "Closes the window, and goes on in the first one of the others.",
      answers: Page.record, errors: ErrorCode.driver
    ) { browser, context in try await browser.closeWindow(context) },
  ]

  /// The operations that only read.
  static let looking: [Operation<Browser>] = [
    Operation(
      "page", "Returns the title and URL of the open page.", answers: Page.record,
      errors: ErrorCode.driver,
      retry: .safe
    ) { browser, context in try await browser.page(context) },
    Operation(
      "read", "Returns the text, value and state of an element.", selector,
      answers: ElementState.record,
      errors: ErrorCode.driver, retry: .safe
    ) { browser, context, selector in try await browser.read(selector, context) },
    Operation(
      "wait_for", "Waits until an element is displayed, or the step's timeout ends.", selector,
      Parameter<String?>("text", "Text that the element must contain."),
      answers: ElementState.record,
      errors: ErrorCode.driver, retry: .safe
    ) { browser, context, selector, text in try await browser.wait(selector, text, context) },
    Operation(
      "wait_until_gone", "Waits until no matching element is displayed.", selector,
      Parameter<String?>("text", "Text that the element must contain."),
      answers: Record<Void>.none, errors: ErrorCode.driver, retry: .safe
    ) { browser, context, selector, text in
      try await browser.waitUntilGone(selector, text, context)
    },
    Operation(
      "screenshot", "Takes a screenshot of the viewport or of an element.",
      Parameter<String?>("selector", "The CSS selector of an element. The viewport if absent."),
      Parameter<String?>("to", "The PNG file to write, in the scenario's folder."),
      answers: Screenshot.record, errors: ErrorCode.driver + [.file], retry: .safe
    ) { browser, context, selector, file in
      try await browser.screenshot(selector, to: file, context)
    },
    Operation(
      "accessibility", "Returns the accessibility tree of the page.",
      answers: Record<[AccessibleNode]>("nodes", "The nodes in page order, at most 10,000."),
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
  var picture: Bool?

  static let record = Record(
    BrowserSettings.init(headless:width:height:arguments:binary:picture:),
    Field("headless", \.headless, "Runs the browser without a window.", default: true),
    Field("width", \.width, "The width of the viewport in CSS pixels, up to 10000.", default: 1280),
    Field(
      "height", \.height, "The height of the viewport in CSS pixels, up to 10000.", default: 800),
    Field(
      "arguments", \.arguments, "Additional command-line arguments for the browser.", default: []),
    Field("binary", \.binary, "The path of the browser. Chosen by the driver if absent."),
    Field(
      "picture", \.picture,
      "Shows a picture of the page in reports of a failed step. If absent, only in a run without secrets."
    ))

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
