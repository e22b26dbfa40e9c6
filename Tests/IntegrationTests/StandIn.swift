import Foundation
import TestKit

/// A stand-in for the proxy of `flow tape`, and the runs of tests in front of it.
///
/// The tests of the helpers are about the protocol alone, so that they need no recordings.
final class StandIn {
  /// What a run finds in `FLOW_TAPE`.
  enum Tape: Sendable { case served, unreachable, none }

  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let url: String

  /// Starts it, for tests whose ends are differences.
  init(in folder: TemporaryFolder, differing tests: [String]) throws {
    self.folder = folder
    try Self.makeCertificate(in: folder)
    process = try ChildProcess(
      "/usr/bin/env",
      [
        "python3", Samples.path("standin.py"), folder.path("log"), folder.path("pay.pem"),
      ] + tests)
    url = process.firstLine()
  }

  /// A certificate of `pay.example` with its key, and one for `SSL_CERT_FILE`.
  private static func makeCertificate(in folder: TemporaryFolder) throws {
    _ = try ChildProcess(
      "/usr/bin/env",
      ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        + ["-nodes", "-keyout", "key.pem", "-out", "authority.pem", "-days", "2"]
        + ["-subj", "/CN=pay.example", "-addext", "subjectAltName=DNS:pay.example"],
      in: folder.path(".")
    ).ending()
    try folder.write(folder.text("key.pem") + folder.text("authority.pem"), to: "pay.pem")
  }

  /// Runs a program with the variables of `flow tape`.
  func run(
    _ command: [String], tape: Tape, _ more: [String: String] = [:]
  ) throws -> (code: Int32, report: String) {
    try start("/usr/bin/env", command, variables(tape).merging(more) { $1 })
  }

  /// Runs a program with the real `flow tape`, for which this is the server that it asks.
  func runTaped(
    _ command: [String], _ more: [String: String] = [:]
  ) throws -> (code: Int32, report: String) {
    let variables = ["SHOP": address].merging(more) { $1 }
    return try start(BuiltProgram.url("flow").path, ["tape", "--"] + command, variables)
  }

  private func start(
    _ program: String, _ arguments: [String], _ variables: [String: String]
  ) throws -> (code: Int32, report: String) {
    let ending = try ChildProcess(
      program, arguments, in: folder.path("project"), environment: variables
    ).ending()
    return (ending.code, ending.output + ending.errors)
  }

  /// Its address as a server.
  private var address: String { url.replacing(#/[^/]*@/#, with: "") }

  private func variables(_ tape: Tape) -> [String: String] {
    guard tape != .none else { return ["SHOP": address, "NO_PROXY": "127.0.0.1"] }
    let url = tape == .served ? url : "http://flow:token@127.0.0.1:1"
    var variables = ["FLOW_TAPE": url, "NO_PROXY": "", "no_proxy": "", "NODE_USE_ENV_PROXY": "1"]
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] { variables[name] = url }
    for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"] {
      variables[name] = folder.path("authority.pem")
    }
    return variables
  }

  /// The lines of a user, without the user.
  struct Talk: Equatable {
    let user: String
    var lines: [String] = []
  }

  /// What each user has said, in the order of the first line of each.
  func talks() throws -> [Talk] {
    var talks: [Talk] = []
    for line in (try? folder.text("log"))?.split(separator: "\n") ?? [] {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      if !talks.contains(where: { $0.user == parts[0] }) { talks.append(Talk(user: parts[0])) }
      for index in talks.indices where talks[index].user == parts[0] {
        talks[index].lines.append(parts[1])
      }
    }
    return talks
  }
}

/// The files of the tests of each runner.
enum Samples {
  static func path(_ name: String) -> String {
    ProjectFiles.root + "/Tests/IntegrationTests/Samples/" + name
  }

  /// Debian's folder of Java's libraries.
  static let jars = "/usr/share/java"

  static var hasJUnit: Bool {
    FileManager.default.fileExists(atPath: jars + "/junit-platform-console.jar")
  }

  /// True if a program can be started.
  static func has(_ program: String, _ option: String = "--version") -> Bool {
    (try? ChildProcess("/usr/bin/env", [program, option]).ending().code) == 0
  }

  /// Copies the files of a runner to `project` in a folder.
  static func copy(_ name: String, to folder: TemporaryFolder) throws {
    try FileManager.default.copyItem(atPath: path(name), toPath: folder.path("project"))
  }
}
