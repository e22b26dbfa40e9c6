internal import FlowCore
internal import FlowTexts

/// The files of a plugin in another language: the counter from the page on writing plugins, under
/// another name.
struct StarterServer: Sendable {
  /// A language other than Swift.
  enum Language: String, Sendable, CaseIterable {
    case python, javascript

    fileprivate var interpreter: String {
      switch self {
      case .python: "python3"
      case .javascript: "node"
      }
    }

    fileprivate var file: String {
      switch self {
      case .python: "server.py"
      case .javascript: "server.mjs"
      }
    }
  }

  /// The name of the plugin in scenarios.
  let name: String
  let language: Language

  /// The path of the program in the plugin's folder.
  var program: String { language.file }
  /// The path of the scenario in the plugin's folder.
  var scenario: String { "\(name).yaml" }

  /// The files, by their paths in the plugin's folder.
  var files: [(path: String, text: String)] {
    let server =
      switch language {
      case .python: Texts.serverPython
      case .javascript: Texts.serverJavaScript
      }
    return [
      (program, renamed(server)), (scenario, renamed(Texts.serverScenario)),
    ]
  }

  /// The project file of a folder with this plugin alone.
  var project: String { "flow: 1\nplugins:\n  \(declaration(of: program))\n" }

  /// Returns the line for `plugins` of a project file, with the program's path from there.
  func declaration(of program: String) -> String {
    let isPlain = program.unicodeScalars.allSatisfy {
      "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || "._-/".unicodeScalars.contains($0)
    }
    let path = isPlain ? program : "\(Value.string(program))"
    return "\(name): {mcp: [\(language.interpreter), \(path)], state: memory}"
  }

  private func renamed(_ file: [UInt8]) -> String {
    String(decoding: file, as: UTF8.self)
      .replacing("\"counter\"", with: "\"\(name)\"")
      .replacing("  counter: {plugin: counter,", with: "  \(name): {plugin: \(name),")
      .replacing("uses: counter.add", with: "uses: \(name).add")
  }
}
