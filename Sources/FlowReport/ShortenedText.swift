extension String {
  /// The text, cut to `limit` unicode scalars with an ellipsis.
  func shortened(to limit: Int) -> String {
    // By scalars: one character can be as long as a book.
    let scalars = unicodeScalars
    if scalars.prefix(limit + 1).count <= limit { return self }
    return String(scalars.prefix(limit - 1)) + "…"
  }
}
