import BrowserPlugin
import FlowCommand
import FlowCore
import HTTPPlugin
import ProcessPlugin
import TestKit
import Testing

/// The page of a failed step in a report, from a real browser.
@Suite(.serialized, .enabled(if: Chromium.isHere, Chromium.absence)) struct EvidenceTests {
  struct Case: Sendable {
    /// The setting, or nothing.
    let picture: String
    let isSecret: Bool
    let isShown: Bool
  }

  @Test(arguments: [
    Case(picture: "", isSecret: false, isShown: true),
    Case(picture: "", isSecret: true, isShown: false),
    Case(picture: ", picture: true", isSecret: true, isShown: true),
    Case(picture: ", picture: false", isSecret: false, isShown: false),
  ])
  func `a failed step shows its page, and a picture that cannot show a secret`(
    _ example: Case
  ) async throws {
    let folder = try TemporaryFolder()
    let port = try freePort()
    try folder.write(
      "<title>Shop</title><input id=word oninput=\"this.setAttribute('value', this.value)\">",
      to: "page.html")
    try folder.write(
      """
      flow: 1
      inputs: {word: {type: string, secret: \(example.isSecret)}}
      components:
        programs: {plugin: process}
        driver: {plugin: http, with: {base: "http://127.0.0.1:\(port)", timeout: 60s}}
        browser:
          plugin: browser
          using: {driver: driver}
          with: {arguments: [--no-sandbox, --disable-dev-shm-usage]\(example.picture)}
      steps:
        - {uses: programs.start, with: {name: driver, argv: [chromedriver, "--port=\(port)"]}}
        - {uses: programs.wait_for, with: {name: driver, port: \(port)}}
        - {uses: browser.open, with: {file: page.html}}
        - {uses: browser.type, with: {selector: "#word", text: "${{ inputs.word }}"}}
        - {uses: browser.click, with: {selector: "#none"}, expect: {error: missing}}
        - {uses: browser.read, with: {selector: "#word"}, expect: {displayed: false}}
      finally:
        - {uses: browser.close}
      """, to: "s.yaml")

    try folder.write("open-sesame", to: "word.txt")
    let given =
      example.isSecret ? ["--secret", "word=@@/word.txt"] : ["--input", "word=open-sesame"]

    let run = try await FlowCommandRun(
      ["run", "@/s.yaml", "--report", "html=@/r.html", "--journal", "@/j.jsonl"] + given,
      in: folder, components: [Browser.self, HTTP.self, Processes.self])
    let page = try folder.text("r.html")

    #expect(run.code == .failed)
    #expect(page.ranges(of: "<span>evidence</span>").count == 1)
    let word = example.isSecret ? "${secret:word}" : "open-sesame"
    #expect(
      page.contains("&lt;input id=\\&quot;word\\&quot;") && page.contains("value=\\&quot;\(word)"))
    #expect(page.contains("src=\"data:image/png;base64,") == example.isShown)
    #expect(page.contains("open-sesame") != example.isSecret)
    // The page and the picture cross no boundary.
    let journal = try folder.text("j.jsonl")
    #expect(!journal.contains("outerHTML") && !journal.contains("/screenshot"))
  }
}
