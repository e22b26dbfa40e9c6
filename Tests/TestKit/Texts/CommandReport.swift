extension String {
  /// The command's own report in the complete document of a verdict, as a line, or the document
  /// without one.
  package var commandReport: String {
    guard hasSuffix("}\n"), let start = firstRange(of: #","report":"#)?.upperBound else {
      return self
    }
    return self[start...].dropLast(2) + "\n"
  }
}
