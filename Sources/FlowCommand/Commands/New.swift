internal import FlowCore
internal import FlowPlan
internal import FlowSystem

extension Command {
  private static let flow = Option(
    "flow", .required("PATH|URL"), "The folder or the address of flow's own package, for Swift.")
  private static let languages = ["swift"] + StarterServer.Language.allCases.map(\.rawValue)
  private static let language = Option(
    "language", .required(languages.joined(separator: "|")), "The language. Default: swift.")

  static let new = Command(
    syntax: CommandSyntax(
      name: "new", summary: "Creates a plugin of your own, in Swift, Python or JavaScript.",
      operands: .sequence(["plugin", "NAME"], optional: "FOLDER"),
      options: [language, flow, .quiet],
      details: """
        NAME is the plugin's name in scenarios, such as weather. Existing files are not overwritten.

        In Swift, FOLDER is flow-NAME by default. Writes a package with a component that counts, for
        you to change, with its tests, a scenario, and flow-NAME: a flow with this component.

          flow new plugin weather --flow ../flow
          cd flow-weather && swift test && swift run flow-weather test Scenarios

        In another language, FOLDER is NAME by default. Writes a program that counts, a scenario, and
        a flow.yaml that declares the plugin. If there is a flow.yaml already, prints the line to add.

          flow new plugin weather --language python
          cd weather && flow plugin lock && flow run weather.yaml --record && flow test
        """)
  ) { (context, arguments) throws(UsageError) in
    let operands = arguments.operands
    guard operands[0] == "plugin" else {
      throw .unknownCommand(operands[0], of: "new", known: ["plugin"])
    }
    let name = operands[1]
    let word = try arguments.only("language", languages.alternatives) { text in
      languages.contains(text) ? text : nil
    }
    if let language = word.flatMap(StarterServer.Language.init) {
      if arguments.has("flow") { throw .conflict(option: "flow", with: "language") }
      if let problem = PluginName.problem(of: name, beside: context.registry.names) {
        throw .pluginName(name, problem: problem)
      }
      let folder = operands.count > 2 ? operands[2] : name
      if folder == "" { throw .emptyPath }
      return context.startServer(StarterServer(name: name, language: language), in: folder)
    }
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
      ("swift test", "runs the checks of components, and the component itself"),
      ("swift run flow-\(name) test Scenarios", "runs the scenario, and records it"),
      ("Sources/\(plugin.type)Plugin/\(plugin.type).swift", "is the component, to be changed"),
    ]
    confirm("\nnext, in \(new.folder.shellWord.onOneLine):\n" + HelpText.columns(rows))
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

  // MARK: - Other languages

  fileprivate func startServer(_ server: StarterServer, in folder: String) -> ExitCode {
    var new = NewFiles(in: folder)
    for file in server.files { new.add(file.path, file.text) }
    let project = Self.project(around: new.folder)
    if project == nil { new.add("flow.yaml", server.project) }
    guard write(new) else { return .cannotWrite }
    guard let project, let written = FileSystem.realPath(new.folder) else {
      next(server, in: new.folder, at: ".")
      return .passed
    }
    let place = Path.inside(written, of: project) ?? "."
    let declaration = server.declaration(of: Path.joined(place, server.program))
    let file = Path.joined(Path.shown(project), "flow.yaml").onOneLine
    process.output("\nadd to 'plugins' of \(file):\n")
    process.output("  \(declaration.onOneLine)\n")
    next(server, in: Path.shown(project), at: place)
    return .passed
  }

  /// Prints the next commands, for a folder of the plugin inside of its project's.
  private func next(_ server: StarterServer, in folder: String, at place: String) {
    let scenario = Path.joined(place, server.scenario).shellWord
    let rows = [
      ("flow plugin lock \(server.name)", "describes the program in flow.lock"),
      ("flow run \(scenario) --record", "runs the scenario, and records it"),
      ("flow test \(scenario)", "replays it, without the program"),
      ("flow contract \(server.name)", "runs the checks of components"),
      (Path.joined(place, server.program), "is the program, to be changed"),
    ].map { ($0.onOneLine, $1) }
    confirm("\nnext, in \(folder.shellWord.onOneLine):\n" + HelpText.columns(rows))
  }

  /// Returns the folder of the project around a folder that may not exist yet, or nil.
  private static func project(around folder: String) -> String? {
    var present = folder
    while !FileSystem.exists(present) { present = Path.folder(of: present) }
    return ProjectFolder.path(around: present)
  }
}
