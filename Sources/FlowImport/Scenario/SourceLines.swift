/// The numbers of lines in several files, counted through all of them.
struct SourceLines: Sendable {
  private var files: [(start: Int, name: String)] = []
  private var count = 0

  /// Adds a file, and returns the number of lines before it.
  mutating func add(_ name: String, count lines: Int) -> Int {
    files.append((count, name))
    defer { count += lines }
    return count
  }

  /// Returns the file of a line and its number there, or nil without files.
  func place(of line: Int) -> (file: String, line: Int)? {
    // The last file that starts before the line.
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      if files[middle].start < line { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    return (files[low - 1].name, line - files[low - 1].start)
  }
}
