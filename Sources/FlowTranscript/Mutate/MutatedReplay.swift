package import FlowCore
internal import FlowEngine
package import FlowScenario
private import Synchronization

/// Replays a transcript with changes in its answers, one at a time.
package struct MutatedReplay: Sendable {
  private let transcript: Transcript
  private let plan: Plan
  private let inputs: [Value]

  /// Replays of a scenario's transcript; the inputs are those that the transcript names.
  package init(_ transcript: Transcript, plan: Plan, inputs: [Value]) {
    self.transcript = transcript
    self.plan = plan
    self.inputs = inputs
  }

  /// All changes that can be made, in the order of the calls; nil when the transcript does not replay as
  /// it is.
  package func mutations() async -> [Mutation]? {
    let (result, ways) = await run { MutatingCaller(transcript, mutation: nil, clock: $0) }
    guard result.passed == transcript.passed, transcript.departures(of: result).isEmpty else {
      return nil
    }
    return ways.mutations
  }

  /// What a change does to the run.
  package func effect(of mutation: Mutation) async -> Mutation.Effect {
    let (result, ways) = await run {
      MutatingCaller(transcript, mutation: mutation, clock: $0)
    }
    let hasOtherWay = result.failures.contains { failure in
      if case .boundary = failure.failure { return true }
      return false
    }
    if let address = ways.missing, hasOtherWay { return .otherWay(address) }
    if result.passed != transcript.passed { return .noticed }
    if let address = ways.changedInput { return .passedOn(address) }
    return transcript.departures(of: result).isEmpty ? .unnoticed : .passedOn("outputs")
  }

  private func run(
    caller: (any Clock<Duration>) -> MutatingCaller
  ) async -> (RunResult, MutatingCaller.Ways) {
    let time = VirtualTime()
    let caller = caller(time.clock)
    let runner = Runner(
      plan: plan, caller: caller, sinks: EventSinks(), seed: transcript.header.seed,
      virtualTime: time)
    return (await runner.run(inputs: inputs), caller.ways)
  }
}

/// Serves recorded answers, one of which may be changed, whatever the inputs are by then.
final class MutatingCaller: Caller {
  /// How a run went.
  struct Ways {
    /// The first call that was not recorded.
    var missing: String?
    /// The first call with another input than the recorded one.
    var changedInput: String?
    /// All changes of the answers that were served; collected when none of them is changed.
    var mutations: [Mutation] = []
  }

  private struct State {
    /// The calls of each address that have not been served, the next one last.
    var waiting: [String: [Int]]
    var ways = Ways()
  }

  private let transcript: Transcript
  private let recorded: RecordedCalls
  private let mutation: Mutation?
  private let clock: any Clock<Duration>
  private let state: Mutex<State>

  init(_ transcript: Transcript, mutation: Mutation?, clock: any Clock<Duration>) {
    self.transcript = transcript
    self.mutation = mutation
    self.clock = clock
    recorded = RecordedCalls([], advice: "")
    var waiting: [String: [Int]] = [:]
    for (index, call) in transcript.calls.enumerated().reversed() {
      waiting[call.address, default: []].append(index)
    }
    state = Mutex(State(waiting: waiting))
  }

  var ways: Ways { state.withLock { $0.ways } }

  func call(_ invocation: Invocation) async throws -> Outcome {
    let address = invocation.address.description
    let index = state.withLock { state in
      let index = state.waiting[address]?.popLast()
      if index == nil, state.ways.missing == nil { state.ways.missing = address }
      return index
    }
    guard let index, let answer = transcript.calls[index].answer,
      transcript.calls[index].name == invocation.name
    else { throw BoundaryFailure(code: "F3001", message: "not recorded", notes: []) }
    note(invocation, index, address)
    var outcome = try recorded.outcome(of: answer, invocation)
    if let mutation {
      if mutation.call == index { outcome = mutation.outcome }
    } else {
      let all = Mutation.all(of: outcome, call: index, invocation)
      state.withLock { $0.ways.mutations += all }
    }
    guard case .cancelled = outcome else { return outcome }
    try await clock.sleepUntilCancelled()
    throw CancellationError()
  }

  func close(_ scope: Address) async {}

  func finish() async throws {}

  private func note(_ invocation: Invocation, _ index: Int, _ address: String) {
    // Without a change there is nothing that could have changed.
    guard mutation != nil,
      let input = try? Value(transcript.calls[index].input, as: .record(invocation.inputType)),
      !input.isSame(as: invocation.input)
    else { return }
    state.withLock { state in
      if state.ways.changedInput == nil { state.ways.changedInput = address }
    }
  }
}
