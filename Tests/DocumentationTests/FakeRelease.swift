import FlowCore
import Foundation
import TestKit

/// A folder with a release whose program is a script, and a prefix to install it to.
struct FakeRelease {
  /// The folder around the release `release` and the prefix `prefix`.
  let folder: TemporaryFolder
  /// The platform of this machine in names of tarballs, such as `linux-x86_64`.
  let platform: String

  var prefix: String { folder.path("prefix") }
  var tarball: String { "flow-9.8.7-\(platform).tar.gz" }

  /// Makes the release.
  init() throws {
    folder = try TemporaryFolder()
    let system = try Tool.run("uname", ["-s"], in: "/")
    let processor = try Tool.run("uname", ["-m"], in: "/")
    platform =
      (system == "Darwin\n" ? "macos-" : "linux-")
      + (["arm64\n", "aarch64\n"].contains(processor) ? "aarch64" : "x86_64")
    try publish("9.8.7", files: ["share/man/man1/flow.1", "share/doc/flow/old notes"])
  }

  /// Replaces the release by one of a version, with a program and more files.
  func publish(_ version: String, files: [String]) throws {
    let name = "flow-\(version)-\(platform)"
    try folder.write("#!/bin/sh\necho flow \(version)\n", to: "\(name)/bin/flow")
    try folder.setMode(0o755, of: "\(name)/bin/flow")
    for file in files { try folder.write(file, to: "\(name)/\(file)") }
    try folder.write("", to: "\(name)/LICENSE")
    if folder.directory.contains("release") { try folder.remove("release") }
    try shell(
      """
      mkdir release
      tar -czf "release/\(name).tar.gz" "\(name)"
      cd release
      if command -v sha256sum >/dev/null; then sha256sum flow-*; else shasum -a 256 flow-*; fi >SHA256SUMS
      """)
  }

  /// Runs commands of a shell in the folder.
  func shell(_ script: String) throws {
    let problem = try Tool.run("sh", ["-ec", script], in: folder.directory.path)
    guard problem.isEmpty else { throw Problem(text: problem) }
  }

  /// The digest that the release lists for its tarball.
  var digest: String {
    get throws { String(try folder.text("release/SHA256SUMS").prefix(64)) }
  }

  /// Runs the install script as a user with an empty home, whose `PATH` has no folder of flow.
  func install(
    _ arguments: [String], script: String = ProjectFiles.root + "/Packaging/install.sh",
    path: String = "/usr/bin:/bin"
  ) throws -> ChildProcess.Ending {
    try ChildProcess(
      "/bin/sh", [script] + arguments, in: folder.directory.path,
      environment: ["HOME": folder.path("home"), "PATH": path]
    ).ending()
  }

  private struct Problem: Error {
    let text: String
  }
}
