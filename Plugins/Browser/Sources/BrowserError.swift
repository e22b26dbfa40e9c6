import FlowCore

/// A failed action of the browser.
enum BrowserError: CodedError, CustomStringConvertible {
  case noPage
  case starting
  /// No element on a page.
  case missing(String, Page)
  /// Several elements, with the first ones.
  case ambiguous(String, Int, [String])
  case selector(String)
  /// The reason why a user could not use an element.
  case blocked(String, String)
  /// The unexpected effect of a click or of typing.
  case rejected(String)
  /// A missing option of a `select`, with the labels of the others.
  case noOption(String, String, known: [String])
  case noLabel
  /// The reason why a click did not lead to a file.
  case noDownload(String)
  case onlyWindow
  case key(String)
  case size(Int, Int)
  case url(String)
  case noTarget
  case forbidden(String)
  case unreachable(String)
  case file(FileError)
  case noText(String)
  /// The message of the role.
  case unavailable(String)
  /// The status code of a response that is not WebDriver's.
  case notADriver(status: Int)
  /// The part expected in a response.
  case shape(String)
  /// The driver's error and its message.
  case driver(String, String)

  var code: ErrorCode {
    switch self {
    case .noPage: .closed
    case .starting: .refused
    case .missing, .noOption: .missing
    case .ambiguous: .ambiguous
    case .blocked: .blocked
    case .rejected, .noDownload: .rejected
    case .selector, .key, .size, .url, .noTarget, .noLabel, .onlyWindow: .invalid
    case .forbidden: .forbidden
    case .unreachable: .unreachable
    case .file, .noText: .file
    case .unavailable: .unavailable
    case .notADriver, .shape: .failed
    case .driver(let error, let message): Self.code(of: error, message)
    }
  }

  /// Returns the code of a WebDriver error, as far as scenarios can cause it.
  ///
  /// See https://www.w3.org/TR/webdriver2/#errors.
  private static func code(of error: String, _ message: String) -> ErrorCode {
    switch error {
    case "no such element", "no such frame", "no such shadow root": .missing
    case "stale element reference", "detached shadow root": .stale
    case "element click intercepted", "element not interactable", "invalid element state": .blocked
    case "invalid argument", "invalid selector": .invalid
    case "javascript error": .script
    case "script timeout", "timeout": .timeout
    case "unexpected alert open": .dialog
    case "disconnected", "invalid session id", "no such window": .closed
    case "session not created": .refused
    case "unknown error" where message.contains("net::ERR_"): .unreachable
    default: .failed
    }
  }

  var description: String {
    switch self {
    case .noPage: "no page is open: start with 'open'"
    case .starting: "another step is starting the browser"
    case .missing(let selector, let page):
      "no element matches '\(selector.line)' on \(page.sight)"
    case .ambiguous(let selector, let count, let candidates):
      "\(count) elements match '\(selector.line)': "
        + (candidates.map(\.line) + (count > candidates.count ? ["…"] : [])).joined(separator: ", ")
    case .selector(let selector):
      "'\(selector.line)' is not a \(Selector.isCSS(selector) ? "CSS selector" : "selector")"
    case .noOption(let selector, let label, let known):
      "'\(selector.line)' has no option '\(label.line)'; it has \(Self.list(known))"
    case .noDownload(let reason): "nothing was downloaded: \(reason.line)"
    case .noLabel: "give either 'label' or 'labels'"
    case .onlyWindow: "it is the only window; 'close' ends the browser"
    case .blocked(let selector, let reason): "'\(selector.line)' cannot be used: \(reason)"
    case .rejected(let reason): "the page did not accept it: \(reason.line)"
    case .key(let key): "'\(key.line)' is not a key; examples are Enter, a and Shift+Tab"
    case .size(let width, let height): "\(width) by \(height) is not a size from 1 to 10000"
    case .url(let url): "'\(url.line)' is not a URL of http, https or data, or about:blank"
    case .noTarget: "give either 'url' or 'file'"
    case .forbidden(let url): "\(url.line): the host is not among the allowed hosts"
    case .unreachable(let url): "\(url.line): the page cannot be loaded"
    case .file(let error): "\(error)"
    case .noText(let path): "\(path.line): the file is not in UTF-8"
    case .unavailable(let message): "the driver: \(message)"
    case .notADriver(let status): "the server is not a WebDriver driver: status \(status)"
    case .shape(let expected): "the driver's response is not \(expected)"
    case .driver(let error, let message): Self.text(error, message)
    }
  }

  private static func list(_ texts: [String]) -> String {
    texts.isEmpty ? "none" : texts.map { "'\($0)'" }.joined(separator: ", ").line
  }

  /// True if the current window has closed, and others may be open.
  var isOfLostWindow: Bool {
    if case .driver("no such window", _) = self { true } else { false }
  }

  /// Returns `javascript error: nope is not defined`, without the versions after it.
  private static func text(_ error: String, _ message: String) -> String {
    let lines = message.split(separator: "\n").filter { !$0.hasPrefix("  (") }
    if lines.isEmpty { return error.line }
    let text = lines.joined(separator: ", ").line
    return (text.hasPrefix(error) ? text : "\(error.line): \(text)") + advice(error, message)
  }

  /// Returns advice for a browser that ended at once, as Chromium does if root starts it with its
  /// sandbox.
  private static func advice(_ error: String, _ message: String) -> String {
    let isEnd = ["DevToolsActivePort", "exited", "crashed", "no-sandbox"].contains {
      message.contains($0)
    }
    guard error == "session not created", isEnd else { return "" }
    return "; to run Chromium as root, for example in a container, set arguments: [--no-sandbox]"
  }
}

extension String {
  /// A single line of at most 300 characters.
  var line: String {
    var text = ""
    for scalar in shortened(to: 301).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control: text += " "
      // Looks like the blank of the text that was waited for.
      case .spaceSeparator where scalar != " ": text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension ErrorCode {
  static let missing = ErrorCode(
    "missing", "No element matches the selector, or no option has the label.")
  static let ambiguous = ErrorCode(
    "ambiguous", "Several elements match the selector, and the message lists them.")
  static let stale = ErrorCode(
    "stale", "The element was removed from the page during the operation.")
  static let blocked = ErrorCode(
    "blocked", "The element is hidden, covered, disabled, or not a field for text.")
  static let rejected = ErrorCode(
    "rejected", "The click or the typed text did not have its usual effect.")
  static let invalid = ErrorCode(
    "invalid", "The selector, URL, key or another input is invalid.")
  static let script = ErrorCode("script", "The JavaScript threw an error.")
  static let timeout = ErrorCode(
    "timeout", "The page or the script exceeded a time limit of the driver.")
  static let dialog = ErrorCode("dialog", "The page had an open dialog. It was dismissed.")
  static let closed = ErrorCode("closed", "No page is open, or the browser has ended.")
  static let refused = ErrorCode("refused", "The driver cannot start a browser.")
  static let unreachable = ErrorCode("unreachable", "The page cannot be loaded.")
  static let unavailable = ErrorCode(
    "unavailable", "The driver cannot be reached, or does not respond.")
  static let failed = ErrorCode(
    "failed", "The driver failed in another way, or is not a WebDriver driver.")
  static let forbidden = ErrorCode("forbidden", "The run does not allow this host.")
  static let file = ErrorCode("file", "A file cannot be read or written.")

  /// Every error code of the driver, which may report it for any command.
  static let driver: [ErrorCode] = [
    .missing, .ambiguous, .stale, .blocked, .invalid, .script, .timeout, .dialog, .closed, .refused,
    .unreachable, .unavailable, .failed,
  ]

  /// The error codes of `http`, all of them `unavailable` to a scenario.
  static let transport: [ErrorCode] = [
    "invalid", "file", "unreachable", "tls", "timeout", "protocol", "too_large", "forbidden",
  ].map { ErrorCode($0, "The driver cannot be reached, or does not respond.") }
}
