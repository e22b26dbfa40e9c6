package import FlowCore
internal import FlowEngine

/// One recorded answer with one change.
package struct Mutation: Sendable {
  /// What became of a change.
  package enum Effect: Sendable, Hashable {
    /// An expectation, an assertion or another rule of the scenario failed.
    case noticed
    /// Nothing failed, but the value, or what was made of it, went on to this place: the address of a
    /// call whose input changed, or `outputs`.
    case passedOn(String)
    /// The run took another way, and asked for a call that was not recorded.
    case otherWay(String)
    /// Nothing at all.
    case unnoticed
  }

  /// The position of the call among the transcript's.
  let call: Int
  /// The call's address.
  package let address: String
  /// What was called.
  package let name: String
  /// Where in the answer; empty for the error's code.
  package let path: FieldPath
  /// What was recorded, on one line.
  package let before: String
  /// What stands in its place.
  package let after: String
  /// The changed answer.
  let outcome: Outcome

  /// All changes of one answer.
  static func all(of outcome: Outcome, call: Int, _ invocation: Invocation) -> [Mutation] {
    let address = "\(invocation.address)"
    switch outcome {
    case .answer(let answer):
      return answer.mutations(as: .record(invocation.outputType)).map { value in
        Mutation(
          call: call, address: address, name: invocation.name, path: value.path,
          before: value.before.summary(limit: 60), after: value.after.summary(limit: 60),
          outcome: .answer(value.whole))
      }
    case .error(let error) where error.code != .unexpected:
      let other = ComponentError(.unexpected, error.message)
      return [
        Mutation(
          call: call, address: address, name: invocation.name,
          path: FieldPath([.field("error")]), before: error.code.name,
          after: other.code.name, outcome: .error(other))
      ]
    case .error, .cancelled: return []
    }
  }
}
