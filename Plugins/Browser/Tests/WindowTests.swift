import FlowCore
import FlowTesting
import HTTPPlugin
import TestKit
import Testing

@testable import BrowserPlugin

/// Dialogs, frames, windows, choices and the pointer: what is asked of the driver, and its answers.
@Suite struct WindowTests {
  private typealias Reply = TestDriver.Reply

  private static func page(_ title: String, _ url: String = "http://a/") -> Reply {
    .value(.object(["title": .string(title), "url": .string(url)]))
  }

  private static func list(_ names: String...) -> Reply {
    .value(.list(names.map { .string($0) }))
  }

  /// Calls an operation of a browser with an open page, and returns its answer with the requests.
  private func requests(
    of driver: TestDriver, _ operation: String, _ input: [String: any FieldValue] = [:]
  ) async throws -> (answer: String, requests: [String]) {
    let browser = try await driver.openBrowser()
    let before = driver.requests.all.count
    let answer = await browser.text(operation, input)
    return (answer, Array(driver.requests.all.dropFirst(before)))
  }

  // MARK: - Dialogs

  @Test(arguments: [
    (["accept": Value.bool(true)], ["alert/text null", "alert/accept {}"]),
    (["accept": .bool(false)], ["alert/text null", "alert/dismiss {}"]),
    (
      ["text": .string("Ada")],
      ["alert/text null", #"alert/text {"text":"Ada"}"#, "alert/accept {}"]
    ),
  ])
  func `an open dialog is answered`(_ input: [String: Value], expected: [String]) async throws {
    let driver = TestDriver(["alert/text": [.value(.string("Sure?"))]])

    let (answer, requests) = try await requests(of: driver, "dialog", input)

    #expect(answer == #"{message: "Sure?"}"#)
    #expect(requests == expected)
  }

  @Test func `a dialog is awaited`() async throws {
    let none = Reply.error("no such alert", "")
    let driver = TestDriver(["alert/text": [none, none, .value(.string("Late"))]])

    let (answer, requests) = try await requests(of: driver, "dialog")

    #expect(answer == #"{message: "Late"}"#)
    #expect(requests.count { $0 == "alert/text null" } == 3)
  }

  // MARK: - Frames

  @Test func `a frame is entered and left`() async throws {
    let driver = TestDriver()

    let entered = try await requests(of: driver, "frame", ["selector": "#pay"])
    let left = try await requests(of: driver, "frame")

    #expect(
      entered.requests.last == #"frame {"id":{"element-6066-11e4-a52e-4f735466cecf":"e.1"}}"#)
    #expect(entered.requests.map { $0.prefix(5) } == ["pick ", "frame"])
    #expect(left.requests == [#"frame {"id":null}"#])
    #expect([entered.answer, left.answer] == ["{}", "{}"])
  }

  // MARK: - Windows

  @Test func `the latest other window with the text is entered, when its page is there`()
    async throws
  {
    let driver = TestDriver([
      "window": [.value(.string("w1"))],
      "window/handles": [Self.list("w1", "w2"), Self.list("w1", "w2", "w3")],
      "page": [
        Self.page("Shop"), Self.page("", "about:blank"), Self.page("Help"),
        Self.page("Terms of use"),
      ],
    ])

    let (answer, requests) = try await requests(of: driver, "window", ["title": "Terms"])

    #expect(answer == #"{title: "Terms of use", url: "http://a/"}"#)
    #expect(
      requests.filter { $0.hasPrefix("window {") }
        == ["w2", "w1", "w3", "w2"].map { #"window {"handle":"\#($0)"}"# })
    #expect(requests.last?.hasPrefix("Emulation.setDeviceMetricsOverride ") == true)
  }

  @Test func `the only window is not closed`() async throws {
    let driver = TestDriver(["window/handles": [Self.list("w1")]])

    let (answer, requests) = try await requests(of: driver, "close_window")

    #expect(answer == "invalid: it is the only window; 'close' ends the browser")
    #expect(requests == ["window/handles null"])
  }

  @Test func `after a window that is closed the first one is the current one`() async throws {
    let driver = TestDriver([
      "window/handles": [Self.list("w1", "w2")],
      "remove window": [Self.list("w1")],
    ])

    let (answer, requests) = try await requests(of: driver, "close_window")

    #expect(answer == #"{title: "Notes", url: "about:blank"}"#)
    #expect(requests[1...2] == ["remove window null", #"window {"handle":"w1"}"#])
  }

  @Test func `after a window that has closed itself the browser goes on in another one`()
    async throws
  {
    let driver = TestDriver([
      "page": [Self.page("Shop"), .error("no such window", "closed"), Self.page("Shop")],
      "window/handles": [Self.list("w1")],
    ])
    let browser = try await driver.openBrowser()

    #expect(await browser.text("page") == "closed: no such window: closed")
    #expect(await browser.text("page") == #"{title: "Shop", url: "http://a/"}"#)
    #expect(driver.requests.all.contains(#"window {"handle":"w1"}"#))
  }

  // MARK: - Choices

  @Test(arguments: [
    (Value.null, "{}"),
    (
      .object(["missing": .string("Pink"), "known": .list([.string("Red"), .string("Green")])]),
      "missing: '.a' has no option 'Pink'; it has 'Red', 'Green'"
    ),
    (
      .object(["missing": .string("Pink"), "known": .list([])]),
      "missing: '.a' has no option 'Pink'; it has none"
    ),
    (
      .object(["obstacle": .string("it is not a select")]),
      "blocked: '.a' cannot be used: it is not a select"
    ),
    (
      .object(["held": .string("chosen is 'Red'")]),
      "rejected: the page did not accept it: chosen is 'Red'"
    ),
  ])
  func `a choice is made or explained`(_ reply: Value, expected: String) async throws {
    let driver = TestDriver(["choose": [.value(reply)]])

    let (answer, requests) = try await requests(
      of: driver, "select", ["selector": ".a", "label": "Pink"])

    #expect(answer == expected)
    #expect(requests.last?.contains(#","Pink"]"#) == false)
    #expect(requests.last?.contains(#"["Pink"]"#) == true)
  }

  @Test(arguments: [[:], ["label": Value.string("a"), "labels": .list([.string("b")])]])
  func `a choice has one form`(_ input: [String: Value]) async throws {
    let (answer, _) = try await requests(
      of: TestDriver(), "select", input.merging(["selector": .string("a")]) { $1 })

    #expect(answer == "invalid: give either 'label' or 'labels'")
  }

  // MARK: - The pointer

  @Test func `the pointer moves to the middle of an element that is shown`() async throws {
    let shown = TestDriver()
    let hidden = TestDriver(["show": [.value(.string("it is hidden"))]])

    let (answer, requests) = try await requests(of: shown, "hover", ["selector": "#menu"])
    let (refusal, _) = try await self.requests(of: hidden, "hover", ["selector": "#menu"])

    #expect(answer == "{}")
    #expect(
      requests.last == #"actions {"actions":[{"type":"pointer","id":"mouse","#
        + #""parameters":{"pointerType":"mouse"},"actions":[{"type":"pointerMove","duration":0,"#
        + #""x":0,"y":0,"origin":{"element-6066-11e4-a52e-4f735466cecf":"e.1"}}]}]}"#)
    #expect(refusal == "blocked: '#menu' cannot be used: it is hidden")
  }

  // MARK: - Downloads

  @Test func `a file is saved under the folder, or explained`() async throws {
    let folder = try TemporaryFolder()
    let browser = try await TestDriver().browser(in: folder.path("."))
    _ = try await browser.call("open", ["url": "about:blank"])
    let failing = TestDriver([
      "download": [.value(.object(["failure": .string("the server answers 404")]))]
    ])

    let answer = await browser.text("download", ["selector": "a", "to": "new/prices.csv"])
    let (failure, _) = try await requests(
      of: failing, "download", ["selector": "a", "to": "prices.csv"])

    #expect(answer == #"{name: "prices.csv", size: 11}"#)
    #expect(try folder.text("new/prices.csv") == "bread;2,40\n")
    #expect(failure == "rejected: nothing was downloaded: the server answers 404")
  }

  // MARK: - Selectors and waits

  @Test(arguments: [
    (
      "text=Save", TestDriver.none,
      "missing: no element matches 'text=Save' on the page 'Notes' (about:blank)"
    ),
    ("a >>> ##", .bool(false), "invalid: 'a >>> ##' is not a selector"),
    ("label=Name", TestDriver.element, "{}"),
  ])
  func `an element by its text is found in the page`(
    _ selector: String, reply: Value, expected: String
  ) async throws {
    let driver = TestDriver(["pick": [.value(reply)]])

    let (answer, _) = try await requests(of: driver, "click", ["selector": selector])

    #expect(answer == expected)
  }

  @Test func `a wait until an element is gone ends when none is displayed`() async throws {
    let sight = Value.object([
      "sight": .object([
        "count": .int(1), "displayed": .int(0), "text": .string(""), "title": .string("Shop"),
        "url": .string("http://a/"),
      ])
    ])
    let driver = TestDriver(["find": [.value(TestDriver.milk), .value(sight)]])

    let (answer, requests) = try await requests(
      of: driver, "wait_until_gone", ["selector": "#loading"])

    #expect(answer == "{}")
    #expect(requests.count { $0.hasPrefix("find ") } == 2)
  }
}
