import FlowCore
import FlowTesting
import Testing

@testable import BrowserPlugin

/// A driver's answers are untrusted: each becomes an answer or a declared error.
@Suite struct MisbehavingDriverTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let command: String
    let reply: TestDriver.Reply
    let text: String

    init(_ command: String, _ reply: TestDriver.Reply, _ text: String) {
      (self.command, self.reply, self.text) = (command, reply, text)
    }

    var testDescription: String { text }
  }

  static let errors = [
    Case(
      "find", .value(.object(["sight": TestDriver.sight])),
      "missing: no element matches 'p' on the page 'Notes' (about:blank)"),
    Case("find", .value(.null), "failed: the driver's response is not an element's state"),
    Case("find", .value(.bool(false)), "invalid: 'p' is not a CSS selector"),
    Case(
      "find", .error("stale element reference", "stale element reference: gone\n  (Session info)"),
      "stale: stale element reference: gone"),
    Case("find", .error("javascript error", ""), "script: javascript error"),
    Case("find", .error("script timeout", "after 30 s"), "timeout: script timeout: after 30 s"),
    Case("find", .error("unexpected alert open", "{x}"), "dialog: unexpected alert open: {x}"),
    Case("find", .error("invalid session id", "a\u{1b}[0m"), "closed: invalid session id: a [0m"),
    Case("find", .error("new in 2040", ""), "failed: new in 2040"),
    Case(
      "find", .error("unknown error", "unknown error: net::ERR_NAME_NOT_RESOLVED"),
      "unreachable: unknown error: net::ERR_NAME_NOT_RESOLVED"),
    Case(
      "find", .error("unknown error", String(repeating: "x", count: 100_000)),
      "failed: unknown error: " + String(repeating: "x", count: 300) + "…"),
    Case("find", .nothing("unreachable"), "unavailable: the driver: no answer"),
    Case("find", .nothing("too_large"), "unavailable: the driver: no answer"),
  ]

  static let shapes = [
    Case("find", .value(.int(3)), "failed: the driver's response is not an element's state"),
    Case(
      "find", .value(.object(["count": .string("1")])),
      "failed: the driver's response is not an element's state"),
    Case("find", .body(.null, status: 200), "failed: " + other(200)),
    Case("find", .body(.list([]), status: 200), "failed: " + other(200)),
    Case("find", .body(.object(["value": .null]), status: 404), "failed: " + other(404)),
    Case(
      "find", .body(.object(["value": .object(["error": .int(1)])]), status: 500),
      "failed: " + other(500)),
  ]

  private static func other(_ status: Int) -> String {
    "the server is not a WebDriver driver: status \(status)"
  }

  @Test(arguments: errors + shapes)
  func `reading an element fails with a declared error`(_ wrong: Case) async throws {
    let browser = try await TestDriver([wrong.command: [wrong.reply]]).openBrowser()

    #expect(await browser.text("read", ["selector": "p"]) == wrong.text)
  }

  static let sessions = [
    Case(
      "session",
      .error("session not created", "session not created\nfrom unknown error: no chrome at /x"),
      "refused: session not created, from unknown error: no chrome at /x"),
    Case("session", .value(.null), "failed: the driver's response is not a session"),
    Case(
      "session", .value(.object(["sessionId": .string("../../x")])),
      "failed: the driver's response is not a session"),
    Case(
      "page", .value(.object(["title": .int(1)])), "failed: the driver's response is not a page"),
    Case(
      "page",
      .value(.object(["title": .string(""), "url": .string("chrome-error://chromewebdata/")])),
      "unreachable: about:blank: the page cannot be loaded"),
  ]

  @Test(arguments: sessions)
  func `opening a page fails with a declared error`(_ wrong: Case) async throws {
    let browser = try await TestDriver([wrong.command: [wrong.reply]]).browser()

    #expect(await browser.text("open", ["url": "about:blank"]) == wrong.text)
  }

  static let elements = [
    Case("pick", .value(.null), "failed: the driver's response is not an element"),
    Case(
      "pick", .value(TestDriver.none),
      "missing: no element matches '#a' on the page 'Notes' (about:blank)"),
    Case("pick", .value(.bool(false)), "invalid: '#a' is not a CSS selector"),
    Case(
      "pick",
      .value(
        .object(["count": .int(7), "candidates": .list([.string("b 'x'"), .string("i 'a\nb'")])])),
      "ambiguous: 7 elements match '#a': b 'x', i 'a b', …"),
    Case(
      "element/e.1/click", .error("element click intercepted", "element click intercepted: <p>"),
      "blocked: element click intercepted: <p>"),
  ]

  @Test(arguments: elements)
  func `clicking fails with a declared error`(_ wrong: Case) async throws {
    let browser = try await TestDriver([wrong.command: [wrong.reply]]).openBrowser()

    #expect(await browser.text("click", ["selector": "#a"]) == wrong.text)
  }

  @Test(arguments: [Value.null, .string(""), .string("?"), .string("AAAA"), .int(1)])
  func `what is not a picture is refused`(_ answer: Value) async throws {
    let browser = try await TestDriver(["screenshot": [.value(answer)]]).openBrowser()

    #expect(
      await browser.text("screenshot") == "failed: the driver's response is not a picture")
  }

  @Test func `a browser that has ended is started again by the next page`() async throws {
    let driver = TestDriver(["find": [.error("invalid session id", "")]])
    let browser = try await driver.openBrowser()

    #expect(await browser.text("read", ["selector": "p"]) == "closed: invalid session id")
    #expect(await browser.text("page") == "closed: no page is open: start with 'open'")
    _ = try await browser.call("open", ["url": "about:blank"])

    #expect(driver.requests.all.count { $0.hasPrefix("session ") } == 2)
  }
}
