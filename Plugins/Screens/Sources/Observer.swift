import Observation
import Synchronization

/// An observer of changes to one property of a model, until it is released.
///
/// It makes no calls: its owner checks it at the end of a turn. So the view is filled once for any
/// number of changes, never in the middle of one, and the reaction is written where the check is.
struct Observer<Model: AnyObject & Observable, Content> {
  private let model: Model
  private let property: KeyPath<Model, Content>
  /// The model holds it weakly, so a released observer leaves nothing behind.
  let mark = ChangeMark()

  /// Creates an observer that has not read the property yet.
  init(_ model: Model, _ property: KeyPath<Model, Content>) {
    self.model = model
    self.property = property
  }

  /// Returns the property's value the first time and after each change, otherwise nil.
  func change() -> Content? {
    guard mark.take() else { return nil }
    return withObservationTracking {
      model[keyPath: property]
    } onChange: { [weak mark] in
      mark?.set()
    }
  }
}

/// A mark that a property has changed since the last read, set at first.
final class ChangeMark: Sendable {
  private let isSet = Mutex(true)

  func set() { isSet.withLock { $0 = true } }

  func take() -> Bool {
    isSet.withLock { isSet in
      defer { isSet = false }
      return isSet
    }
  }
}
