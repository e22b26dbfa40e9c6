package import FlowCore
package import FlowPlan
internal import FlowSystem

/// The recorded answers of each step of a scenario and of the scenarios that it includes.
package struct StepAnswers: Sendable {
  /// The values at one place in all answers of a step.
  package struct Values: Sendable {
    /// The values in the order of the recording, null for an absent member, never empty.
    package let all: [Value]
    fileprivate let answers: [JSON]
    /// True if the step was called in later iterations, or in later attempts of a block.
    package let isRepeated: Bool

    /// Returns true if a field of a call's answer has no value in one of the answers.
    package func isWithoutValue(_ field: String, of call: PlannedCall) -> Bool {
      let description = call.operation.description
      return answers.contains { json in
        guard let answer = try? Value(json, as: .record(description.output)) else { return false }
        return description.absence(answer, field) != nil
      }
    }
  }

  private let transcript: Transcript
  /// The position of the last attempt of each step's call, by the call.
  private var latest: [Address: Int] = [:]
  /// The addresses of each step's calls in the order of the recording, by the step's place.
  private var calls: [String: [Address]] = [:]
  /// The places of the steps by their paths: of an included scenario that is run twice, the same.
  private var places: [String: String] = [:]

  /// Creates the answers in a transcript of a scenario.
  package init(in transcript: Transcript, of plan: Plan) {
    self.transcript = transcript
    for (index, call) in transcript.calls.enumerated() where call.address.calls.isEmpty {
      if latest.updateValue(index, forKey: call.address) != nil { continue }
      let path = call.address.path
      let place = places[path] ?? plan.placeInFile(of: path)
      places[path] = place
      calls[place, default: []].append(call.address)
    }
  }

  /// Returns true for the answer to a call that was tried again.
  package func wasTriedAgain(_ alteration: Alteration) -> Bool {
    latest[alteration.address].map { $0 != alteration.call } ?? false
  }

  /// Returns the values at the place of an alteration in the last answers to its step's calls.
  ///
  /// - Returns: Nil if the call is not a step's, or an answer is an error or has no such place.
  package func values(at alteration: Alteration) -> Values? {
    guard alteration.address.calls.isEmpty, alteration.path.steps.first == .field("ok"),
      let place = places[alteration.address.path], let addresses = calls[place]
    else { return nil }
    let answers = addresses.compactMap { latest[$0] }.compactMap(served)
    let values = answers.compactMap { answer -> Value? in
      guard let json = answer.part(at: alteration.path.steps.dropFirst()) else { return nil }
      return json == .null ? .null : try? Value(json, as: alteration.type)
    }
    guard values.count == addresses.count, !values.isEmpty else { return nil }
    return Values(
      all: values, answers: answers,
      isRepeated: addresses.contains { $0.iterations.contains { $0 > 1 } })
  }

  /// Returns the answer of a call, or nil for an error.
  private func served(_ index: Int) -> JSON? {
    guard case .output(let output)? = transcript.calls[index].answer else { return nil }
    return output.served
  }
}

extension Transcript {
  /// The number of calls of steps and of components, by which the duration of a replay grows.
  package var callCount: Int { calls.count }
}

extension Plan {
  /// Returns the file of a step and its path there, the same wherever the file is included.
  fileprivate func placeInFile(of path: String) -> String {
    let way = way(to: path)
    return "\(way.plan.file)\n\(way.path)"
  }
}

extension JSON {
  /// Returns the value at a place, null for an absent member, or nil if it has no such place.
  func part(at path: ArraySlice<FieldPath.Step>) -> JSON? {
    switch (path.first, self) {
    case (nil, _): self
    case (.field(let name)?, .object(let members)):
      (members.first { $0.name == name }?.value ?? .null).part(at: path.dropFirst())
    case (.index(let index)?, .array(let elements)) where index < elements.count:
      elements[index].part(at: path.dropFirst())
    default: nil
    }
  }
}
