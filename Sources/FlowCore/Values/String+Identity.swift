extension String {
  /// Equality of scalars, as CEL and the transcript's bytes have it; `==` would fold canonical
  /// equivalents such as `é` and `e` with a combining accent.
  package func isIdentical(to other: String) -> Bool {
    // The cheap comparison first: it tells almost every pair of unequal strings apart.
    self == other && utf8.elementsEqual(other.utf8)
  }
}
