import FlowCore
private import Synchronization

/// The started programs that one run leaves running for the next one.
final class KeptPrograms: KeptPart {
  /// A running program, and the input of its start.
  struct Program {
    let child: Child
    let input: StartInput
  }

  private let programs: Mutex<[String: Program]>

  /// Keeps programs by their names.
  init(_ programs: [String: Program] = [:]) { self.programs = Mutex(programs) }

  /// Takes the program that was started with the same input, or returns nil.
  func take(_ input: StartInput) -> Child? {
    programs.withLock { programs in
      guard programs[input.name]?.input == input else { return nil }
      return programs.removeValue(forKey: input.name)?.child
    }
  }

  /// Takes all programs, by their names.
  func takeAll() -> [String: Program] {
    programs.withLock { programs in
      defer { programs = [:] }
      return programs
    }
  }

  /// Ends the program of a name, which may have the port of another one.
  func end(named name: String) async {
    guard let program = programs.withLock({ $0.removeValue(forKey: name) }) else { return }
    program.child.stop()
    _ = await program.child.end(stoppedAfter: .zero)
  }

  /// Ends all programs.
  func end() async {
    let children = takeAll().values.map(\.child)
    for child in children { child.stop() }
    for child in children { _ = await child.end(stoppedAfter: .zero) }
  }
}
