internal import FlowCore

// What is said about secrets.

extension Problem {
  static func missingSecret(_ name: String) -> Problem {
    Problem(
      code: .missingInput, message: "the secret input '\(name)' is missing",
      notes: [SecretError.advice(name)])
  }

  static func shortSecret(_ name: String) -> Problem {
    Problem(code: .secretTooShort, message: "\(SecretError.tooShort(name))")
  }

  static func redactedInput(_ name: String) -> Problem {
    Problem(
      code: .hiddenInput,
      message:
        "the input '\(name)' is not known any more: a part of it was hidden when it was recorded")
  }

  static func secretType(_ name: String, _ type: ValueType) -> Problem {
    Problem(
      code: .unsuitableSecretInput,
      message: "the secret input '\(name)' must be of type string, not \(type)")
  }

  static func secretDefault(_ name: String) -> Problem {
    Problem(
      code: .unsuitableSecretInput,
      message: "the secret input '\(name)' has a default, which everybody can read",
      notes: [SecretError.advice(name)])
  }
}
