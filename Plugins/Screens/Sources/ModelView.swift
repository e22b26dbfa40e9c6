/// A view that shows one model: as the root of a screen, in a cell, or inside of another view.
protocol ModelView {
  /// What it shows. A value, so that no view can change the model.
  associatedtype Model

  /// Shows a model in place of the one before.
  mutating func fill(with model: Model)
}

/// Brings a model to its view, whichever of them comes first, and each later model as well.
struct ViewController<Model, RootView: ModelView> where RootView.Model == Model {
  /// What is shown; nil until it is known.
  var model: Model? { didSet { fillView() } }
  /// What shows it; nil until it is loaded.
  private(set) var rootView: RootView?
  private let fillsInAnyOrder: Bool

  /// A controller that has neither a model nor a view.
  init(_ care: Care = Care()) {
    fillsInAnyOrder = care.fillsInAnyOrder
  }

  /// Takes a view, and fills it with the model that is there.
  mutating func load(_ view: RootView) {
    rootView = view
    if fillsInAnyOrder { fillView() }
  }

  /// Passes on what a person, or an answer, does to the view.
  mutating func updateView(_ change: (inout RootView) -> Void) {
    guard var view = rootView else { return }
    change(&view)
    rootView = view
  }

  private mutating func fillView() {
    if let model { rootView?.fill(with: model) }
  }
}
