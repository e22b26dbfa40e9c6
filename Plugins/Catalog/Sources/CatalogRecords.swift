import FlowCore

/// One row of the catalog.
struct Item: RecordRepresentable, Hashable {
  var title: String
  var city: String
  var state: String
  var image: String

  static let record = Record(
    Item.init(title:city:state:image:),
    Field("title", \.title, "The name of the place."),
    Field("city", \.city, "The city that it is in or near."),
    Field("state", \.state, "The state that the city is in."),
    Field("image", \.image, "The path of its picture."))
}

/// What `page` answers.
struct Page: Sendable, Hashable {
  var items: [Item]
  var total: Int
  var end: Bool

  static let record = Record(
    Page.init(items:total:end:),
    Field("items", \.items, "The rows that exist, in file order; may be empty."),
    Field("total", \.total, "How many rows the catalog has."),
    Field("end", \.end, "Whether no row follows this page."))
}
