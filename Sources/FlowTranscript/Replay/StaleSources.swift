package import FlowCore
internal import FlowEngine
package import FlowPlan
internal import FlowSystem
private import Synchronization

/// A project file that a recorded run read, and that is another one now.
struct StaleFile: Sendable {
  /// The file of the recording.
  let file: ReadFile
  /// The reason why the present file cannot be read, or nil if it has another content.
  let error: FileError?
}

/// The project files that a recorded run read, compared with the present ones.
///
/// A file is compared when the first recorded call of its step is served: from then on the run uses
/// an answer that was made of it. A file of a step that is not reached, or whose component is live,
/// is not compared. A missing file is no difference, because a replay needs none. Anything else in
/// its place is one, such as a folder, a pipe, or a link out of the project.
final class StaleSources: Sendable {
  /// A file as it is now.
  private enum Present {
    case missing
    case unreadable(FileError)
    case content(digest: String)
  }

  private struct State {
    /// The files of the steps that were not reached, by step.
    var waiting: [String: [ReadFile]]
    /// The present files by path.
    var present: [String: Present] = [:]
  }

  private let directory: Directory
  private let state: Mutex<State>

  init(_ files: [ReadFile], in directory: Directory) {
    self.directory = directory
    state = Mutex(State(waiting: Dictionary(grouping: files, by: \.step)))
  }

  /// Returns the files of a step that differ from the recorded ones, once.
  func files(of step: String) -> [StaleFile] {
    state.withLock { state in
      guard let files = state.waiting.removeValue(forKey: step) else { return [] }
      return files.compactMap { file in
        let present = state.present[file.path] ?? present(file.path)
        state.present[file.path] = present
        switch present {
        case .missing: return nil
        case .unreadable(let error): return StaleFile(file: file, error: error)
        case .content(let digest):
          return digest == file.digest ? nil : StaleFile(file: file, error: nil)
        }
      }
    }
  }

  private func present(_ path: String) -> Present {
    do throws(FileError) {
      return .content(digest: ReadFile.digest(of: try directory.read(path)))
    } catch {
      switch error.kind {
      case .missing: return .missing
      // It was small enough to be read when it was recorded.
      case .tooLarge: return .content(digest: "")
      case .forbidden, .notAFile, .unreadable: return .unreadable(error)
      }
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
