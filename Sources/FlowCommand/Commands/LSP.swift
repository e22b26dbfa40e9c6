internal import FlowCore
internal import FlowEditor
internal import FlowReport
internal import FlowSystem

extension Command {
  static let lsp = Command(
    syntax: CommandSyntax(
      name: "lsp", summary: "Serves diagnostics, completion and more to an editor.",
      operands: .none, options: [],
      details: """
        Speaks the Language Server Protocol 3.17 on standard input and output, for editors that
        start it. Docs/editor.md lists what it offers, and how to set up editors.

        Nothing is run, except by commands of the editor.

        Exits with 0 after the messages 'shutdown' and 'exit', and with 1 otherwise, such as when
        the editor is gone.

          flow lsp
        """)
  ) { (flow, _) throws(UsageError) in
    let settings = EditorSettings(
      registry: flow.registry, version: CommandContext.version,
      formats: ProjectSettings.outputs.map(\.name))
    let wasShutDown = await EditorSession.serve(
      ClientInput.parts(by: MessageStream(), endingWith: OtherProcess.starter),
      by: LanguageServer(settings)
    ) { [output = flow.process.messageOutput] message in
      output(MessageStream.frame(message))
    }
    return wasShutDown ? .passed : .failed
  }
}
