import FlowCore
import Foundation
import TestKit
import Testing

/// The extension for VS Code, and the programs of the other editors' pages.
@Suite(.enabled(if: Tool.path("python3") != nil, "no Python here"))
struct EditorTests {
  private static let script = "Scripts/vscode-extension"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the extension follows the packing rules`() throws {
    #expect(try check("Editors/vscode") == "flow.flow-scenarios 0.2.0 follows the rules\n")
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let file: String
    let text: String
    let replacement: String
    let problem: String
    var testDescription: String { problem }
  }

  private static let cases = [
    Case(
      file: "package.json", text: "\"publisher\": \"flow\"", replacement: "\"publisher\": \"a b\"",
      problem: "package.json: 'publisher' must be letters, digits and '-'"),
    Case(
      file: "package.json", text: "\"version\": \"0.2.0\"", replacement: "\"version\": \"0.2\"",
      problem: "package.json: 'version' must be MAJOR.MINOR.PATCH"),
    Case(
      file: "package.json", text: "\"^1.82.0\"", replacement: "\"*\"",
      problem: "package.json: 'engines.vscode' must be ^MAJOR.MINOR.PATCH"),
    Case(
      file: "package.json", text: "\"Debuggers\"", replacement: "\"Debugging\"",
      problem: "package.json: 'Debugging' is no category"),
    Case(
      file: "package.json", text: "\"onLanguage:flow\"", replacement: "\"*\"",
      problem: "package.json: '*' in 'activationEvents' slows every start of the editor"),
    Case(
      file: "package.json", text: "./extension.js", replacement: "./main.js",
      problem: "package.json: 'main': ./main.js is missing"),
    Case(
      file: "package.json", text: "icon.png", replacement: "icon.svg",
      problem: "package.json: 'icon' cannot be SVG"),
    Case(
      file: "package.json", text: "\"restrictedConfigurations\": [\"flow.path\"]",
      replacement: "\"restrictedConfigurations\": []",
      problem: "package.json: 'flow.path' names a program, and is not restricted"),
    Case(
      file: "package.json", text: "{\"command\": \"flow.run\", \"when\"",
      replacement: "{\"command\": \"flow.go\", \"when\"",
      problem: "package.json: a menu has the unknown command 'flow.go'"),
    Case(
      file: "extension.js", text: "'flow.replay'", replacement: "'flow.play'",
      problem: "package.json: the command 'flow.replay' is not in the code"),
    Case(
      file: "extension.js", text: "'vscode-languageclient/node'", replacement: "'client/node'",
      problem: "package.json: the module 'client' is not in 'dependencies'"),
    Case(
      file: "syntaxes/expressions.tmLanguage.json", text: "\"end\": \"\\\\}\\\\}\"",
      replacement: "\"end\": \"(\"",
      problem: "syntaxes/expressions.tmLanguage.json: '(': missing ), unterminated subpattern at "
        + "position 0"),
    Case(
      file: "syntaxes/expressions.tmLanguage.json", text: "\"include\": \"#escape\"",
      replacement: "\"include\": \"#escapes\"",
      problem: "syntaxes/expressions.tmLanguage.json: the rule '#escapes' does not exist"),
    Case(
      file: "README.md", text: "## Set-up", replacement: "![a](picture.png)",
      problem: "README.md: 'picture.png' must be https, or a place of the page"),
  ]

  @Test(arguments: cases)
  func `a broken rule is named`(_ sample: Case) throws {
    try copyExtension()
    let text = try folder.text("vscode/" + sample.file)
    let changed = text.replacing(sample.text, with: sample.replacement, maxReplacements: 1)
    try folder.write(changed, to: "vscode/" + sample.file)

    #expect(changed != text)
    #expect(
      try check(folder.path("vscode")) == "vscode-extension: \(sample.problem)\nended with 1\n")
  }

  @Test func `a package without its modules is not made`() throws {
    try copyExtension()

    #expect(
      try Tool.run(
        "python3", [Self.script, "-o", folder.path("a.vsix"), folder.path("vscode")],
        in: ProjectFiles.root) == """
          vscode-extension: 'npm install --omit=dev' in \(folder.path("vscode")) first; it installs \
          vscode-languageclient
          ended with 1

          """)
    #expect(try folder.names == ["vscode"])
  }

  @Test func `a package has the manifests, the files and the modules, and no tests`() throws {
    try copyExtension()
    try folder.write("{}", to: "vscode/node_modules/vscode-languageclient/package.json")
    let output = try Tool.run(
      "python3", [Self.script, "-o", folder.path("a.vsix"), folder.path("vscode")],
      in: ProjectFiles.root)
    let list = try Tool.run(
      "python3", ["-m", "zipfile", "-l", folder.path("a.vsix")], in: ProjectFiles.root)
    let names = list.split(separator: "\n").dropFirst().compactMap {
      $0.split(separator: " ").first
    }

    #expect(output == "wrote \(folder.path("a.vsix"))\n")
    #expect(
      names == [
        "extension.vsixmanifest", "[Content_Types].xml", "extension/CHANGELOG.md",
        "extension/LICENSE.txt", "extension/README.md", "extension/explorer.js",
        "extension/extension.js",
        "extension/icon.png", "extension/language-configuration.json",
        "extension/node_modules/vscode-languageclient/package.json", "extension/package.json",
        "extension/syntaxes/expressions.tmLanguage.json", "extension/syntaxes/flow.tmLanguage.json",
      ])
  }

  @Test func `the grammar names the parts of expressions`() throws {
    let line = """
      - expect: {total: "${{ {'a': [1, 2u]}['a'].sum() + it.x >= 0.5 ? '}}' : steps.in }} of ${{ true }}"}
      """
    try folder.write(line + "\n", to: "line")
    let tokens = try Tool.run(
      "sh", ["-c", "python3 \(Self.script) --tokens < '\(folder.path("line"))'"],
      in: ProjectFiles.root)
    let names = tokens.split(separator: "\n").map { $0.replacing("\t", with: " ") }
      .filter { !$0.hasPrefix("'") && !$0.contains("punctuation.") }

    #expect(
      names == [
        "a string.quoted.single.cel", ": keyword.operator.cel", "1 constant.numeric.cel",
        "2u constant.numeric.cel", "a string.quoted.single.cel",
        "sum entity.name.function.cel", "+ keyword.operator.cel", "it variable.language.cel",
        "x variable.other.property.cel", ">= keyword.operator.cel", "0.5 constant.numeric.cel",
        "? keyword.operator.cel", "}} string.quoted.single.cel", ": keyword.operator.cel",
        "steps variable.language.cel", "in variable.other.property.cel",
        "true constant.language.cel",
      ])
    #expect(tokens.split(separator: "\n").filter { $0.contains(".embedded.end.") }.count == 2)
  }

  @Test(.enabled(if: Tool.path("node") != nil, "no Node here"))
  func `the extension starts the programs, and runs the commands of the lenses`() throws {
    let output = try Tool.run(
      "node", ["--test", "Editors/vscode/test/extension.test.js"], in: ProjectFiles.root)

    #expect(output.contains("\n# pass 14\n") || output.contains("ℹ pass 14\n"), "\(output)")
    #expect(output.contains("fail 0\n"))
  }

  @Test(.enabled(if: Tool.path("node") != nil, "no Node here"))
  func `the Test Explorer lists, runs and debugs scenarios`() throws {
    let program = BuiltProgram.url("flow").path
    let output = try Tool.run(
      "env", ["FLOW=\(program)", "node", "--test", "Editors/vscode/test/explorer.test.js"],
      in: ProjectFiles.root)

    #expect(output.contains("\n# pass 14\n") || output.contains("ℹ pass 14\n"), "\(output)")
    #expect(output.contains("fail 0\n"))
  }

  @Test(.enabled(if: Tool.path("nvim") != nil, "no Neovim here"))
  func `the text of Neovim's page loads`() throws {
    let page = try ProjectFiles.text("Editors/neovim.md")
    let parts = try ["## 0.7 to 0.10\n", "## Keys and lenses\n"].map { heading in
      let rest = try #require(page.firstRange(of: heading)).upperBound
      return String(page[rest...].prefix { $0 != "#" })
    }
    let code = parts.joined().split(separator: "```lua\n").dropFirst()
      .compactMap { $0.split(separator: "```").first }.joined()
    try folder.write(code, to: "init.lua")

    #expect(code.contains("vim.lsp.commands['flow.run']"))
    #expect(
      try Tool.run(
        "nvim", ["--headless", "-u", folder.path("init.lua"), "-c", "qa!"], in: ProjectFiles.root)
        == "")
  }

  @Test func `the settings of Kate's and JetBrains' pages are JSON`() throws {
    for page in ["Editors/kate.md", "Editors/jetbrains.md", "Editors/vscode/README.md"] {
      let blocks = try ProjectFiles.text(page).split(separator: "```json\n").dropFirst()
        .compactMap { $0.split(separator: "```").first }
      #expect(!blocks.isEmpty)
      for block in blocks {
        _ = try JSONSerialization.jsonObject(with: Data(block.utf8))
      }
    }
  }

  // MARK: - Helpers

  private func check(_ extension: String) throws -> String {
    try Tool.run("python3", [Self.script, "--check", `extension`], in: ProjectFiles.root)
  }

  private func copyExtension() throws {
    for name in [
      "package.json", "README.md", "CHANGELOG.md", "explorer.js", "extension.js",
      "language-configuration.json", "icon.png", "LICENSE", ".vscodeignore",
      "syntaxes/flow.tmLanguage.json", "syntaxes/expressions.tmLanguage.json",
      "test/extension.test.js",
    ] {
      let bytes = try Directory(ProjectFiles.root).read("Editors/vscode/" + name)
      try folder.write(bytes, to: "vscode/" + name)
    }
  }
}
