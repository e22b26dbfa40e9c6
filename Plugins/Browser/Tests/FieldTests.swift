import FlowCore
import FlowTesting
import TestKit
import Testing

/// Clicks and texts in a real browser.
@Suite(.serialized, .enabled(if: Chromium.isHere, Chromium.absence)) struct FieldTests {
  private static let page = """
    <!doctype html><title>Fields</title><script>window.clicks = 0</script>
    <button id=off disabled onclick="clicks++">Pay</button>
    <button id=span disabled onclick="clicks++"><span id=inner>Pay</span></button>
    <fieldset disabled><legend><button id=legend onclick="clicks++">Legend</button></legend>
      <button id=set onclick="clicks++">Set</button><input id=setText><a id=link href="#here">Link</a>
    </fieldset>
    <div id=aria role=button aria-disabled=true onclick="clicks++">Aria</div>
    <button id=ghost style="pointer-events: none" onclick="clicks++">Ghost</button>
    <div inert><button id=inert onclick="clicks++">Inert</button></div>
    <label id=label><input type=checkbox disabled>Off</label>
    <input id=box type=checkbox><input id=stuck type=checkbox onclick="event.preventDefault()">
    <input id=one type=radio name=r>
    <select id=list><option id=first>First<option id=second>Second<option id=never disabled>Never</select>
    <input id=read readonly value=old><textarea id=area readonly>old</textarea>
    <input id=text value=old><input id=short maxlength=4><input id=number type=number>
    <input id=card oninput="this.value = this.value.replace(/\\\\D/g, '').replace(/(..)(?=.)/g, '$1 ')">
    <input id=upper oninput="this.value = this.value.toUpperCase()">
    <input id=tags onkeyup="this.value = ''"><textarea id=long></textarea>
    <div id=rich contenteditable></div><input id=mail type=email><input id=word type=password>
    <input id=date type=date><input id=time type=time><input id=both type=datetime-local>
    <input id=month type=month><input id=week type=week><input id=color type=color>
    <input id=range type=range min=0 max=10 step=2><input id=gone type=date hidden>
    <script>
      for (const e of document.querySelectorAll('input')) {
        e.addEventListener('change', () => e.dataset.changed = e.value)
      }
    </script>
    """

  struct Step: Sendable, CustomTestStringConvertible {
    let id: String
    var text: String?
    let answer: String
    var value: String?

    var testDescription: String { "\(id) \(text ?? "click")" }
  }

  private static func blocked(_ id: String, _ reason: String) -> String {
    "blocked: '#\(id)' cannot be used: \(reason)"
  }

  private static func rejected(_ reason: String) -> String {
    "rejected: the page did not accept it: \(reason)"
  }

  private static let clicks = [
    Step(id: "off", answer: blocked("off", "it is disabled")),
    Step(id: "inner", answer: blocked("inner", "it is disabled")),
    Step(id: "set", answer: blocked("set", "it is disabled")),
    Step(id: "aria", answer: blocked("aria", "it is disabled, as aria-disabled says")),
    Step(id: "ghost", answer: blocked("ghost", "it takes no clicks, as pointer-events says")),
    Step(id: "inert", answer: blocked("inert", "it is inert")),
    Step(id: "label", answer: blocked("label", "it is disabled")),
    Step(id: "never", answer: blocked("never", "it is disabled")),
    Step(id: "legend", answer: "{}"), Step(id: "link", answer: "{}"),
    Step(id: "box", answer: "{}"), Step(id: "box", answer: "{}"), Step(id: "one", answer: "{}"),
    Step(id: "one", answer: "{}"), Step(id: "second", answer: "{}"),
    Step(id: "stuck", answer: rejected("it is still not checked")),
  ]

  private static let texts = [
    Step(id: "setText", text: "x", answer: blocked("setText", "it is disabled")),
    Step(id: "read", text: "x", answer: blocked("read", "it can only be read"), value: "old"),
    Step(id: "area", text: "x", answer: blocked("area", "it can only be read"), value: "old"),
    Step(id: "text", text: "Grüße  aus 東京", answer: "{}", value: "Grüße  aus 東京"),
    Step(id: "text", text: "", answer: "{}", value: ""),
    Step(
      id: "short", text: "abcdef", answer: rejected("it has only the first 4 of 6 characters"),
      value: "abcd"),
    Step(id: "number", text: "-12.50", answer: "{}", value: "-12.50"),
    Step(id: "number", text: "twelve", answer: rejected("it has '' instead of 'twelve'")),
    Step(id: "card", text: "12345678", answer: "{}", value: "12 34 56 78"),
    Step(id: "upper", text: "abc", answer: "{}", value: "ABC"),
    Step(id: "tags", text: "swift", answer: rejected("it has '' instead of 'swift'"), value: ""),
    Step(id: "long", text: "a\nb", answer: "{}", value: "a\nb"),
    Step(id: "rich", text: "bold move", answer: "{}"),
    Step(id: "mail", text: "ann@example.org", answer: "{}", value: "ann@example.org"),
    Step(id: "word", text: "sesame", answer: "{}", value: "sesame"),
    Step(id: "date", text: "2031-02-28", answer: "{}", value: "2031-02-28"),
    Step(
      id: "date", text: "28.02.2031",
      answer: rejected("'28.02.2031' is not valid in a field of type date: YYYY-MM-DD"),
      value: "2031-02-28"),
    Step(
      id: "date", text: "2031-02-30",
      answer: rejected("'2031-02-30' is not valid in a field of type date: YYYY-MM-DD"),
      value: "2031-02-28"),
    Step(id: "time", text: "07:05", answer: "{}", value: "07:05"),
    Step(id: "both", text: "2031-02-28T07:05", answer: "{}", value: "2031-02-28T07:05"),
    Step(id: "month", text: "2031-11", answer: "{}", value: "2031-11"),
    Step(id: "week", text: "2031-W09", answer: "{}", value: "2031-W09"),
    Step(id: "color", text: "#00AAff", answer: "{}", value: "#00aaff"),
    Step(
      id: "color", text: "blue",
      answer: rejected("'blue' is not valid in a field of type color: #rrggbb"),
      value: "#00aaff"),
    Step(id: "range", text: "8", answer: "{}", value: "8"),
    Step(
      id: "range", text: "11",
      answer: rejected(
        "'11' is not valid in a field of type range: a number in its range"), value: "8"),
    Step(id: "gone", text: "2031-02-28", answer: blocked("gone", "it is hidden")),
  ]

  @Test func `a click and a text do what they say, or fail`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.page.replacing("\\\\", with: "\\"), to: "page.html")
    let (programs, browser) = try await Chromium.open(in: folder)
    _ = try await browser.call("open", ["file": "page.html"])

    for step in Self.clicks {
      #expect(await browser.text("click", ["selector": "#\(step.id)"]) == step.answer, "\(step)")
    }
    #expect(
      await browser.text("evaluate", ["script": "return [clicks, list.value]"])
        == #"{value: [1, "Second"]}"#)
    for step in Self.texts {
      let input = ["selector": "#\(step.id)", "text": step.text ?? ""]
      #expect(await browser.text("type", input) == step.answer, "\(step)")
      guard let value = step.value else { continue }
      let held = try await browser.call("read", ["selector": "#\(step.id)"])
      #expect("\(held)".contains("value: \(Value.string(value)),"), "\(step): \(held)")
    }
    #expect(
      await browser.text("type", ["selector": "#tags", "text": "swift", "loose": true]) == "{}")
    #expect(
      await browser.text("type", ["selector": "#upper", "text": "def", "clear": false]) == "{}")
    #expect(
      await browser.text("evaluate", ["script": "return [upper.value, date.dataset.changed]"])
        == #"{value: ["ABCDEF", "2031-02-28"]}"#)
    _ = await browser.text("close")
    await programs.close()
  }
}
