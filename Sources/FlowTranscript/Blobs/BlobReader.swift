/// Gives the texts of a transcript's bodies, each of which is read once.
struct BlobReader {
  /// How much of a transcript its bodies may be, in bytes; one that is named twice counts twice.
  private static let budget = 1 << 30

  private let folder: BlobFolder
  private let given: [Blob: [UInt8]]
  private var texts: [Blob: String] = [:]
  private var size = 0

  /// Nothing is read yet.
  ///
  /// - Parameters:
  ///   - file: The transcript, whose folder has the bodies.
  ///   - given: Bodies that are in memory already.
  init(beside file: String, given: [Blob: [UInt8]]) {
    folder = BlobFolder(beside: file)
    self.given = given
  }

  /// The string that a body stands for.
  ///
  /// - Throws: `BlobError` when the body cannot be had, is no text where one stands, or is beyond the
  ///   budget.
  mutating func text(of blob: Blob) throws(BlobError) -> String {
    guard blob.size <= Self.budget - size else { throw .beyondBudget(blob) }
    size += blob.size
    if let text = texts[blob] { return text }
    let content = if let content = given[blob] { content } else { try folder.content(of: blob) }
    guard let text = blob.text(content) else { throw BlobError(blob, "is no text") }
    texts[blob] = text
    return text
  }
}
