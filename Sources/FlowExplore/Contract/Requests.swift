internal import FlowCore
internal import FlowOpenAPI

/// The sending of trials to an open service.
struct Requests: Sendable {
  private let service: DescribedService
  private let inputs: [String: Value]
  /// The members that are different in each request.
  let unique: UniqueMembers

  init(_ service: DescribedService, inputs: [String: Value], _ unique: UniqueMembers) {
    (self.service, self.inputs, self.unique) = (service, inputs, unique)
  }

  /// The calls of a trial as they were sent, with their answers, up to a call that could not be made.
  struct Run: Sendable {
    var sent: [DrawnCall] = []
    var answers: [ServiceAnswer] = []
  }

  /// Sends the calls of a trial one after the other.
  func run(_ trial: Trial, on open: OpenService) async -> Run {
    var run = Run()
    for call in trial.calls {
      let members = unique.members(of: call)
      let call = members.isEmpty ? call : call.unique(members, unique.text)
      guard let call = call.resolved(by: run.answers),
        let answer = await open.send(input(of: call), method: call.method)
      else { break }
      run.sent.append(call)
      run.answers.append(answer)
      if answer.status == nil { break }
    }
    return run
  }

  private func input(of call: DrawnCall) -> Value {
    let fields = RequestFields(of: service, isReadable: false) { inputs[$0]?.interpolated ?? "" }
    return .map(ValueMap(fields.fields(of: call, call.placed)))
  }
}
