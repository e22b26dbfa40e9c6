internal import FlowCore
internal import FlowEngine
package import FlowPlan
package import FlowRedaction

extension CallList {
  /// The credentials that the requests of programs show: in a recording of an earlier version, or
  /// shown by the run before.
  fileprivate var visibleCredentials: Set<String> {
    var texts: Set<String> = []
    for call in self where !call.address.calls.isEmpty {
      guard let request = try? Value(dynamic: call.input.served) else { continue }
      CredentialParts.visit(request) { texts.insert($0.text) }
    }
    return texts
  }

  /// Lets a run that is compared with these calls leave visible what they show.
  func leaveVisible(by redactor: Redactor, in plan: Plan) {
    if plan.passesOnRequests { redactor.leaveVisible(visibleCredentials) }
  }
}

extension Transcript {
  /// Lets a run that is compared with this recording leave visible what the recording shows.
  package func leaveVisible(by redactor: Redactor, in plan: Plan) {
    calls.leaveVisible(by: redactor, in: plan)
  }

  /// Returns true if fewer credentials of programs are visible in another recording.
  func showsMoreCredentials(than other: Transcript, in plan: Plan) -> Bool {
    plan.passesOnRequests
      && calls.visibleCredentials.count > other.calls.visibleCredentials.count
  }
}
