internal import FlowCore

/// A recording with the answers that the same calls had in an earlier version of a suite.
package struct EarlierAnswers: Sendable {
  /// The recording with the earlier answers.
  package let transcript: Transcript
  /// The numbers of the calls whose earlier answer was another one.
  package let changed: [Int]
  /// The numbers of the calls that the earlier version had not recorded.
  package let unknown: [Int]

  /// Puts the answers of `earlier` into a recording.
  ///
  /// - Parameters:
  ///   - recording: The recording of the present version.
  ///   - number: Its number in that version.
  ///   - earlier: The recordings of the earlier version.
  ///   - pairs: The calls of both.
  package init(
    in recording: SuiteRecording, number: Int, from earlier: [SuiteRecording], _ pairs: CallPairs
  ) {
    var transcript = recording.transcript
    var (changed, unknown): ([Int], [Int]) = ([], [])
    for (index, call) in recording.transcript.calls.enumerated()
    where call.address.caller == nil && !call.name.memberName.isEmpty {
      guard let place = pairs.origin(of: .init(scenario: number, call: index)),
        let answer = earlier[place.scenario].transcript.calls[place.call].answer
      else {
        unknown.append(index)
        continue
      }
      if answer.isSame(as: call.answer) { continue }
      changed.append(index)
      transcript.calls.replaceAnswer(of: index, with: answer)
    }
    transcript.isAltered = transcript.isAltered || !changed.isEmpty
    (self.transcript, self.changed, self.unknown) = (transcript, changed, unknown)
  }
}

extension Transcript.Answer {
  /// Returns true for the same answer, whatever the values are that differ from run to run.
  fileprivate func isSame(as other: Transcript.Answer?) -> Bool {
    switch (self, other) {
    case (.output(let own), .output(let other)?): own.question == other.question
    case (.error(let own, let text), .error(let code, let message)?):
      own == code && text == message
    case (.cancelled, .cancelled?): true
    default: false
    }
  }
}
