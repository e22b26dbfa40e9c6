import FlowCore
import FlowTesting
import TestKit
import Testing

/// The elements that a user of a real browser sees, and the ones that a selector finds.
@Suite(.serialized, .enabled(if: Chromium.isHere, Chromium.absence)) struct SightTests {
  /// The elements whose ids start with `see` are seen, the others are not.
  private static let boxes = """
    <!doctype html><title>Boxes</title><style>div { min-height: 0 } .gone { height: 0; overflow: hidden }</style>
    <div class=gone id=panel><p id=inPanel>text</p><div style="position: relative"><b id=deep>deep</b></div></div>
    <div class=gone><i id=seeOut style="position: absolute">not held by the panel</i></div>
    <div class=gone style="position: relative"><i id=held style="position: absolute">held by it</i></div>
    <div class=gone><i id=seeFixed style="position: fixed; top: 300px">fixed</i></div>
    <div class=gone style="transform: translate(0)"><i id=heldFixed style="position: fixed">fixed in it</i></div>
    <div id=seeFloats style="height: 0"><span style="float: left">floats</span></div>
    <div id=seeText style="height: 0">overflows</div><div style="clear: both"></div>
    <div id=empty></div><span id=blank> </span><div id=spaces style="height: 0"> <!-- x --> </div>
    <div style="transform: scale(0)"><p id=scaled>text</p></div>
    <div style="transform: scaleX(0.5)"><p id=seeScaled>text</p></div>
    <div style="overflow: hidden; width: 100px; height: 20px; position: relative">
      <span id=seeIn>in</span><span id=beside style="position: absolute; left: 100px">beside</span>
      <span id=seePart style="position: absolute; left: 99px">partly</span></div>
    <div style="overflow: auto; width: 100px; height: 40px; position: relative">
      <div style="height: 500px"></div><span id=seeBelow>scrolled out of sight</span>
      <span id=above style="position: absolute; top: -900px">above</span></div>
    <div class=gone><div style="overflow: auto; height: 90px"><b id=scrolledInPanel>text</b></div></div>
    <i id=clip style="position: absolute; clip: rect(1px, 1px, 1px, 1px)">clip</i>
    <i id=seeClip style="position: absolute; clip: rect(auto, 9px, auto, auto)">clip</i>
    <i id=inset style="position: absolute; clip-path: inset(50%)">inset</i>
    <p id=seeInset style="clip-path: inset(10% 20px round 3px)">inset</p>
    <p id=insetEdge style="width: 60px; clip-path: inset(0 30px 0 50%)">inset</p>
    <p id=circle style="clip-path: circle(0 at 50% 50%)">circle</p>
    <p id=seeCircle style="clip-path: circle(40%)">circle</p>
    <p id=polygon style="clip-path: polygon(0 0, 0 0, 0 100%)">polygon</p>
    <p id=seePolygon style="clip-path: polygon(evenodd, 0 0, 50% 0, 0 100%)">polygon</p>
    <div style="clip-path: inset(100%)"><i id=inClipped style="position: fixed; top: 0">in it</i></div>
    <p id=left style="position: absolute; left: -9999px">left</p>
    <p id=menu style="position: fixed; top: 0; right: 0; width: 90px; transform: translateX(100%)">menu</p>
    <p id=seeLow style="position: absolute; top: 5000px">low</p>
    <div id=found hidden=until-found>until found</div>
    <div style="content-visibility: hidden; height: 9px"><p id=skipped>text</p></div>
    <div style="display: contents" id=seeContents>contents</div>
    <div style="opacity: 0"><p id=clear>text</p></div><p id=invisible style="visibility: hidden">text</p>
    <svg id=seeDrawing width=20 height=20><circle id=seeDot cx=9 cy=9 r=5 /><circle id=outside cx=90 cy=9 r=5 /></svg>
    <details><summary id=seeSummary>more</summary><p id=folded>text</p></details>
    <x-card id=seeCard></x-card><script>
      document.getElementById("seeCard").attachShadow({mode: "open"}).innerHTML = "<b>in a shadow</b>"
    </script>
    """

  @Test func `an element is displayed if a user can see a part of it`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.boxes, to: "page.html")
    let (programs, browser) = try await Chromium.open(in: folder)
    _ = try await browser.call("open", ["file": "page.html"])
    let ids = Self.boxes.matches(of: /id=(\w+)/).map { String($0.1) }

    #expect(ids.count > 40)
    for id in ids {
      let state = try await browser.call("read", ["selector": "#\(id)"])
      #expect("\(state)".contains("displayed: \(id.hasPrefix("see")),"), "\(id): \(state)")
    }
    #expect(await browser.text("wait_until_gone", ["selector": "#inPanel"]) == "{}")

    _ = await browser.text("close")
    await programs.close()
  }

  private static let forms = """
    <!doctype html><title>Forms</title>
    <button id=a>Save</button> <button>Save as a file with a very long name in a folder</button>
    <button style="display: none">Save all</button> <input type=submit value="Save &amp; quit">
    <a href="#" id=link>Save</a> <div role=button id=fake>Delete</div> <i aria-hidden=true><button>Delete</button></i>
    <button aria-label="Close the window" id=close>x</button> <button id=icon><img alt=Print></button>
    <label>Name <input id=name></label> <label for=first>First name</label><input id=first>
    <input id=mail type=email placeholder=Mail> <input id=agree type=checkbox aria-labelledby="who what">
    <span id=who>I</span> <span id=what>agree</span> <fieldset id=group><legend>Colours</legend></fieldset>
    <h2 id=title>Prices</h2> <select id=size aria-label=Size><option id=small>Small</select>
    <div role="presentation button" id=other>Other</div> <ul><li class=row>one<li class=row>two</ul>
    """

  private static let forThem: [(selector: String, answer: String)] = [
    ("button=Delete", "{}"), ("button=close", "{}"), ("button=Print", "{}"), ("link=Save", "{}"),
    ("heading=Prices", "{}"), ("textbox=Mail", "{}"), ("checkbox=I agree", "{}"),
    ("combobox=Size", "{}"), ("group=Colours", "{}"), ("button=\"Save\"", "{}"),
    ("label=\"Name\"", "{}"), ("ul >>> text=two", "{}"),
    (
      "button=Save",
      "ambiguous: 3 elements match 'button=Save': button#a 'Save', "
        + "button 'Save as a file with a very long name in…', input 'Save & quit'"
    ),
    (
      "textbox=Name",
      "ambiguous: 2 elements match 'textbox=Name': input#name 'Name', input#first 'First name'"
    ),
    (".row", "ambiguous: 2 elements match '.row': li 'one', li 'two'"),
    (
      "body *",
      "ambiguous: 26 elements match 'body *': button#a 'Save', "
        + "button 'Save as a file with a very long name in…', input 'Save & quit', a#link 'Save', "
        + "div#fake 'Delete', …"
    ),
    (
      "button=Other",
      "missing: no element matches 'button=Other' on the page 'Forms' (about:blank)"
    ),
    ("#none", "missing: no element matches '#none' on the page 'Forms' (about:blank)"),
    ("buton=Save", "invalid: 'buton=Save' is not a selector"),
  ]

  @Test func `an action is for one element, by its role and name too`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.forms, to: "page.html")
    let (programs, browser) = try await Chromium.open(in: folder)
    _ = try await browser.call("open", ["file": "page.html"])

    for (selector, answer) in Self.forThem {
      let found = await browser.text("hover", ["selector": selector])
      #expect(found == answer, "\(selector)")
    }
    #expect(
      await browser.text("read", ["selector": "button=Nothing"])
        == "missing: no element matches 'button=Nothing' on the page 'Forms' (about:blank)")
    let first = try await browser.call("read", ["selector": ".row"])
    #expect("\(first)".hasPrefix(#"{count: 2, text: "one","#), "\(first)")

    _ = await browser.text("close")
    await programs.close()
  }
}
