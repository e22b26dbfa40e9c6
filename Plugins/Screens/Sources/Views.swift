import FlowCore

/// A line to type into.
struct TextField: ModelView {
  private(set) var text = ""
  private(set) var isFocused = false

  /// Shows a text, unless a person is typing.
  mutating func fill(with text: String) {
    if !isFocused { self.text = text }
  }

  /// Replaces the text with a typed one.
  mutating func type(_ text: String) {
    self.text = text
    isFocused = true
  }

  /// Ends the typing and passes the text on.
  mutating func pressReturn(_ action: (String) -> Void) {
    isFocused = false
    action(text)
  }
}

/// A balance with a field for a withdrawal.
struct BalanceView: ModelView {
  private(set) var label = ""
  var field = TextField()

  mutating func fill(with balance: Decimal) {
    label = balance.money
  }
}

/// A message that a person has to dismiss.
struct Alert: RecordRepresentable, Error, Hashable {
  var title: String
  var message: String

  static let record = Record(
    Alert.init(title:message:), Field("title", \.title, "The title of the alert."),
    Field("message", \.message, "The message of the alert."))
}

/// The known properties of a picture.
struct Picture: Sendable, Hashable {
  var width: Int
  var height: Int
  var format = "png"
  var bytes = 0

  static let record = Record(
    Picture.init(width:height:format:bytes:), Field("width", \.width, "The width in pixels."),
    Field("height", \.height, "The height in pixels."),
    Field("format", \.format, "The format of the picture."),
    Field("bytes", \.bytes, "The size of the file in bytes."))
}

/// A view that loads the picture at a path and shows it.
struct ImageView: ModelView {
  /// The visible content of the view.
  enum Content: Hashable {
    case placeholder
    case loading
    case shown(Picture)
    case broken(String)
  }

  private(set) var path = ""
  private(set) var content = Content.placeholder
  private let checksPaths: Bool
  private let load: ((String) -> Void)?

  /// Creates a view without a picture.
  ///
  /// `load` requests the one at a path, and is nil without pictures.
  init(_ care: Care = Care(), load: ((String) -> Void)?) {
    checksPaths = care.checksPaths
    self.load = load
  }

  /// Shows the picture at a path once it is loaded.
  ///
  /// A shown or loading picture is not requested again.
  mutating func fill(with path: String) {
    if path == self.path, content == .loading || isShown { return }
    self.path = path
    content = .placeholder
    guard !path.isEmpty, let load else { return }
    content = .loading
    load(path)
  }

  /// Takes the answer for a path, unless the view shows another one by now or has already shown
  /// this one.
  ///
  /// An earlier request may be answered later.
  mutating func receive(_ content: Content, for path: String) {
    if path == self.path && !isShown || !checksPaths { self.content = content }
  }

  private var isShown: Bool {
    if case .shown = content { true } else { false }
  }
}

/// A row of the catalog.
struct Place: RecordRepresentable, Hashable {
  var title: String
  var city: String
  var state: String
  var image: String

  static let record = Record(
    Place.init(title:city:state:image:), Field("title", \.title, "The name of the place."),
    Field("city", \.city, "The city."), Field("state", \.state, "The state."),
    Field("image", \.image, "The path of the picture."))
}

/// A place with its picture, in a cell or on a separate screen.
struct PlaceView: ModelView {
  private(set) var title = ""
  private(set) var subtitle = ""
  var picture: ImageView

  mutating func fill(with place: Place) {
    title = place.title
    subtitle = "\(place.city), \(place.state)"
    picture.fill(with: place.image)
  }
}
