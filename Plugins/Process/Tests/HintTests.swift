import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import ProcessPlugin

/// Messages about command lines for a shell, and about missing programs.
@Suite struct HintTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (["gti", "status"], " in the PATH of flow"),
    (
      ["sort -u *.csv"],
      ": write each word as one element, as in argv: [ls, -l]; for a command line, set 'shell: true'"
    ),
    (
      ["cd", "build"],
      ": it is a shell command; set the folder with 'directory', or set 'shell: true'"
    ),
    (
      ["export", "A=1"], ": it is a shell command; set 'shell: true'"
    ),
    (["MODE=fast", "make"], ": set variables in 'env', or set 'shell: true'"),
    (["bin/gti"], ""),
  ])
  func `a program that is not found says where it was looked for, and what may be meant`(
    _ argv: [String], _ hint: String
  ) async throws {
    let programs = try await OpenComponent(Processes.self, in: folder.directory.path)

    #expect(
      await programs.run(["argv": argv]) == "not_found: there is no program '\(argv[0])'\(hint)")
    await programs.close()
  }

  @Test func `a program is found in the PATH that it gets`() async throws {
    try folder.write("#!/bin/sh\necho \"first $1\"", to: "in/tools/own-tool")
    try folder.write("#!/bin/sh\necho \"second $1\"", to: "in/more/own-tool")
    try folder.write("#!/bin/sh\n", to: "in/tools/text")
    for tool in ["tools", "more"] { try folder.setMode(0o755, of: "in/\(tool)/own-tool") }
    let programs = try await OpenComponent(Processes.self, in: folder.directory.path)
    let full = folder.path("in/more")
    let expected: [(path: String?, answer: String)] = [
      ("tools:more:/bin", "first x\\n"), ("/none:\(full):/bin", "second x\\n"),
    ]

    for (path, answer) in expected {
      let run: [String: any FieldValue] = [
        "argv": ["own-tool", "x"], "env": ["PATH": path], "directory": "in",
      ]
      #expect(
        await programs.run(run)
          == #"{status: 0, signal: null, stdout: "\#(answer)", stderr: "", truncated: false}"#)
    }
    for name in ["own-tool", "text"] {
      let path = name == "text" ? "tools" : "/bin:none"
      #expect(
        await programs.run(["argv": [name], "env": ["PATH": path], "directory": "in"])
          == "not_found: there is no program '\(name)' in the PATH that 'env' sets")
    }
    await programs.close()
  }

  @Test(
    arguments: [
      (["echo", "a", "&&", "echo", "b"], 0, "&&"), (["cat", "<", "in.txt"], 1, "<"),
      (["ls", "*.log"], 2, "*.log"), (["ls", "*.log"], 0, nil), (["echo", "$HOME"], 0, nil),
      (["rm", "$BUILD/x"], 1, "$BUILD/x"), (["cp", "~/a", "b"], 1, "~/a"),
      (["find", ".", "-name", "*.log"], 1, nil), (["/usr/bin/tr", "|", ","], 0, nil),
      (["make", "--only=*.c"], 2, nil),
    ] as [([String], Int, String?)])
  func `a word for a shell is noticed where it looks like a mistake`(
    _ argv: [String], _ status: Int, _ word: String?
  ) throws {
    let input = CommandInput(
      argv: argv, shell: nil, stdin: nil, env: [:], directory: ".", limit: 1, to: nil,
      errorsTo: nil, grace: .zero)
    let command = try Command(input, in: folder.directory)
    let result = ProcessResult(
      status: status, signal: nil, stdout: "", stderr: "", truncated: false, elapsed: .zero)

    #expect(
      ShellHints.note(on: command, result)
        == word.map {
          "'\(argv[0])' got the word '\($0)' unchanged; a shell interprets it only with 'shell: true'"
        })
  }
}
