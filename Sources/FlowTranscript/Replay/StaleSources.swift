package import FlowCore
internal import FlowEngine
package import FlowScenario
internal import FlowSystem
private import Synchronization

/// The project files that a recorded run read, compared with the present ones.
///
/// A file is compared when the first recorded call of its step is served: from then on the run uses
/// an answer that was made of it. A file of a step that is not reached, or whose component is live,
/// is not compared. A missing file is no difference, because a replay needs none.
final class StaleSources: Sendable {
  private struct State {
    /// The files of the steps that were not reached, by step.
    var waiting: [String: [ReadFile]]
    /// The digests of the present files by path, or nil for a file that is not there.
    var digests: [String: String?] = [:]
  }

  private let directory: Directory
  private let state: Mutex<State>

  init(_ files: [ReadFile], in directory: Directory) {
    self.directory = directory
    state = Mutex(State(waiting: Dictionary(grouping: files, by: \.step)))
  }

  /// Returns the files of a step that differ from the recorded ones, once.
  func files(of step: String) -> [ReadFile] {
    state.withLock { state in
      guard let files = state.waiting.removeValue(forKey: step) else { return [] }
      return files.filter { file in
        let known = state.digests[file.path]
        let digest = known ?? digest(of: file.path)
        if known == nil { state.digests[file.path] = .some(digest) }
        return digest.map { $0 != file.digest } ?? false
      }
    }
  }

  private func digest(of path: String) -> String? {
    do throws(FileError) { return ReadFile.digest(of: try directory.read(path)) } catch {
      // It was small enough to be read when it was recorded.
      return error.kind == .tooLarge ? "" : nil
    }
  }
}

extension Transcript {
  /// The difference of each default that was used, but has another value now.
  ///
  /// The inputs of the run are those of the plan. A given input needs no default.
  func staleDefaults(
    in plan: Plan, inputs: [Value], isAllowed: Bool, advice: String
  ) -> [ReplayMismatch] {
    zip(plan.inputs, inputs).compactMap { input, value in
      guard header.defaults.contains(input.name), let now = input.defaultValue,
        let then = header.inputs.first(where: { $0.name == input.name })?.value,
        let recorded = try? Value(then, as: input.type), recorded.isSame(as: value),
        !recorded.isSame(as: now)
      else { return nil }
      let message = "the default of the input '\(input.name)' has changed since it was recorded"
      let notes = ["recorded \(recorded.summary()), now \(now.summary())"]
      let advice = isAllowed ? [] : ReplayFailure.staleAdvice(advice)
      let diagnostic = Diagnostic(.stale, message, at: nil, notes: notes + advice)
      return ReplayMismatch(
        subject: .source, address: "inputs.\(input.name)", line: 1, step: nil, expected: then,
        actual: JSON(now, as: input.type), fields: [], nearest: nil, diagnostic: diagnostic,
        isAllowed: isAllowed)
    }
  }
}

extension TranscriptHeader {
  /// The recorded inputs of a run on components: an input that had its default has the present one.
  ///
  /// - Throws: `TranscriptError` as `inputValues` does.
  package func liveInputValues(
    for plan: Plan, file: String
  ) throws(TranscriptError) -> [Value] {
    zip(plan.inputs, try inputValues(for: plan, file: file)).map { input, recorded in
      defaults.contains(input.name) ? input.defaultValue ?? recorded : recorded
    }
  }

  /// The recorded inputs that were given.
  package var givenInputs: [JSON.Member] { inputs.filter { !defaults.contains($0.name) } }
}
