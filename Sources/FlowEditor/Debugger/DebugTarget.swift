package import FlowCore
internal import FlowEngine
package import FlowPlan
package import FlowScenario

/// A scenario to debug, as its commands load, replay and run it.
package struct DebugTarget: Sendable {
  /// A loaded scenario.
  package struct Loaded: Sendable {
    /// The plan to run.
    package let plan: Plan
    /// The names and places of the scenario.
    package let analysis: ScenarioAnalysis
    /// The text of its file.
    package let text: [UInt8]

    /// Creates a loaded scenario.
    package init(plan: Plan, analysis: ScenarioAnalysis, text: [UInt8]) {
      (self.plan, self.analysis, self.text) = (plan, analysis, text)
    }
  }

  /// The end of a run.
  package struct End: Sendable {
    /// True if the run passed.
    package let passed: Bool
    /// The problems, with secrets hidden.
    package let problems: [Diagnostic]
    /// True if no step failed, whatever the recorded run did.
    package let ranThrough: Bool

    /// Creates the end of a run, which ran through if it passed unless said.
    package init(passed: Bool, problems: [Diagnostic], ranThrough: Bool? = nil) {
      (self.passed, self.problems) = (passed, problems)
      self.ranThrough = ranThrough ?? passed
    }
  }

  /// The recorded part of a run that goes on live.
  package struct Served: Sendable {
    /// The addresses of the steps' calls with recorded answers, once for each call.
    package let calls: [Address]
    /// Returns true until the recorded part has ended.
    package let isServing: @Sendable () -> Bool
  }

  /// The path of the recording, or nil for a live run.
  package var recording: String?
  /// Loads the scenario from a text, or with nil from its file.
  package var load: @Sendable (_ text: [UInt8]?) -> Result<Loaded, ScenarioError>
  /// Replays the recording to its end.
  package var replay: @Sendable (Plan, DebugGate) async -> End
  /// Runs the scenario live, after the served part if there is one.
  ///
  /// Returns its end, also if it cannot start.
  package var run: @Sendable (Plan, Served?, DebugGate) async -> End

  /// Creates a target from its actions.
  package init(
    load: @escaping @Sendable ([UInt8]?) -> Result<Loaded, ScenarioError>,
    replay: @escaping @Sendable (Plan, DebugGate) async -> End,
    run: @escaping @Sendable (Plan, Served?, DebugGate) async -> End
  ) {
    (self.load, self.replay, self.run) = (load, replay, run)
  }
}
