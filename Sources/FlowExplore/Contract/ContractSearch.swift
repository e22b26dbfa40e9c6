internal import FlowCore
internal import FlowOpenAPI

/// The search for broken rules on an open service.
struct ContractSearch {
  /// The most findings of a rule at one operation.
  private static let mostAlike = 3
  /// The number of lost answers one after the other that ends the search.
  private static let mostLost = 5

  private let planner: TrialPlanner
  private let service: DescribedService
  private let options: ContractGenerator.Options
  private let requests: Requests
  private var meter: ProgressMeter<ContractProgress>
  private var known = KnownResources()
  private var keys: Set<String> = []
  private var alike: [String: Int] = [:]
  private var lost = 0
  private(set) var generation = ContractGeneration()

  init(
    _ planner: TrialPlanner, _ service: DescribedService, _ options: ContractGenerator.Options,
    _ requests: Requests, _ meter: ProgressMeter<ContractProgress>
  ) {
    (self.planner, self.service, self.options) = (planner, service, options)
    (self.requests, self.meter) = (requests, meter)
  }

  typealias Shrinking =
    @Sendable (Trial, Violation) async -> (finding: ContractGeneration.Finding, requests: Int)

  private var isOver: Bool {
    Task.isCancelled || generation.requests >= options.budget || generation.isUnreachable
  }

  /// Tries the usual requests first, and then what differs from them.
  mutating func run(_ open: OpenService, shrinking: Shrinking) async {
    for _ in 0..<2 {
      for index in planner.order where !generation.accepted.contains(name(index)) && !isOver {
        if let trial = planner.first(index, known) { await attempt(trial, open, shrinking) }
      }
    }
    await takeTurns(planner.order.map { planner.special($0, known) }, open, shrinking)
    // The changes of large bodies take a while to draw.
    if isOver { return }
    var random = SeededGenerator(seed: options.explorer.seed, label: "contract")
    await takeTurns(
      planner.order.map { planner.changed($0, known).shuffled(using: &random) }, open, shrinking)
    // Bounded by itself, since a walk whose calls cannot be made sends nothing.
    for _ in 0..<options.budget where !isOver {
      if let trial = planner.walk(known, &random) { await attempt(trial, open, shrinking) }
    }
  }

  private func name(_ index: Int) -> String { planner.operations[index].name }

  /// Tries one trial of each operation, then the next one of each.
  private mutating func takeTurns(
    _ trials: [[Trial]], _ open: OpenService, _ shrinking: Shrinking
  ) async {
    for turn in 0..<(trials.map(\.count).max() ?? 0) {
      for trials in trials where turn < trials.count && !isOver {
        await attempt(trials[turn], open, shrinking)
      }
    }
  }

  private mutating func attempt(
    _ trial: Trial, _ open: OpenService, _ shrinking: Shrinking
  ) async {
    let run = await requests.run(trial, on: open)
    generation.requests += run.answers.count
    if let error = run.answers.last?.error {
      lost += 1
      generation.error = error
      generation.isUnreachable =
        ["unreachable", "forbidden", "tls"].contains(error) || lost == Self.mostLost
    } else {
      lost = 0
    }
    note(trial, run)
    await learn(run, open)
    meter.note {
      ContractProgress(
        requests: generation.requests, findings: generation.findings.count, elapsed: $0)
    }
    for violation in trial.violations(run.answers) {
      guard !Task.isCancelled, keys.insert(violation.key).inserted,
        violation.others.allSatisfy({ !keys.contains($0) })
      else { continue }
      let kind = "\(violation.rule.rawValue) \(violation.operation)"
      guard alike[kind, default: 0] < Self.mostAlike else {
        generation.more += 1
        continue
      }
      let (finding, requests) = await shrinking(
        trial.prefix(through: violation.call).focused(on: violation.rule), violation)
      generation.shrinkingRequests += requests
      // A connection that was closed in between is no answer of the service.
      if finding.text == nil, run.answers[violation.call].error != nil { continue }
      generation.findings.append(finding)
      if finding.text != nil { alike[kind, default: 0] += 1 }
    }
  }

  /// Finds out which member of a usual request has to be different each time, after it was refused
  /// with 409.
  private mutating func learn(_ run: Requests.Run, _ open: OpenService) async {
    for (call, answer) in zip(run.sent, run.answers)
    where answer.status == 409 && call.method == "POST" && call.change == nil {
      let unique = requests.unique
      guard !unique.knows(call.operation) else { continue }
      // Also if no way is found, so that it is not looked for again.
      unique.learn([], of: call.operation)
      var plain = call
      plain.bodyLinks = []
      for index in plain.arguments.indices { plain.arguments[index].link = nil }
      for way in unique.ways(of: plain) where !isOver {
        let other = Trial([plain.unique(way, unique.text)])
        let again = await requests.run(other, on: open)
        generation.requests += 1
        guard again.answers.last?.isSuccess == true else { continue }
        unique.learn(way, of: call.operation)
        break
      }
    }
  }

  /// Notes the resources that the usual calls of a trial have made.
  private mutating func note(_ trial: Trial, _ run: Requests.Run) {
    for (index, answer) in run.answers.enumerated() {
      let call = trial.calls[index]
      guard call.change == nil, call.credentials == .given, call.method == call.operation.method
      else { continue }
      generation.statuses[call.name] = answer.status
      guard answer.isSuccess else { continue }
      generation.accepted.insert(call.name)
      guard index == run.answers.count - 1 || trial.reads?.write == index, trial.creation == nil
      else { continue }
      let needed = trial.reads?.before ?? index
      known.note(Array(trial.calls.prefix(needed)) + [call], answer)
    }
  }
}
