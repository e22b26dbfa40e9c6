package import FlowEngine
private import Synchronization

/// The judgements that the steps of a replay made about their answers.
package final class NotedJudgements: Sendable {
  /// The judgements by the addresses as a transcript writes them.
  private let notes = Mutex<[String: AnswerJudgement?]>([:])

  /// Creates no judgements.
  package init() {}

  /// Notes a judgement.
  ///
  /// Of a step that was tried again, none is known.
  package func note(_ judgement: AnswerJudgement) {
    let address = "\(judgement.invocation.address)"
    notes.withLock { notes in
      notes[address] = notes.keys.contains(address) ? .some(nil) : judgement
    }
  }

  /// The judgements of the steps that were tried once, by their addresses.
  var known: [String: AnswerJudgement] {
    notes.withLock { $0.compactMapValues(\.self) }
  }
}
