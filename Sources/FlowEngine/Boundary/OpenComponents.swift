internal import FlowCore
internal import FlowPlan

/// A component that is open, with the services of its calls.
struct OpenComponent {
  let component: LiveComponent
  let services: ContextServices
  let planned: PlannedComponent
  let options: ContextServices.Options
}

/// The components of one scenario that are open or about to be, in the order of their opening.
struct OpenComponents {
  /// A component from the start of its opening on.
  ///
  /// One that could not be opened may have started tasks.
  struct Opening {
    let component: PlannedComponent
    /// Its position in the plan.
    let index: Int
    /// The tasks that it starts.
    let tasks: SpawnedTasks
    /// True if it starts programs, or uses a component that does.
    fileprivate let isProgram: Bool
  }

  /// By their positions in the plan.
  private var open: [OpenComponent?] = []
  private var openings: [Opening] = []

  /// The open component at a position in the plan, or nil.
  subscript(index: Int) -> OpenComponent? { index < open.count ? open[index] : nil }

  /// The open components, by their positions in the plan.
  var all: [LiveComponent] { open.compactMap { $0?.component } }

  /// Notes a component whose opening starts now.
  mutating func begin(
    _ component: PlannedComponent, _ index: Int, settings: Value, tasks: SpawnedTasks
  ) {
    let used = component.roles.map(\.component)
    let isProgram =
      (try? component.plugin.reaches(settings))?.contains(.process) == true
      || openings.contains { $0.isProgram && used.contains($0.index) }
    openings.append(
      Opening(component: component, index: index, tasks: tasks, isProgram: isProgram))
  }

  /// Adds a component that is open now.
  mutating func add(_ component: OpenComponent, at index: Int) {
    while open.count <= index { open.append(nil) }
    open[index] = component
  }

  /// Removes the component to close next, or returns nil.
  ///
  /// The one opened last, and programs before all others: a program is started after what it talks
  /// to, but its component may be opened before.
  mutating func takeNext() -> Opening? {
    guard let next = openings.lastIndex(where: \.isProgram) ?? openings.indices.last else {
      return nil
    }
    return openings.remove(at: next)
  }

  /// Removes the open component at a position, or returns nil if it could not be opened.
  mutating func remove(at index: Int) -> LiveComponent? {
    guard index < open.count else { return nil }
    defer { open[index] = nil }
    return open[index]?.component
  }
}
