/// A view that shows one model: as the root of a screen, in a cell, or inside of another view.
protocol ModelView {
  /// The displayed model, a value so that no view can change it.
  associatedtype Model

  /// Shows a model instead of the previous one.
  mutating func fill(with model: Model)
}

/// A connection of a model to its view, whichever of them comes first, and of each later model.
struct ViewController<Model, RootView: ModelView> where RootView.Model == Model {
  /// The displayed model, or nil until it is known.
  var model: Model? { didSet { fillView() } }
  /// The view of the model, or nil until it is loaded.
  private(set) var rootView: RootView?
  private let fillsInAnyOrder: Bool

  /// Creates a controller without a model or a view.
  init(_ care: Care = Care()) {
    fillsInAnyOrder = care.fillsInAnyOrder
  }

  /// Takes a view and fills it with the current model.
  mutating func load(_ view: RootView) {
    rootView = view
    if fillsInAnyOrder { fillView() }
  }

  /// Passes on a change of the view by a person or an answer.
  mutating func updateView(_ change: (inout RootView) -> Void) {
    guard var view = rootView else { return }
    change(&view)
    rootView = view
  }

  private mutating func fillView() {
    if let model { rootView?.fill(with: model) }
  }
}
