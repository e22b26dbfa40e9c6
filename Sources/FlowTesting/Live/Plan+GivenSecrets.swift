internal import FlowCore
internal import FlowRedaction
internal import FlowScenario

// The command has the same rules for what it is given.
extension Plan {
  /// What is wrong with the secrets that a test gives, some values for each name, in order of the names.
  func problems(
    ofSecrets secrets: [String: [String]], beside inputs: some Collection<String>
  ) -> [Diagnostic] {
    secrets.sorted { $0.key < $1.key }.flatMap { name, values in
      var problems: [Diagnostic] = []
      if !Secrets.isName(name) {
        problems.append(Diagnostic("secrets", "\(SecretError.invalidName(name))", at: nil))
      }
      if !values.allSatisfy(Redactor.canHide) {
        problems.append(Diagnostic(.secretTooShort, "\(SecretError.tooShort(name))", at: nil))
      }
      if inputs.contains(name), self.inputs.contains(where: { $0.name == name && $0.isSecret }) {
        let message = "'\(name)' is given as an input and as a secret"
        problems.append(Diagnostic("secrets", message, at: nil))
      }
      return problems
    }
  }

  /// The values of all inputs: those given, those of secret ones among the secrets, and the defaults of the rest.
  ///
  /// An empty secret is none.
  func inputValues(
    _ given: [String: Value], secrets: [String: String]
  ) throws(ScenarioError) -> [Value] {
    var values = given
    for input in inputs where input.isSecret && values[input.name] == nil {
      guard let secret = secrets[input.name], !secret.isEmpty else { continue }
      values[input.name] = .string(secret)
    }
    return try inputValues(values)
  }
}
