import FlowCore
import FlowTesting
import HTTPPlugin
import TestKit
import Testing

@testable import BrowserPlugin

/// The requests to the driver, and the use of its answers.
@Suite struct BrowserTests {
  @Test func `the browser starts with the first page, and again after its end`() async throws {
    let driver = TestDriver()
    let browser = try await driver.browser([
      "headless": false, "width": 390, "arguments": ["--no-sandbox"], "binary": "/opt/chromium",
    ])

    #expect(await browser.text("page") == "closed: no page is open: start with 'open'")
    for _ in 1...2 {
      #expect(
        await browser.text("open", ["url": "data:text/html,x"])
          == #"{title: "Notes", url: "about:blank"}"#)
    }
    #expect(await browser.text("close") == "{}")
    #expect(await browser.text("close") == "{}")
    #expect(await browser.text("read", ["selector": "a"]).hasPrefix("closed: "))
    _ = try await browser.call("open", ["url": "about:blank"])

    let session =
      #"session {"capabilities":{"alwaysMatch":{"goog:chromeOptions":"#
      + #"{"args":["--no-sandbox"],"binary":"/opt/chromium"}}}}"#
    #expect(driver.requests.all.filter { $0.hasPrefix("session ") } == [session, session])
    #expect(
      driver.requests.all[1] == "Emulation.setDeviceMetricsOverride "
        + #"{"width":390,"height":800,"deviceScaleFactor":0,"mobile":false}"#)
    #expect(driver.requests.all.count { $0 == "end null" } == 1)
  }

  @Test func `two steps do not start two browsers`() async throws {
    let driver = TestDriver()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let slow = try StandIn(
      for: HTTP.self,
      [
        "post": .body { input, _ in
          begin.finish()
          for await _ in released {}
          return try driver.answer(input)
        }
      ])
    let browser = try await OpenComponent(
      Browser.self, using: ["driver": try await OpenComponent(slow)])

    async let first = browser.text("open", ["url": "about:blank"])
    for await _ in begun {}
    let second = await browser.text("open", ["url": "about:blank"])
    release.finish()

    #expect(second == "refused: another step is starting the browser")
    #expect(await first == #"{title: "Notes", url: "about:blank"}"#)
  }

  @Test func `a file is written into an empty page`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("<title>Notes</title>", to: "notes.html")
    try folder.write([0xff], to: "picture.html")
    let driver = TestDriver()
    let browser = try await driver.browser(in: folder.path("."))

    _ = try await browser.call("open", ["file": "notes.html"])

    #expect(driver.requests.all[2] == #"url {"url":"about:blank"}"#)
    #expect(driver.requests.all[3].contains(#""args":["<title>Notes</title>"]"#))
    #expect(
      await browser.text("open", ["file": "../notes.html"])
        == "file: cannot read '../notes.html': the path is outside the scenario's folder")
    #expect(
      await browser.text("open", ["file": "picture.html"])
        == "file: picture.html: the file is not in UTF-8")
    #expect(
      await browser.text("open", ["file": "notes.html", "url": "about:blank"])
        == "invalid: give either 'url' or 'file'")
  }

  @Test(arguments: [
    "file:///etc/passwd", "chrome://version", "javascript:alert(1)", "example.org", "http:/a", "",
    "http://", "http://a\\@b/", "http://a\\.b/", "http://user@a/", "http://a:0/", "http://a:99999/",
    "http://a b/",
    "http://[::1", "http://[::1]x/", "http://größe.example/", "view-source:http://a/",
  ])
  func `a page that is not on the web is not opened`(_ url: String) async throws {
    let driver = TestDriver()
    let browser = try await driver.browser()

    #expect(
      await browser.text("open", ["url": url])
        == "invalid: '\(url)' is not a URL of http, https or data, or about:blank")
    #expect(driver.requests.all == [])
  }

  @Test func `a page is opened on an allowed host alone, also behind a redirect`() async throws {
    let elsewhere = TestDriver.Reply.value(
      .object(["title": .string(""), "url": .string("https://other.example/x")]))
    let driver = TestDriver(["page": [elsewhere]])
    let network = try Network(allowing: ["example.org", "[::1]:8080"])
    let browser = try await driver.browser(options: LiveOptions(network: network))

    for url in ["http://other.example/", "http://[::1]/", "http://example.org.other.example"] {
      #expect(
        await browser.text("open", ["url": url])
          == "forbidden: \(url): the host is not among the allowed hosts")
    }
    #expect(driver.requests.all == [])
    for url in ["HTTPS://Example.org?x", "http://[::1]:8080/"] {
      #expect(
        await browser.text("open", ["url": url])
          == "forbidden: https://other.example/x: the host is not among the allowed hosts")
    }
  }

  @Test func `a field is emptied before a text is typed, unless it is to stay`() async throws {
    let looks = ["old", "Milk", "Milk", "Milk!", "Milk!"].map {
      TestDriver.Reply.value(TestDriver.look($0))
    }
    let driver = TestDriver(["look": looks])
    let browser = try await driver.openBrowser()
    let before = driver.requests.all.count

    for (text, clear) in [("Milk", true), ("!", false), ("", true)] {
      _ = try await browser.call("type", ["selector": ".a", "text": text, "clear": clear])
    }

    let requests = driver.requests.all.dropFirst(before).map { request in
      ["pick", "look", "empty"].first { request.hasPrefix("\($0) ") } ?? request
    }
    #expect(
      requests == [
        "pick", "look", "empty", #"element/e.1/value {"text":"Milk"}"#, "look",
        "pick", "look", #"element/e.1/value {"text":"!"}"#, "look",
        "pick", "look", "empty",
      ])
  }

  @Test(arguments: [
    ("a", ["a"]), ("Enter", ["\u{e007}"]), ("Shift+Tab", ["\u{e008}", "\u{e004}"]), ("+", ["+"]),
    ("Control++", ["\u{e009}", "+"]), ("Control+Alt+ä", ["\u{e009}", "\u{e00a}", "ä"]),
    ("Meta", ["\u{e03d}"]),
  ])
  func `keys are pressed in their order and released the other way round`(
    _ key: String, _ codes: [String]
  ) async throws {
    let driver = TestDriver()
    let browser = try await driver.openBrowser()

    #expect(await browser.text("press", ["key": key]) == "{}")

    let strokes =
      codes.map { #"{"type":"keyDown","value":"\#($0)"}"# }
      + codes.reversed().map { #"{"type":"keyUp","value":"\#($0)"}"# }
    let actions = #"{"type":"key","id":"keyboard","actions":[\#(strokes.joined(separator: ","))]}"#
    #expect(driver.requests.all.last == #"actions {"actions":[\#(actions)]}"#)
  }

  @Test(arguments: ["", "enter", "Tab+Shift", "ab", "Shift+Shift+a", "Shift+Shift", "a+b"])
  func `what is not a key is refused`(_ key: String) async throws {
    let browser = try await TestDriver().openBrowser()

    #expect(
      await browser.text("press", ["key": key])
        == "invalid: '\(key)' is not a key; examples are Enter, a and Shift+Tab")
  }

  @Test func `preferences that are absent are the system's`() async throws {
    let driver = TestDriver()
    let browser = try await driver.openBrowser()

    _ = try await browser.call("media", ["dark": false])

    #expect(
      driver.requests.all.last == #"Emulation.setEmulatedMedia {"features":"#
        + #"[{"name":"prefers-color-scheme","value":"light"},"#
        + #"{"name":"prefers-reduced-motion","value":""}]}"#)
  }

  @Test func `a picture goes into a file or into the answer`() async throws {
    let folder = try TemporaryFolder()
    let browser = try await TestDriver().browser(in: folder.path("."))
    _ = try await browser.call("open", ["url": "about:blank"])

    #expect(await browser.text("screenshot") == "{width: 1280, height: 800, bytes: 24 bytes}")
    #expect(
      await browser.text("screenshot", ["to": "a.png"])
        == "{width: 1280, height: 800, bytes: null}")
    #expect(Bytes(try folder.directory.read("a.png")).base64 == TestDriver.picture(1280, 800))
    #expect(
      await browser.text("screenshot", ["to": "no/a.png"])
        == "file: cannot write 'no/a.png': there is no folder 'no'")
  }

  @Test func `a size has a meaning, which is checked before a run`() async throws {
    let plugin = try #require(try Registry([Browser.self]).plugin(named: "browser"))
    #expect(throws: ComponentError(.settings, "'width' is 0; it must be from 1 to 10000")) {
      try plugin.check(.object(["width": .int(0)]))
    }
    await #expect(throws: ComponentError(.settings, "'width' is 0; it must be from 1 to 10000")) {
      try await TestDriver().browser(["width": 0])
    }
    let browser = try await TestDriver().openBrowser()
    #expect(
      await browser.text("resize", ["width": 1, "height": 10_001])
        == "invalid: 1 by 10001 is not a size from 1 to 10000")
  }
}
