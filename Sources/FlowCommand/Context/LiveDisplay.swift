private import Dispatch
internal import FlowReport
internal import FlowSystem

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What shows on the terminal while a command works: a timer, the window's changes, and the ends.
///
/// Only the executable's world has a terminal: a library must not change the signals of the program that it is part
/// of.
final class LiveDisplay {
  private let world: CommandWorld
  private let queue = DispatchQueue(label: "flow.display")
  private var sources: [any DispatchSourceProtocol] = []

  /// Begins to show rows where there is a terminal for it, until `end`.
  init(_ world: CommandWorld, rows: @escaping LiveRegion.Rows) {
    self.world = world
    guard let region = world.region else { return }
    region.begin(rows)
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + .milliseconds(100), repeating: .milliseconds(100),
      leeway: .milliseconds(10))
    timer.setEventHandler { region.tick() }
    timer.resume()
    sources.append(timer)
    for number in [SIGWINCH, SIGCONT] { react(to: number) { region.tick() } }
  }

  /// Shows nothing any more, and lets go of the signals.
  func end() {
    for source in sources { source.cancel() }
    sources = []
    world.region?.end()
  }

  private func react(to number: CInt, _ action: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: DispatchWorkItem(block: action))
    source.resume()
    sources.append(source)
  }
}

extension LiveRegion {
  /// The region of the process's terminal; nil where there is none, or nobody looks at it.
  static func process(_ environment: [String: String]) -> LiveRegion? {
    guard Terminal.isOnErrors, environment["TERM"] != "dumb", (environment["CI"] ?? "").isEmpty
    else { return nil }
    return LiveRegion(
      size: { Terminal.size.map { Size(columns: $0.columns, rows: $0.rows) } },
      write: Terminal.write)
  }
}
