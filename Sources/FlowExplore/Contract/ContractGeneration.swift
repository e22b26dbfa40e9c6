package import FlowCore

/// The findings of calls generated from a description.
package struct ContractGeneration: Sendable {
  /// A broken rule.
  package struct Finding: Sendable {
    /// The rule.
    package let rule: ContractRule
    /// The operation: `POST /orders`.
    package let operation: String
    /// The reason in words.
    package let reason: String
    /// The calls, in words.
    package let calls: [String]
    /// The scenario that shows it again, or nil if it did not happen again.
    package let text: String?
    /// The run of the scenario, or nil without one.
    package let run: ScheduledRun?
  }

  /// The findings in the order of their discovery.
  package internal(set) var findings: [Finding] = []
  /// The numbers of further findings of a rule at an operation, of which only some are kept.
  package internal(set) var more = 0
  /// The problems of opening the component, or of reaching the service.
  package internal(set) var problems: [Diagnostic] = []
  /// True if there was no answer because the service was not reached.
  package internal(set) var isUnreachable = false
  /// The code of the latest error in place of an answer, or nil.
  package internal(set) var error: String?
  /// The operations in the order of the description.
  package internal(set) var operations: [String] = []
  /// The operations for which no request was found.
  package internal(set) var undrawn: [String] = []
  /// The operations with mistakes in the description, each with the first one.
  package internal(set) var faulty: [String: String] = [:]
  /// The operations that accepted a request.
  package internal(set) var accepted: Set<String> = []
  /// The latest statuses of usual requests with the given credentials, by their operations.
  package internal(set) var statuses: [String: Int] = [:]
  /// The number of requests, without those of shrinking.
  package internal(set) var requests = 0
  /// The number of requests of shrinking, and of the last run of each finding.
  package internal(set) var shrinkingRequests = 0
  /// True if it was interrupted.
  package internal(set) var isStopped = false
  /// The duration, in real time.
  package internal(set) var elapsed = Duration.zero

  /// The operations that a usual request was refused by, with the status.
  package var refused: [(operation: String, status: Int)] {
    operations.filter { !accepted.contains($0) }.compactMap { name in
      statuses[name].map { (name, $0) }
    }
  }

  /// The number of operations that refused the credentials.
  package var unauthorizedCount: Int { refused.count { $0.status == 401 } }

  /// True if no operation accepted a request, or more of them refused the credentials: then nothing is
  /// known of the service.
  package var isBarred: Bool { accepted.isEmpty || unauthorizedCount > accepted.count }
}

/// The progress of generating calls from a description.
package struct ContractProgress: Sendable {
  /// The number of requests.
  package let requests: Int
  /// The number of findings.
  package let findings: Int
  /// The time taken so far, in real time.
  package let elapsed: Duration
}
