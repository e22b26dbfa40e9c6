internal import FlowCore
internal import FlowSystem
private import Synchronization

extension Command {
  static let demo = Command(
    syntax: CommandSyntax(
      name: "demo", summary: "Finds the bugs of a small shop, one command after the other.",
      operands: .upToOne("FOLDER"),
      options: [
        Option(
          "quiet", .none, "Prints the bugs only, not the commands and their output.", letter: "q")
      ],
      details: """
        Writes four scenarios of a shop to a temporary folder, three with their transcripts, and runs
        'flow check', 'flow test', 'flow mutate' and 'flow explore' there. Each finds another bug. Needs
        no network, and removes the folder at the end, also after Ctrl-C. With FOLDER the files stay
        there. Existing files are not overwritten.

        Exits with 0 if every bug was found, and with 1 otherwise.

          flow demo
          flow demo shop && cd shop && flow test
        """)
  ) { (flow, arguments) throws(UsageError) in
    let folder = arguments.operands.first
    if folder == "" { throw .emptyPath }
    let missing = DemoShop.plugins.filter { !flow.registry.names.contains($0) }
    if !missing.isEmpty {
      let names = missing.map { "'\($0)'" }.joined(separator: " and ")
      flow.process.say("the demo needs the plugin \(names), which this flow does not have")
      return .badInput
    }
    return await flow.showDemo(keptIn: folder)
  }
}

extension CommandContext {
  /// Runs the demo in a folder, or in a temporary one that is removed in any case.
  fileprivate func showDemo(keptIn folder: String?) async -> ExitCode {
    let temporary = Mutex<String?>(nil)
    let remove: @Sendable () -> Void = { [self] in
      guard let path = temporary.withLock({ $0.take() }) else { return }
      do throws(FileError) {
        try FileSystem.removeFolder(path, recursively: true)
      } catch {
        process.say("\(error)", as: .warning)
      }
    }
    let (code, wasInterrupted) = await interruptibly(abandon: remove) { [self] in
      do throws(FileError) {
        if let folder { return try await demo(in: folder, isKept: true) }
        let made = try FileSystem.makeTemporaryFolder("flow-demo")
        temporary.withLock { $0 = made }
        return try await demo(in: made, isKept: false)
      } catch {
        process.say("\(error)")
        return .cannotWrite
      }
    }
    remove()
    return wasInterrupted ? .interrupted : code
  }

  /// Writes the files, and runs the commands in their folder.
  private func demo(in folder: String, isKept: Bool) async throws(FileError) -> ExitCode {
    var new = NewFiles(in: folder)
    for file in DemoShop.files { new.add(file.path, file.text) }
    var writer = self
    writer.isQuiet = true
    guard writer.write(new) else { return .cannotWrite }
    confirm("A shop with \(DemoShop.scenes.count) bugs, in \(new.folder.shellWord.onOneLine)\n")
    let outside = FileSystem.realPath(".")
    // The commands are typed in the folder, so their paths and messages start there.
    try FileSystem.enter(new.folder)
    let code = await playScenes()
    if let outside { try FileSystem.enter(outside) }
    guard code == .passed else { return code }
    confirm("\nfound all \(DemoShop.scenes.count) bugs\n")
    sayNext(in: isKept ? new.folder : nil)
    return .passed
  }

  /// Runs the commands until one does not find its bug.
  private func playScenes() async -> ExitCode {
    for scene in DemoShop.scenes {
      confirm("\n\("$ \(scene.command)".painted(.bold, if: process.usesColors))\n")
      let heard = CapturedOutput()
      let code = await FlowCommand(registry: registry, process: typing(heardBy: heard))
        .leavingState(16 << 10).run(scene.arguments)
      if Task.isCancelled { return .interrupted }
      if let problem = scene.problem(code, printed: heard.output) {
        process.say("'\(scene.command)' did not find its bug: \(problem)")
        return .failed
      }
      process.output("found: ".painted(.bold, if: process.usesColors) + "\(scene.found)\n")
    }
    return .passed
  }

  /// Returns this environment for a typed command, whose texts come in their order.
  private func typing(heardBy heard: CapturedOutput) -> ProcessEnvironment {
    var typing = process
    typing.output = { [isQuiet, output = process.output] text in
      heard.add(output: text)
      if !isQuiet { output(text) }
    }
    typing.errorOutput = typing.output
    typing.isErrorTerminal = process.isTerminal
    // The demo itself takes them, and stops the command.
    typing.takesSignals = false
    typing.lostOutput = { false }
    // The recordings are part of the demo.
    typing.environment["FLOW_UPDATE"] = nil
    return typing
  }

  /// Prints the commands to type next, for a folder that stays or for none.
  private func sayNext(in folder: String?) {
    var rows = [("flow init FOLDER", "creates a project of your own")]
    if let folder {
      let command = "cd \(folder.shellWord.onOneLine)"
      rows.insert((command, "has the files; mend them, and run the commands again"), at: 0)
    } else {
      rows.insert(("flow demo FOLDER", "keeps the files, which are removed now"), at: 0)
    }
    confirm("\nnext:\n" + HelpText.columns(rows))
  }
}
