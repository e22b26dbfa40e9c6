internal import FlowCore
package import FlowPlan
internal import FlowSystem

/// The different parts of the answers to one component's calls that may be declared as volatile.
package struct VolatileParts {
  /// The parts of one operation's answers, as `volatile` names them.
  package struct Operation {
    /// The name.
    package let name: String
    /// Not empty.
    package let paths: [String]
  }

  /// The component's name.
  package let component: String
  /// The operations with such parts, in the order of their first calls.
  package let operations: [Operation]
  /// The step that makes all the calls, or nil for several steps, or another component.
  let step: String?

  /// Finds the parts for every component with such parts, in the order of their first calls.
  ///
  /// - Parameters:
  ///   - calls: The different calls.
  ///   - besideResults: True for the other parts of answers with another number or code of a declared
  ///     field, which is a result. Otherwise such calls have no parts.
  /// - Returns: The parts, without components that have none.
  package static func all(
    in calls: [TranscriptDifference.Call], besideResults: Bool
  ) -> [VolatileParts] {
    let found = calls.map { ($0, $0.volatilePlaces(besideResults)) }.filter { !$0.1.isEmpty }
    return found.map(\.0.component).unique.map { component in
      let own = found.filter { $0.0.component == component }
      let steps = own.map(\.0.address.path).unique
      let isOfStep = steps.count == 1 && own.allSatisfy(\.0.address.calls.isEmpty)
      let operations = own.map(\.0.name).unique.map { name in
        Operation(
          name: String(name.dropFirst(component.count + 1)),
          paths: own.filter { $0.0.name == name }.flatMap(\.1).unique)
      }
      return VolatileParts(
        component: component, operations: operations, step: isOfStep ? steps.first : nil)
    }
  }
}

extension Transcript {
  /// The parts of answers that differ in another run of the same scenario.
  ///
  /// The keys are the numbers of the steps' calls of a component in their order, from 0.
  package func volatileParts(
    of component: String, in other: Transcript, _ plan: Plan
  ) -> [Int: [String]] {
    let own = calls.indices.filter {
      !calls.isOfComponent($0) && calls[$0].name.hasPrefix(component + ".")
    }
    let numbers = Dictionary(
      own.enumerated().map { ("\(calls.address(of: $1))", $0) },
      uniquingKeysWith: { first, _ in first })
    var parts: [Int: [String]] = [:]
    for call in TranscriptDifference(ofAnswersIn: other, from: self, plan: plan).calls
    where call.address.calls.isEmpty {
      guard let number = numbers["\(call.address)"] else { continue }
      let places = call.volatilePlaces(true)
      if !places.isEmpty { parts[number] = places }
    }
    return parts
  }
}

// Advice about parts of answers that differ in each run.
extension [TranscriptDifference.Call] {
  /// The most paths of one operation, and the most components.
  private static let most = 5

  /// A sentence for each component with such parts.
  ///
  /// Empty if only other things differ.
  package var volatileAdvice: [String] {
    VolatileParts.all(in: self, besideResults: false).prefix(Self.most).map(Self.advice)
  }

  private static func advice(_ parts: VolatileParts) -> String {
    let lists = parts.operations.map { ValuePath.list(Array<String>($0.paths.prefix(most))) }
    let isOne = parts.operations.count == 1 && parts.operations[0].paths.count == 1
    let start = "if \(isOne ? "it differs" : "they differ") in each run, declare 'volatile: "
    if let step = parts.step { return start + "\(lists[0])' in the step '\(step)'" }
    let entries = zip(parts.operations, lists).map { "\($0.name): \($1)" }.joined(separator: ", ")
    return start + "{\(entries)}' in the component '\(parts.component)'"
  }
}

extension TranscriptDifference.Call {
  /// The component's name in the scenario.
  fileprivate var component: String { name.componentName }

  /// The parts of the answer to declare for all calls of the operation.
  ///
  /// With `besideResults` also those of an answer with another result.
  fileprivate func volatilePlaces(_ besideResults: Bool) -> [String] {
    guard kind == .changed, name.contains(".") else { return [] }
    // With another result it is another answer.
    let places = fields.map { $0.isResult ? nil : $0.volatilePlace }
    if !besideResults, places.contains(nil) { return [] }
    return places.compactMap(\.self).unique
  }

  /// The parts with a result: declared for all calls they would hide every failure.
  package var resultPlaces: [String] {
    guard kind == .changed, name.contains(".") else { return [] }
    return fields.filter(\.isResult).compactMap(\.volatilePlace).unique
  }

  /// The changes that no declaration of volatile parts accepts.
  package var otherFields: [FieldChange] { fields.filter { $0.volatilePlace == nil } }
}

extension FieldChange {
  /// The place in the answer if both values have one type, or nil.
  fileprivate var volatilePlace: String? {
    let prefix = "ok."
    guard !isDue, path.hasPrefix(prefix), let recorded, let now,
      let first = try? Value(recorded, as: type), let second = try? Value(now, as: type),
      RecordedPattern.Kind(first) == RecordedPattern.Kind(second)
    else { return nil }
    let place = ProposedPlace(of: self, at: String(place.dropFirst(prefix.count))).path
    return ValuePath(place) == nil ? nil : place
  }

  /// True for a number, a code or a truth value of a declared field.
  fileprivate var isResult: Bool {
    switch type {
    case .dynamic, .string, .bytes, .timestamp, .duration: false
    default: true
    }
  }
}
