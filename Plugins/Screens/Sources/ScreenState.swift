import FlowCore

/// The screens.
enum ScreenName: String, CaseIterable, FieldValue {
  case balance
  case catalog
  case place
}

/// The visible state of a screen.
struct ScreenState: Sendable {
  var screen: ScreenName
  var waiting = false
  var label = ""
  var field = ""
  var alert: Alert?
  var problem: String?
  var rows: [Row] = []
  var count = 0
  var offset = 0
  var end = false

  static let record = Record(
    ScreenState.init(screen:waiting:label:field:alert:problem:rows:count:offset:end:),
    Field("screen", \.screen, "Which screen it is."),
    Field(
      "waiting", \.waiting, "Whether it waits for an answer; pictures have waits of their own."),
    Field("label", \.label, "The balance with two decimals; empty until it is known."),
    Field("field", \.field, "What is in the field of the balance screen."),
    Field("alert", \.alert, "What has to be dismissed before anything else is done."),
    Field("problem", \.problem, "Why the last load failed, below the rows."),
    Field("rows", \.rows, "The rows that are seen, wholly or in part, from the top."),
    Field("count", \.count, "How many rows there are, seen or not."),
    Field("offset", \.offset, "How far the rows are scrolled, in points; 0 at the top."),
    Field("end", \.end, "Whether the catalog has no more rows."))

  /// A visible row.
  struct Row: RecordRepresentable {
    var row: Int
    var title: String
    var subtitle: String
    var picture: PictureState
    var path: String
    var width: Int?
    var height: Int?
    var format: String?
    var bytes: Int?
    var problem: String?

    static let record = Record(
      Row.init(row:title:subtitle:picture:path:width:height:format:bytes:problem:),
      Field("row", \.row, "Its number, from 0."),
      Field("title", \.title, "The first line."),
      Field("subtitle", \.subtitle, "The second line: city and state."),
      Field("picture", \.picture, "What is seen of its picture."),
      Field("path", \.path, "The path of the picture that belongs there."),
      Field("width", \.width, "Pixels across; of a shown picture."),
      Field("height", \.height, "Pixels down; of a shown picture."),
      Field("format", \.format, "Its format; of a shown picture."),
      Field("bytes", \.bytes, "The length of its file; of a shown picture."),
      Field("problem", \.problem, "Why a picture is broken."))
  }
}

/// The visible state of a picture.
enum PictureState: String, CaseIterable, FieldValue {
  case placeholder
  case loading
  case shown
  case broken
}

extension ScreenState.Row {
  /// Creates a row from its view.
  init(_ row: Int, _ view: PlaceView) {
    self.init(
      row: row, title: view.title, subtitle: view.subtitle, picture: .placeholder,
      path: view.picture.path)
    switch view.picture.content {
    case .placeholder: picture = .placeholder
    case .loading: picture = .loading
    case .shown(let shown):
      picture = .shown
      (width, height, format, bytes) = (shown.width, shown.height, shown.format, shown.bytes)
    case .broken(let reason):
      picture = .broken
      problem = reason
    }
  }
}

// MARK: - Text

extension ScreenState {
  /// The screen as lines of text, from the top.
  var lines: [String] {
    var lines = [title + (waiting ? " (waiting)" : "")]
    if screen == .balance { lines += [label, "[\(field)]"] }
    lines += rows.map(\.line)
    if let problem { lines.append("! \(problem)") }
    if let alert { lines.append("! \(alert.title): \(alert.message)") }
    return lines
  }

  /// Returns true if a line contains a text.
  func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  /// The line at the top.
  var title: String {
    switch screen {
    case .balance: "Balance"
    case .catalog: "Catalog, \(count) rows" + (end ? ", all" : "")
    case .place: "Place"
    }
  }
}

extension ScreenState.Row {
  /// The row as a line of text.
  var line: String { "\(row): \(title) | \(subtitle) | \(caption)" }

  /// The picture in words.
  var caption: String {
    switch picture {
    case .placeholder: "no picture"
    case .loading: "\(path) loading"
    case .shown: "\(path) \(width ?? 0)x\(height ?? 0)"
    case .broken: "\(path) broken: \(problem ?? "")"
    }
  }
}
