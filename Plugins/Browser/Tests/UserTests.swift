import FlowCore
import FlowTesting
import HTTPPlugin
import ProcessPlugin
import TestKit
import Testing

/// Clicks, texts, uploads and downloads in a real browser, as a user does them.
@Suite(.serialized, .enabled(if: Chromium.isHere, Chromium.absence)) struct UserTests {
  private static let page = """
    <!doctype html><title>User</title><meta charset=utf-8>
    <style>header, footer { position: fixed; left: 0; right: 0; height: 90px; background: silver }
      header { top: 0 } footer { bottom: 0 } .far { height: 3000px } #list { overflow: auto; height: 200px; position: relative }
      #list header { position: sticky; height: 60px }</style>
    <header>Head</header><footer>Foot</footer><div style="height: 100px"></div>
    <button id=one onclick="clicks.push(1)">One</button><div class=far></div>
    <button id=two onclick="clicks.push(2)">Two</button><div class=far></div>
    <div id=list><header>List</header><div class=far></div><button id=three onclick="clicks.push(3)">Three</button>
      <div class=far></div></div>
    <button id=under onclick="clicks.push(9)" style="position: fixed; top: 10px; z-index: -1">Under</button>
    <input id=old value=old><textarea id=area>old</textarea><input id=number type=number value=5>
    <div id=rich contenteditable>old</div><input id=mask value="12/34"><input id=none>
    <div id=host></div>
    <input id=file type=file multiple hidden><label for=file>Upload</label>
    <script>
      window.clicks = []
      host.attachShadow({mode: "open"}).innerHTML = "<input id=inner value=old>"
      mask.addEventListener("input", () => { if (!mask.value) mask.value = "__/__" })
      window.events = []
      for (const e of [...document.querySelectorAll("input, textarea, div[contenteditable]"), host.shadowRoot.firstChild]) {
        for (const name of ["input", "change"]) {
          e.addEventListener(name, () => events.push(e.id + " " + name + " " + (e.files?.length ?? e.value ?? e.textContent)))
        }
      }
    </script>
    """

  @Test func `a click finds a place where nothing covers the element`() async throws {
    try await withPage { browser, _ in
      for id in ["two", "one", "three", "two"] {
        #expect(await browser.text("click", ["selector": "#\(id)"]) == "{}", "\(id)")
      }
      let covered = await browser.text("click", ["selector": "#under"])

      #expect(covered.hasPrefix("blocked: element click intercepted: "))
      #expect(
        await browser.text("evaluate", ["script": "return clicks"]) == "{value: [2, 1, 3, 2]}")
    }
  }

  @Test func `an emptied field tells the page`() async throws {
    try await withPage { browser, _ in
      for id in ["#old", "#area", "#number", "#rich", "#mask", "#none", "#host >>> #inner"] {
        #expect(await browser.text("type", ["selector": id, "text": ""]) == "{}", "\(id)")
      }
      #expect(await browser.text("type", ["selector": "#area", "text": "ab"]) == "{}")
      #expect(
        await browser.text("type", ["selector": "#list", "text": "ab"])
          == "blocked: '#list' cannot be used: it is not a field for text")

      #expect(
        await browser.text("evaluate", ["script": "return events.join(', ')"])
          == #"{value: "old input , old change , area input , area change , number input , "#
          + "number change , rich input , mask input __/__, mask change __/__, "
          + #"inner input , inner change , area input a, area input ab"}"#)
    }
  }

  @Test func `an upload reaches a hidden field, and replaces its files`() async throws {
    try await withPage { browser, folder in
      try folder.write("a", to: "a.txt")
      try folder.write("b", to: "b.txt")
      for (name, selector) in [("a.txt", "#file"), ("b.txt", "label=Upload")] {
        #expect(
          await browser.text("type", ["selector": selector, "text": folder.path(name)]) == "{}")
      }
      #expect(await browser.text("type", ["selector": "#file", "text": ""]) == "{}")
      #expect(await browser.text("type", ["selector": "#file", "text": ""]) == "{}")

      #expect(
        await browser.text("evaluate", ["script": "return events.join(', ')"])
          == #"{value: "file input 1, file change 1, file input 1, file change 1, "#
          + #"file input 0, file change 0"}"#)
    }
  }

  private static let server = """
    import http.server, sys
    PAGE = '''<!doctype html><title>Files</title>
    <a id=blank target=_blank href="/blank.csv">x</a><button id=open onclick="window.open('/open.csv')">x</button>
    <button id=place onclick="location.href = '/place.csv'">x</button>
    <form id=f method=post action="/form.csv"></form><button id=form onclick="f.submit()">x</button>
    <button id=frame onclick="document.body.append(Object.assign(document.createElement('iframe'), {src: '/frame.csv'}))">x</button>
    <button id=tab onclick="window.open('/starts?tab.csv')">x</button>
    <a id=leads href="/starts?leads.csv" onclick="event.preventDefault(); location = this.href">x</a>'''
    class Files(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments): pass
        def do_POST(self): self.do_GET()
        def do_GET(self):
            path, _, rest = self.path.partition('?')
            self.send_response(200)
            if path.endswith('.csv'):
                body = path
                self.send_header('Content-Type', 'text/csv')
                self.send_header('Content-Disposition', 'attachment')
            else:
                body = f"<title>Starts</title><script>location.href = '/{rest}'</script>" if rest else PAGE
                self.send_header('Content-Type', 'text/html')
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())
    http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Files).serve_forever()
    """

  @Test func `a download is found however it was started`() async throws {
    try await withPage { browser, folder in
      try folder.write(Self.server, to: "server.py")
      let port = try freePort()
      let programs = try await OpenComponent(Processes.self, in: folder.directory.path)
      _ = try await programs.call(
        "start", ["name": "server", "argv": ["python3", "server.py", "\(port)"]])
      _ = try await programs.call("wait_for", ["name": "server", "port": port])

      for id in ["blank", "open", "place", "form", "frame", "tab", "leads"] {
        _ = try await browser.call("open", ["url": "http://127.0.0.1:\(port)/"])
        let answer = await browser.text("download", ["selector": "#\(id)", "to": "\(id).csv"])
        #expect(answer == #"{name: "\#(id).csv", size: \#(id.utf8.count + 5)}"#)
        #expect(try folder.text("\(id).csv") == "/\(id).csv")
      }
      await programs.close()
    }
  }

  /// Opens the page in a browser, and closes everything afterwards.
  private func withPage(
    _ work: (OpenComponent, TemporaryFolder) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.page, to: "page.html")
    let (programs, browser) = try await Chromium.open(in: folder)
    _ = try await browser.call("open", ["file": "page.html"])
    try await work(browser, folder)
    _ = await browser.text("close")
    await programs.close()
  }
}
