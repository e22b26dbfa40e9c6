package import FlowTranscript

/// What the tests of a suite noticed in an earlier version, and do not notice any more.
package struct SuiteLosses: Sendable {
  /// A line of a file.
  package struct SourceLine: Sendable, Hashable {
    /// The path in the version of the file.
    package let file: String
    /// Its number, from 1.
    package let line: Int
    /// Its text without the surrounding blanks, or empty if it is unknown.
    package let text: String

    /// Creates a line.
    package init(file: String, line: Int, text: String) {
      (self.file, self.line, self.text) = (file, line, text)
    }
  }

  /// A change of a file.
  package struct Change: Sendable, Hashable {
    /// The place in the present version.
    package let place: SourceLine
    /// The lines in the earlier version.
    package let removed: [String]
    /// The lines in the present version.
    package let added: [String]

    /// Creates a change.
    package init(place: SourceLine, removed: [String], added: [String]) {
      (self.place, self.removed, self.added) = (place, removed, added)
    }
  }

  /// Why an alteration is not noticed any more.
  package enum Reason: String, Sendable {
    /// Nothing checks the value.
    case unchecked
    /// The recorded answer has no such value.
    case missing
    /// The call is not made.
    case notCalled
  }

  /// The alterations of one value that the same line noticed, and that nothing notices now.
  package struct Loss: Sendable {
    /// The value, `api.get, ok.json.currency`, or the call.
    package let value: String
    /// The path of the scenario, relative to the project's folder.
    package let scenario: String
    /// Why they are not noticed.
    package let reason: Reason
    /// The alterations, in the order of the recording.
    package var alterations: [Alteration] = []
    /// The line that noticed them, or nil if none is known.
    package var noticedBy: SourceLine?
    /// The change that lost it, or nil if none is known.
    package var change: Change?
    /// The reason for accepting it, or nil for an unaccepted one.
    package var accepted: String?

    /// Creates a loss.
    package init(value: String, scenario: String, _ reason: Reason) {
      (self.value, self.scenario, self.reason) = (value, scenario, reason)
    }
  }

  /// The alterations of one value that are noticed now, and were not before.
  package struct Gain: Sendable {
    /// The value, `api.get, ok.json.currency`.
    package let value: String
    /// The path of the scenario, relative to the project's folder.
    package let scenario: String
    /// The line that notices them, or nil if none is known.
    package let noticedBy: SourceLine?
    /// The number of alterations.
    package var count = 0

    /// Creates a gain.
    package init(value: String, scenario: String, noticedBy: SourceLine?) {
      (self.value, self.scenario, self.noticedBy) = (value, scenario, noticedBy)
    }
  }

  /// The name of the earlier version.
  package let version: String
  /// The losses, in the order of the earlier suite.
  package var losses: [Loss] = []
  /// The gains, in the order of the present suite.
  package var gains: [Gain] = []
  /// The number of scenarios that differ between the versions.
  package var scenarios = 0
  /// The number of alterations judged by both versions.
  package var judged = 0
  /// The duration.
  package var elapsed = Duration.zero

  /// Creates a comparison without losses.
  package init(version: String) { self.version = version }

  /// The losses that nobody has accepted.
  package var unaccepted: [Loss] { losses.filter { $0.accepted == nil } }
}
