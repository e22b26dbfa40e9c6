public import FlowCore
internal import FlowRedaction
internal import FlowSystem

extension Plan {
  /// The values of all inputs, in their order: those given, and the defaults of the rest.
  ///
  /// - Throws: `ScenarioError` with every unknown, missing or ill-typed input.
  public func inputValues(_ values: [String: Value]) throws(ScenarioError) -> [Value] {
    let diagnostics = DiagnosticCollector(file: file)
    var given: [String: Value] = [:]
    var names = InputNames(inputs)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let input = names.input(name, diagnostics) else { continue }
      do { given[name] = try value.converted(to: input.type) } catch {
        // The malformed value of a secret input may contain part of the secret.
        let secret = Misfit(expected: input.type, actual: "a value of type \(value.kindName)")
        diagnostics.add(.inputValue(name, input.isSecret ? secret : Misfit(error)), at: nil)
      }
    }
    return try complete(given, names.mentioned, diagnostics)
  }

  /// Returns the given values of all inputs in their order, with the defaults of the rest.
  ///
  /// `mentioned` are the names of the inputs that were given, also with mistakes.
  ///
  /// - Throws: `ScenarioError` with the collected problems and those of missing inputs.
  package func complete(
    _ given: [String: Value], _ mentioned: Set<String>, _ diagnostics: DiagnosticCollector
  ) throws(ScenarioError) -> [Value] {
    // One that was given and refused, or under a mistyped name, is reported already.
    for input in inputs where input.defaultValue == nil && !mentioned.contains(input.name) {
      diagnostics.add(
        input.isSecret ? .missingSecret(input.name) : .missingInput(input.name, type: input.type),
        at: nil)
    }
    for input in inputs where input.isSecret {
      guard case .string(let text)? = given[input.name] else { continue }
      if !Redactor.canHide(text) { diagnostics.add(.shortSecret(input.name), at: nil) }
    }
    try diagnostics.throwIfAny()
    return inputs.compactMap { given[$0.name] ?? $0.defaultValue }
  }
}

/// The inputs of a scenario by their names.
package struct InputNames {
  private let inputs: [String: PlannedInput]
  private let all: [String]
  private var mistakes = 0
  /// The inputs asked for, and the probable ones for mistyped names.
  package private(set) var mentioned: Set<String> = []

  package init(_ inputs: [PlannedInput]) {
    all = inputs.map(\.name)
    self.inputs = Dictionary(zip(all, inputs)) { first, _ in first }
  }

  /// Returns true for the name of an input, and for one that is nearly so.
  package func isNear(_ name: String) -> Bool {
    inputs[name] != nil || !Problem.unknownInput(name, among: all).near.isEmpty
  }

  /// Returns the input of a name, or nil after a problem.
  package mutating func input(
    _ name: String, at span: Span? = nil, _ diagnostics: DiagnosticCollector
  ) -> PlannedInput? {
    if let input = inputs[name] {
      mentioned.insert(name)
      return input
    }
    mistakes += 1
    let isOffered = mistakes <= DiagnosticCollector.mostOffers
    let problem = Problem.unknownInput(name, among: isOffered ? all : [])
    mentioned.formUnion(problem.near)
    // The value under an unknown name may be a secret.
    diagnostics.add(problem, at: span, showsLine: false)
    return nil
  }
}

extension Misfit {
  fileprivate init(_ error: DecodeError) {
    guard case .mismatch(let expected, let actual) = error.reason else {
      self.init(path: error.path, expected: .dynamic, actual: "\(error.problem)")
      return
    }
    self.init(path: error.path, expected: expected, actual: actual.summary())
  }
}

extension Plan {
  /// Returns the recorded values of the inputs for a run with only some components live, with known
  /// secrets restored.
  ///
  /// Secrets are found by name. A placeholder remains if its secret is not given or too short.
  ///
  /// - Throws: `ScenarioError` when an input has another type.
  package func partlyLiveInputs(
    _ recorded: [Value], secret: (String) -> String?
  ) throws(ScenarioError) -> [Value] {
    var values: [String: Value] = [:]
    for (input, value) in zip(inputs, recorded) {
      let secret = input.isSecret ? secret(input.name) : nil
      values[input.name] =
        secret.flatMap { Redactor.canHide($0) ? .string($0) : nil } ?? value
    }
    return try inputValues(values)
  }

  /// Returns the recorded values of the inputs with secrets, found by name, in place of their
  /// placeholders.
  ///
  /// Given values take precedence over both.
  ///
  /// - Throws: `ScenarioError` with every secret that is not given, and every partly hidden input.
  package func liveInputs(
    _ recorded: [Value], given: [String: Value] = [:], secret: (String) -> String?
  ) throws(ScenarioError) -> [Value] {
    let diagnostics = DiagnosticCollector(file: file)
    var values: [String: Value] = [:]
    for (input, value) in zip(inputs, recorded) {
      if let value = given[input.name] {
        values[input.name] = value
      } else if input.isSecret {
        let secret = secret(input.name)
        if secret == nil { diagnostics.add(.missingSecret(input.name), at: nil) }
        values[input.name] = .string(secret ?? "")
      } else {
        if Redactor.hasPlaceholder(value) { diagnostics.add(.redactedInput(input.name), at: nil) }
        values[input.name] = value
      }
    }
    try diagnostics.throwIfAny()
    return try inputValues(values)
  }
}
