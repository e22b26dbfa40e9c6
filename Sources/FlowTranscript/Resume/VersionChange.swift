internal import FlowCore
package import FlowPlan
internal import FlowSystem

/// A reason that a done step of a journal cannot stand for a step of the scenario.
package enum RenamedStepError: Error, Sendable {
  /// No call of the journal is inside of the old step.
  case notDone(old: String, done: [String])
  /// The scenario has no step of the new path.
  case unknown(new: String)
  /// The journal has calls of the new step already.
  case taken(new: String)
}

extension Journal {
  /// Returns the line by which a version of the scenario goes on, without a checksum.
  package func line(changingTo plan: Plan, _ steps: RenamedSteps) -> [UInt8] {
    let line = TranscriptLine(at: "steps", kind: .version(JournalVersion(of: plan, steps)))
    var writer = JSONWriter(longestLine: LineCursor.longest)
    line.write(to: &writer)
    writer.endLine()
    return writer.bytes
  }

  /// Returns the journal with the paths of steps in a plan.
  ///
  /// - Throws: `RenamedStepError` for a step that was not done, or is not in the plan.
  package func renaming(
    _ steps: RenamedSteps, in plan: Plan
  ) throws(RenamedStepError) -> Journal {
    if steps.isEmpty { return self }
    let done = Set(calls.indices.map { calls.address(of: $0).path })
    var finder = StepFinder(plan)
    for step in steps.all {
      guard done.contains(where: { $0 == step.old || $0.hasPrefix(step.old + "/") }) else {
        throw .notDone(old: step.old, done: done.sorted())
      }
      guard finder.place(at: step.new) != nil else { throw .unknown(new: step.new) }
      let isFreed = steps.all.contains { $0.old == step.new }
      if !isFreed, done.contains(step.new) { throw .taken(new: step.new) }
    }
    return with(calls.renaming(steps), steps.timers(timers))
  }
}
