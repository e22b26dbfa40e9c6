import FlowCore
import Foundation
import TestKit
import Testing

/// `flow lsp` in real editors: they type a step by completion, mend a typo, rename over two files,
/// jump into another scenario, and hover over a recorded value.
struct EditorClientTests {
  private static let sessions = ProjectFiles.root + "/Tests/Editors/"

  /// Returns the path of an installed program, or nil.
  static func program(_ name: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  private func run(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder
  ) throws -> ChildProcess.Ending {
    try ChildProcess(
      program, arguments, in: folder.directory.path,
      environment: [
        "FLOW": BuiltProgram.url("flow").path, "HOME": folder.directory.path,
        "XDG_CONFIG_HOME": folder.directory.path,
      ]
    ).ending()
  }

  @Test(.enabled(if: EditorClientTests.program("nvim") != nil, "no nvim here"))
  func `Neovim has a session`() throws {
    let (folder, nvim) = (try TemporaryFolder(), try #require(Self.program("nvim")))

    let ending = try run(
      nvim, ["--headless", "-u", "NONE", "-c", "luafile \(Self.sessions)session.lua"], in: folder)

    #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
    let text = ending.output + ending.errors
    #expect(text.ranges(of: "ok: ").count == 5, "\(text)")
  }

  @Test(.enabled(if: EditorClientTests.program("emacs") != nil, "no emacs here"))
  func `Emacs has a session`() throws {
    let (folder, emacs) = (try TemporaryFolder(), try #require(Self.program("emacs")))

    let ending = try run(
      emacs, ["--batch", "-l", Self.sessions + "session.el"], in: folder)

    #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
    #expect(ending.errors.ranges(of: "ok: ").count == 6, "\(ending.errors)")
  }

  @Test(
    .enabled(if: EditorClientTests.python != nil, "no Python with the module 'pytest_lsp' here"))
  func `pytest-lsp has a session`() throws {
    let (folder, python) = (try TemporaryFolder(), try #require(Self.python))

    let ending = try run(
      python,
      [
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder.directory.path,
        "-o", "asyncio_mode=auto", Self.sessions + "test_session.py",
      ], in: folder)

    #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
    #expect(ending.output.contains("2 passed"), "\(ending.output)")
  }

  /// A Python with pytest-lsp: that of `FLOW_PYTHON`, or one of the system.
  static let python: String? = {
    if let given = ProcessInfo.processInfo.environment["FLOW_PYTHON"] { return given }
    return Python.having("pytest_lsp")
  }()
}
