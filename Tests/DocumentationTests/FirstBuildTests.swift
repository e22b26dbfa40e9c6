import FlowCore
import Foundation
import TestKit
import Testing

/// The output of `Scripts/flow` around a build, with a compiler that is a script.
@Suite struct FirstBuildTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try ProjectFiles.text("Scripts/flow"), to: "Scripts/flow")
    try write("exit 0", to: "Scripts/prepare")
    try write(
      """
      case $* in
      --version) echo 'Swift version 6.3' && exit ;;
      *--show-bin-path) echo '\(folder.path(".build/release"))' && exit ;;
      esac
      echo "${FLOW_QUICK-} $*" >>'\(folder.path("asked"))'
      cat '\(folder.path("said"))'
      exit $(cat '\(folder.path("code"))')
      """, to: "bin/swift")
    try write("echo \"ran $*\"", to: ".build/release/flow")
  }

  private static let steps = """
    Building for production...
    [0/4] Write swift-version-1.txt
    [1/4] Compiling FlowSystem Path.swift
    a.swift:1:1: warning: odd
    [2/4] Compiling flow_cli main.swift
    [3/4] Linking flow

    """
  private static let end = "Build of product 'flow' complete! (3.21s)\n"
  private static let first = """
    Building flow from source in release mode, once. This takes four to seven minutes on two processors.

    """

  @Test func `a build with nothing to do shows nothing`() throws {
    let run = try flow("Building for production...\n[0/1] Planning build\n" + Self.end)

    #expect(run.errors == "")
    #expect(run.output == "ran run a b\n")
  }

  @Test func `a build says what it does and how long that takes, then its steps in lines`() throws {
    let change = try flow(Self.steps + Self.end)
    try folder.remove(".build/release/flow")
    let first = try flow(Self.steps + Self.end)

    let lines = """
      [1/4] Compiling FlowSystem Path.swift
      a.swift:1:1: warning: odd
      [2/4] Compiling flow_cli main.swift
      [3/4] Linking flow

      """
    #expect(change.errors == "Building what has changed of flow.\n" + lines)
    #expect(change.output == "ran run a b\n")
    #expect(first.errors.hasPrefix(Self.first + lines))
  }

  @Test func `the build is the quick one of Package.swift, without data for a debugger`() throws {
    _ = try flow(Self.end)

    let asked = try folder.text("asked")
    #expect(asked.hasPrefix("1 build --package-path "))
    #expect(asked.contains(" -c release --product flow -debug-info-format none"))
    #expect(try ProjectFiles.text("Package.swift").contains(#"environment["FLOW_QUICK"]"#))
  }

  @Test func `a build that fails shows its errors and does not run the old program`() throws {
    let run = try flow(Self.steps + "b.swift:2:2: error: no\n", code: 1)

    #expect(run.errors.hasSuffix("[3/4] Linking flow\nb.swift:2:2: error: no\n"))
    #expect(run.output == "")
    #expect(run.code == 70)
  }

  @Test(.enabled(if: Python.having("pty") != nil, "no Python here"))
  func `a terminal shows the steps in one line, which goes in the end`() throws {
    try folder.write(Self.steps + Self.end, to: "said")
    try folder.write("0", to: "code")
    let script = """
      import pty, sys
      pty.spawn(["/bin/sh", "Scripts/flow", "run"])
      """

    let run = try ChildProcess(
      Python.having("pty") ?? "", ["-c", script], in: folder.directory.path,
      environment: ["PATH": folder.path("bin") + ":/usr/bin:/bin", "TERM": "xterm"]
    ).ending()

    let start = "\r\u{1B}[K"
    #expect(
      run.output.replacing("\r\n", with: "\n") == """
        Building what has changed of flow.
        \(start)[1/4] Compiling FlowSystem Path.swift\(start)a.swift:1:1: warning: odd
        \(start)[2/4] Compiling flow_cli main.swift\(start)[3/4] Linking flow\(start)ran run

        """)
  }

  private func flow(_ said: String, code: Int = 0) throws -> ChildProcess.Ending {
    try folder.write(said, to: "said")
    try folder.write("\(code)", to: "code")
    return try ChildProcess(
      "/bin/sh", ["Scripts/flow", "run", "a b"], in: folder.directory.path,
      environment: ["PATH": folder.path("bin") + ":/usr/bin:/bin"]
    ).ending()
  }

  private func write(_ script: String, to path: String) throws {
    try folder.write("#!/bin/sh\n" + script + "\n", to: path)
    try folder.setMode(0o755, of: path)
  }
}
