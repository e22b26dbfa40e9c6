internal import FlowCore
internal import FlowOpenAPI

/// The rules that the answers of a service are judged by.
package enum ContractRule: String, Sendable, CaseIterable {
  /// No answer with a status from 500, and no lost answer.
  case serverError = "server-error"
  /// No answer that the description does not allow.
  case contract
  /// A refused write changes nothing.
  case refusedWrite = "refused-write"
  /// A deleted resource is gone.
  case deleted
  /// Nothing is answered without credentials where the description demands them.
  case authentication
  /// No request is accepted that the description does not allow.
  case invalidInput = "invalid-input"
  /// No bound that the description allows is refused.
  case validInput = "valid-input"
  /// What was made is there.
  case created
}

/// A broken rule in a trial.
struct Violation: Sendable {
  let rule: ContractRule
  /// The number of the last call needed to see it.
  let call: Int
  /// `POST /orders`.
  let operation: String
  /// The reason in words.
  let reason: String
  /// The finding that it is one of: equal for all its examples.
  let key: String
  /// The keys of findings that it may repeat, because one of its changes alone has shown them.
  let others: [String]
}

extension Trial {
  /// Returns the rules that answers break, one for each call at most, in the order of the calls.
  ///
  /// There may be fewer answers than calls.
  func violations(_ answers: [ServiceAnswer]) -> [Violation] {
    answers.indices.compactMap { index in
      serverError(index, answers[index]) ?? wrongAccess(index, answers[index])
        ?? accepted(index, answers[index]) ?? refused(index, answers[index])
        ?? lost(index, answers) ?? kept(index, answers) ?? changed(index, answers)
        ?? contradiction(index, answers[index])
    }
  }

  private func violation(
    _ rule: ContractRule, _ call: Int, _ reason: String, key: String, of other: Int? = nil
  ) -> Violation {
    let name = calls[other ?? call].name
    return Violation(
      rule: rule, call: call, operation: name, reason: reason,
      key: [rule.rawValue, name, key].joined(separator: " "),
      others: (calls[call].change?.others ?? []).map {
        [rule.rawValue, name, $0].joined(separator: " ")
      })
  }

  // MARK: - One answer

  private func serverError(_ index: Int, _ answer: ServiceAnswer) -> Violation? {
    let place = calls[index].change?.place ?? ""
    if let error = answer.error, ["protocol", "timeout"].contains(error) {
      return violation(.serverError, index, "there is no answer: '\(error)'", key: place)
    }
    guard let status = answer.status, status >= 500, status != 501 else { return nil }
    return violation(.serverError, index, "the status is \(status)", key: place)
  }

  private func wrongAccess(_ index: Int, _ answer: ServiceAnswer) -> Violation? {
    guard closed == index, answer.isSuccess, let status = answer.status else { return nil }
    let login = calls[index].credentials == .none ? "without" : "with wrong"
    return violation(
      .authentication, index, "a request \(login) credentials is answered with \(status)", key: "")
  }

  private func accepted(_ index: Int, _ answer: ServiceAnswer) -> Violation? {
    guard forbidden == index, answer.isSuccess, let status = answer.status else { return nil }
    let change = calls[index].change
    let text = change.map { "\($0.place) \($0.text)" } ?? "the method is \(calls[index].method)"
    return violation(
      .invalidInput, index, "\(text), and the answer is \(status)", key: change?.place ?? "method")
  }

  private func refused(_ index: Int, _ answer: ServiceAnswer) -> Violation? {
    guard promised == index, let change = calls[index].change, let status = answer.status,
      [400, 422].contains(status)
    else { return nil }
    return violation(
      .validInput, index, "\(change.place) \(change.text), and the answer is \(status)",
      key: change.place)
  }

  private func contradiction(_ index: Int, _ answer: ServiceAnswer) -> Violation? {
    let call = calls[index]
    guard let status = answer.status, call.method == call.operation.method else { return nil }
    let problem = call.operation.problems(in: answer.response).first { problem in
      problem.field != "status" || !call.excuses(status)
    }
    guard let problem else { return untyped(index, answer) }
    let place = problem.field + problem.pointer
    return violation(
      .contract, index, "\(place): \(problem.message)",
      key: "\(status) \(place.filter { !$0.isNumber })")
  }

  private func untyped(_ index: Int, _ answer: ServiceAnswer) -> Violation? {
    guard answer.lacksType, let status = answer.status,
      calls[index].operation.response(for: status)?.contents?.isEmpty == false
    else { return nil }
    return violation(
      .contract, index, "headers: lacks the header 'content-type'", key: "\(status) content-type")
  }

  // MARK: - Several answers

  private func lost(_ index: Int, _ answers: [ServiceAnswer]) -> Violation? {
    guard let creation, creation.read == index, answers[creation.create].isSuccess,
      answers[index].status == 404
    else { return nil }
    return violation(
      .created, index,
      "'\(calls[index].name)' is answered with 404 after '\(calls[creation.create].name)'",
      key: calls[index].name, of: creation.create)
  }

  private func kept(_ index: Int, _ answers: [ServiceAnswer]) -> Violation? {
    guard let deletion, deletion.read == index, answers[deletion.before].isSuccess,
      [200, 204].contains(answers[deletion.delete].status), answers[index].isSuccess,
      let status = answers[index].status
    else { return nil }
    // Nothing below it is a usual answer, too.
    let isBelow = calls[index].operation.path != calls[deletion.delete].operation.path
    if isBelow, answers[index].json?.isEmptyCollection == true { return nil }
    return violation(
      .deleted, index,
      "'\(calls[index].name)' is answered with \(status) after '\(calls[deletion.delete].name)'",
      key: calls[index].name, of: deletion.delete)
  }

  private func changed(_ index: Int, _ answers: [ServiceAnswer]) -> Violation? {
    guard let reads, reads.after == index, answers[reads.before].isSuccess,
      answers[reads.write].isRefusal, let status = answers[reads.write].status
    else { return nil }
    let (before, after) = (answers[reads.before], answers[index])
    if before.status == after.status, before.json == after.json { return nil }
    return violation(
      .refusedWrite, index,
      "'\(calls[reads.write].name)' is refused with \(status), and '\(calls[index].name)' has changed",
      key: "", of: reads.write)
  }
}

extension Value {
  fileprivate var isEmptyCollection: Bool {
    switch self {
    case .list(let values): values.isEmpty
    case .map(let map): map.isEmpty
    default: false
    }
  }
}

extension DrawnCall {
  /// True for a status that comes from in front of the service, or from credentials that are not given.
  fileprivate func excuses(_ status: Int) -> Bool {
    [413, 414, 429, 431].contains(status)
      || [401, 403].contains(status) && operation.needsCredentials
  }
}
