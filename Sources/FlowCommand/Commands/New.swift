internal import FlowSystem

extension Command {
  private static let flow = Option(
    "flow", .required("PATH|URL"), "The folder or the address of flow's own package.")

  static let new = Command(
    syntax: CommandSyntax(
      name: "new", summary: "Creates a Swift package for your own plugin.",
      operands: .sequence(["plugin", "NAME"], optional: "FOLDER"), options: [flow],
      details: """
        NAME is the plugin's name in scenarios, such as weather. FOLDER is flow-NAME by default.
        Writes a component that counts, for you to change, with its tests, a scenario, and
        flow-NAME: a flow with this component. Existing files are not overwritten.

          flow new plugin weather --flow ../flow
          cd flow-weather && swift test && swift run flow-weather test Scenarios
        """)
  ) { (context, arguments) throws(UsageError) in
    let operands = arguments.operands
    guard operands[0] == "plugin" else {
      throw .unknownCommand(operands[0], of: "new", known: ["plugin"])
    }
    let name = operands[1]
    if let problem = PluginName.problem(of: name) { throw .pluginName(name, problem: problem) }
    guard let source = try arguments.only("flow") else {
      throw .missingOption("flow", purpose: "the folder of flow's own package, or its address")
    }
    let folder = operands.count > 2 ? operands[2] : "flow-\(name)"
    if folder == "" || source == "" { throw .emptyPath }
    return context.startPlugin(name, in: folder, flow: source)
  }
}

extension CommandContext {
  fileprivate func startPlugin(
    _ name: String, in folder: String, flow source: String
  ) -> ExitCode {
    let package: (dependency: String, name: String)
    if let path = FileSystem.realPath(source),
      FileSystem.isFile(Path.joined(path, "Package.swift"))
    {
      // The folder of flow may have any name, even one like an address.
      let found = source.hasPrefix("/") ? path : Self.way(from: folder, to: path) ?? path
      package = (".package(name: \"flow\", path: \(Self.quoted(found)))", "flow")
    } else if let address = CloneAddress(source) {
      package = (".package(url: \(Self.quoted(address.text)), branch: \"main\")", address.identity)
    } else {
      process.say("'\(source.onOneLine)' has no Package.swift")
      return .badInput
    }
    let plugin = StarterPlugin(name: name, dependency: package.dependency, package: package.name)
    var new = NewFiles(in: folder)
    for file in plugin.files { new.add(file.path, file.text) }
    guard write(new) else { return .cannotWrite }
    let rows = [
      ("swift test", "checks the contract of components, and the component itself"),
      ("swift run flow-\(name) test Scenarios", "runs the scenario, and records it"),
      ("Sources/\(plugin.type)Plugin/\(plugin.type).swift", "is the component, to be changed"),
    ]
    process.output("\nnext, in \(new.folder.shellWord.onOneLine):\n" + HelpText.columns(rows))
    return .passed
  }

  /// Returns the relative path from a folder that may not exist yet, or nil if links could lead
  /// elsewhere.
  private static func way(from folder: String, to path: String) -> String? {
    guard let present = FileSystem.realPath("."), !folder.hasPrefix("/"),
      !folder.split(separator: "/").contains("..")
    else { return nil }
    return Path.way(from: Path.plain(Path.joined(present, folder)), to: path)
  }

  /// Returns a string literal of Swift.
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").onOneLine + "\""
  }
}
