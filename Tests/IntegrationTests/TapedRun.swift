import TestKit
import Testing

/// A run of the tests of a sample, and what is expected of it.
struct TapedRun: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The tests whose ends are differences.
  var differing: [String] = []
  var tape = StandIn.Tape.served
  /// The options of the runner.
  var options: [String] = []
  /// The exit code.
  var code: Int32 = 0
  /// Parts of the report.
  var report: [String] = []
  /// Parts that the report must not have.
  var absent: [String] = []
  /// The requests of each user, sorted by it, or nil if they do not matter.
  var talks: [String]?
  /// A pattern of the names of all users.
  var users = "flow"

  /// Runs the tests of a sample, and compares.
  func check(_ sample: Sample) throws {
    let folder = try sample.copy()
    let standIn = try StandIn(in: folder, differing: differing)

    let run = try standIn.run(sample.command + options, tape: tape, sample.variables)

    let talks = try standIn.talks()
    #expect(run.code == code, "\(run.report)")
    for part in report { #expect(run.report.contains(part), "\(part) is not in \(run.report)") }
    for part in absent { #expect(!run.report.contains(part), "\(part) is in \(run.report)") }
    let isNamed = try Regex(users)
    for talk in talks where tape == .served {
      #expect(talk.user.wholeMatch(of: isNamed) != nil, "\(talk.user)")
    }
    if let expected = self.talks {
      #expect(talks.map { $0.lines.joined(separator: "\n") }.sorted() == expected.sorted())
    }
  }
}

/// The tests of a runner in `Samples`, and the command for them.
struct Sample: Sendable {
  let name: String
  var command: [String]
  var variables: [String: String] = [:]
  /// The helpers that have to be in the project, each under a name there.
  var links: [String: String] = [:]

  func copy() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try Samples.copy(name, to: folder)
    for (name, target) in links { try folder.link("project/" + name, to: target) }
    return folder
  }

  /// Records the tests with the real `flow tape`, then replays them, also without a request.
  func checkTape(withoutRequest report: String...) throws {
    let server = try StandIn(in: try copy(), differing: [])
    let recorded = try server.runTaped(command, variables)
    let asked = try server.talks()

    let served = try server.runTaped(command, variables)
    let changed = try server.runTaped(command, variables.merging(["LAMP": "off"]) { $1 })

    #expect(recorded.code == 0, "\(recorded.report)")
    #expect(served.code == 0, "\(served.report)")
    #expect(changed.code == 1, "\(changed.report)")
    for part in report + ["1 recorded call was never made [F3006]\n"] {
      #expect(changed.report.contains(part), "\(part) is not in \(changed.report)")
    }
    #expect(try server.talks() == asked)
  }
}
