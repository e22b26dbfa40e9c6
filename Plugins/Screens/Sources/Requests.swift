import FlowCore

/// The roles of other components used by the screens.
enum Roles {
  static let balance = Role(
    "balance", "Provides the balance for the balance screen.", optional: true)
  static let catalog = Role("catalog", "Provides the rows for the catalog screen.", optional: true)
  static let images = Role("images", "Provides the pictures of the rows.", optional: true)
  static let files = Role(
    "files", "Provides the files of the pictures, for drawings.", optional: true)

  static let load = balance.call(
    "load", answers: Record<Decimal>("balance", "The balance."), errors: [.unavailable])
  static let subtract = balance.call(
    "subtract", Parameter<Decimal>("amount", "The amount."),
    answers: Record<Decimal>("balance", "The balance."),
    errors: [.insufficient, .illegal, .unavailable])
  static let changed = balance.event("changed", Record<Decimal>("balance", "The balance."))
  static let page = catalog.call(
    "page", Parameter<Int>("start", "The first row."),
    Parameter<Int>("length", "The maximum number of rows."),
    answers: Record<[Place]>("items", "The rows."), errors: [.illegal, .unavailable])
  static let fetch = images.call(
    "fetch", Parameter<String>("path", "The picture's path."), answers: Picture.record,
    errors: [.missing, .broken, .forbidden, .unavailable])
  static let read = files.call(
    "read", Parameter<String>("path", "The file."),
    Parameter<FileForm>("as", "The format of the file."),
    answers: Record<Bytes?>("bytes", "The content."),
    errors: [
      .missing, .forbidden, .unreadable, .malformed,
      ErrorCode("not_a_file", "The path is not a regular file."),
      ErrorCode("too_large", "The file is too large."),
    ])

  static let uses: [any DeclaredRoleUse] = [load, subtract, changed, page, fetch, read]
}

/// The formats for reading a file.
///
/// The screens read bytes.
enum FileForm: String, CaseIterable, FieldValue {
  case text, json, yaml, csv, bytes
}

extension ErrorCode {
  static let insufficient = ErrorCode("insufficient", "The balance would fall below zero.")
  static let illegal = ErrorCode("illegal", "The request is invalid.")
  static let unavailable = ErrorCode("unavailable", "The component does not respond.")
  static let missing = ErrorCode("missing", "No picture has this path.")
  static let broken = ErrorCode("broken", "The file is not a picture.")
  static let forbidden = ErrorCode("forbidden", "The path leads out of the folder.")
  static let unreadable = ErrorCode("unreadable", "The system denies the operation.")
  static let malformed = ErrorCode("malformed", "The file is malformed.")
}

/// The requests made by views in a turn, which the component starts at its end.
///
/// A view makes a request through a closure and is independent of components, tasks and contexts.
final class Requests {
  /// Rows requested by a screen.
  struct Page {
    let screen: ScreenName
    let start: Int
    let length: Int
    let number: Int
  }

  /// A picture requested by a view, in a cell of a screen.
  struct Picture {
    let screen: ScreenName
    let cell: Int
    let path: String
  }

  private var pages: [Page] = []
  private var pictures: [Picture] = []
  private var last = 0

  /// Returns a number not used before by any request or screen.
  func nextNumber() -> Int {
    last += 1
    return last
  }

  /// Requests rows and returns the request's number.
  func page(_ screen: ScreenName, from start: Int, _ length: Int) -> Int {
    let page = Page(screen: screen, start: start, length: length, number: nextNumber())
    pages.append(page)
    return page.number
  }

  /// Requests the picture of a cell.
  func picture(_ screen: ScreenName, cell: Int, _ path: String) {
    pictures.append(Picture(screen: screen, cell: cell, path: path))
  }

  /// Takes the requests made since the last call.
  func takeAll() -> (pages: [Page], pictures: [Picture]) {
    defer { (pages, pictures) = ([], []) }
    return (pages, pictures)
  }
}
