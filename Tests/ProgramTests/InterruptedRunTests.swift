import FlowCore
import Foundation
import TestKit
import Testing

/// Runs of the built program with a journal that are stopped, as by Ctrl-C.
@Suite struct InterruptedRunTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func flow(_ arguments: String...) async throws -> BuiltProgram {
    try await BuiltProgram.run("flow", arguments, in: folder)
  }

  /// Stops a run of a step during the step's call, and returns the error output.
  private func interrupted(
    _ plugin: String, _ step: String, _ options: [String] = []
  ) async throws -> String {
    try folder.write(
      "flow: 1\ncomponents: {c: {plugin: \(plugin)}}\nsteps: [{id: held, \(step)}]\n",
      to: "held.yaml")
    let watch = try FolderWatch(folder)
    let run = try ChildProcess(
      BuiltProgram.url("flow").path, ["run", "held.yaml", "--journal", "journal"] + options,
      in: folder.directory.path)
    let ending = await withCheckedContinuation { continuation in
      // A thread waits, because the pool's are for tests that do not wait.
      Thread.detachNewThread {
        while run.isRunning,
          (try? folder.text("journal"))?.contains(#"{"at":"held#1","invoke""#) != true
        {
          watch.wait(orEndOf: run)
        }
        run.send(SIGINT)
        continuation.resume(returning: run.ending())
      }
    }
    #expect(ending.code == 130)
    return ending.errors
  }

  @Test func `what is said of an unknown call is what makes a resumption go on`() async throws {
    try folder.makePipe("go")
    let errors = try await interrupted("process", "uses: c.run, with: {argv: [cat, go]}")
    try folder.remove("go")
    try folder.write([], to: "go")
    let stopped = try await flow("resume", "journal")
    let resumed = try await flow("resume", "journal", "--retry-unknown")

    #expect(
      errors.hasSuffix(
        """
        note: it is not known whether these calls took effect: 'held#1'
        note: check them: --retry-unknown repeats them, and --done CALL records that one took effect
        flow: interrupted; continue with: flow resume journal --retry-unknown

        """), "\(errors)")
    #expect(stopped.errors.contains("'held#1' took effect [F3202]"), "\(stopped.errors)")
    #expect(resumed.code == 0, "\(resumed.errors)")
  }

  @Test func `a call that is safe to repeat needs no option to go on`() async throws {
    let errors = try await interrupted("file", "uses: c.wait_for, with: {path: go}")
    try folder.write([], to: "go")
    let resumed = try await flow("resume", "journal")

    #expect(
      errors.hasSuffix("\nflow: interrupted; continue with: flow resume journal\n"), "\(errors)")
    #expect(!errors.contains("not known"), "\(errors)")
    #expect(resumed.code == 0, "\(resumed.errors)")
  }

  @Test func `the command that goes on has the options of the run`() async throws {
    try folder.write("t0ken-of-mine", to: "a token")
    let errors = try await interrupted(
      "file", "uses: c.wait_for, with: {path: go}",
      ["--deny", "network", "--secret", "api=@a token", "--allow-host", "a.example"])

    #expect(
      errors.hasSuffix(
        "\nflow: interrupted; continue with: flow resume journal --deny network "
          + "--secret 'api=@a token' --allow-host a.example\n"), "\(errors)")
  }
}
