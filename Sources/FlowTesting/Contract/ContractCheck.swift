public import Testing

/// One thing that every component owes to those who run it; `ComponentContract` checks it.
public enum ContractCheck: String, CaseIterable, Sendable {
  /// The sample passes, and calls every operation of the component.
  case sample
  /// Every record decodes what it encodes.
  case records
  /// No operation fails in a way that it does not declare.
  case errors
  /// Two runs with the same seed, inputs and date give the same transcript.
  case repetition
  /// A call that is cancelled ends, at once and in no other way than by the cancellation.
  case cancellation
  /// Waiting goes by the run's time, which may be virtual, or is done in `Context.outside`; nothing blocks.
  case time
  /// A replay of the recorded sample passes, and records the same again.
  case replay
  /// A sample that is killed after any call and resumed goes on as one that was not.
  case resume
  /// Nothing that the component makes of a secret is seen in what is recorded or logged.
  case secrets
}

extension ContractCheck: CustomTestStringConvertible {
  /// What is checked, in words.
  public var testDescription: String {
    switch self {
    case .sample: "the sample passes and calls every operation"
    case .records: "its records decode what they encode"
    case .errors: "it fails with declared errors only"
    case .repetition: "the same seed gives the same transcript"
    case .cancellation: "a cancelled call ends"
    case .time: "waiting goes by the run's time"
    case .replay: "its recording replays and records the same"
    case .resume: "a killed run resumes as if nothing had happened"
    case .secrets: "nothing made of a secret is seen"
    }
  }
}
