internal import FlowPlan

extension Command {
  static let tape = Command(
    syntax: CommandSyntax(
      name: "tape", summary: "Runs a command on the recorded answers of the servers that it asks.",
      operands: .any("COMMAND"),
      options: [
        Option(
          "file", .required("PATH"), "The scenario of the tape. Default: \(TapeOptions.usualFile)."),
        Option(
          "update", .none,
          "Asks the servers and records again. The requests of tests that do not run stay."),
        Option(
          "twice", .none,
          "After a recording: runs the command again, and proposes 'varies' for what differs."),
        Option("receipt", .required("FILE"), "Writes what was served and asked to a JSON file."),
        Option(
          "direct", .required("HOST,..."),
          "Lets the command reach these hosts without flow, such as servers that it starts itself."),
        Option(
          "mcp", .required("NAME,..."),
          "Records these MCP servers of the project, for which the command starts 'flow stand-in NAME'."
        ),
        Option(
          "listen", .required("PORT"),
          "Captures by use: what comes to this port of 127.0.0.1 becomes a scenario, until Ctrl-C."),
        Option(
          "to", .required("URL"),
          "With '--listen': the address of the service, which COMMAND starts."),
        Option(
          "show", .required("NAME,..."),
          "With '--listen': writes these credentials into the scenario, as those of a user of tests."
        ),
        .secret, .quiet,
      ] + Permissions.options,
      details: """
        The first time, flow runs the command, passes its requests on to every server that it asks, and
        writes a scenario and its transcript. From then on the command gets the recorded answers, and no
        server is asked. 'flow test' runs the scenario, too.

        The command has the terminal and both outputs. Its exit code is that of flow. If the command
        passes, and a request was missing, new or changed, the code is 1.

        Clients find the proxy by HTTP_PROXY, HTTPS_PROXY and their certificates by SSL_CERT_FILE,
        REQUESTS_CA_BUNDLE and NODE_EXTRA_CA_CERTS. With a helper of Integrations/, each test has
        requests of its own, so that a part of the tests can run, in any order and at the same time.

          flow tape -- pytest
          flow tape -- pytest -k lamp
          flow tape --update -- pytest -k lamp
          flow tape --listen 8080 --to http://127.0.0.1:8000 -- ./service
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try TapeOptions(arguments, flow)
    if let port = options.port, let service = options.service {
      let scenario = CaptureScenario(port: port, service: service, command: arguments.operands)
      return try await Capture(
        flow: flow, file: options.file, scenario: scenario, shown: options.shown,
        secrets: options.secrets
      ).run()
    }
    return try await TapedRun(flow, options.file, arguments.operands, options).run()
  }
}
