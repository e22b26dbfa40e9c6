internal import FlowRedaction
internal import FlowSystem

/// Lines in their final order, with the placeholders numbered anew.
///
/// Only for runs that hide something: a placeholder in any other run is ordinary text.
struct CanonicalLines {
  private var numbers = CanonicalNumbers()
  /// The bodies with placeholders whose lines are still to come, by their names in those lines.
  private var waiting: [[UInt8]: (blob: Blob, content: [UInt8])] = [:]
  /// The final name of each kept body, by its first name.
  private var named: [[UInt8]: [UInt8]] = [:]
  /// The first bytes of the name of a body in a line.
  private static let beginning = Array(#"{"\#(JSON.blobName)":"#.utf8)

  /// Keeps a body until its line comes, or returns false for a body without placeholders, which is
  /// final.
  mutating func keep(_ blob: Blob, _ content: [UInt8]) -> Bool {
    if PlaceholderNumbers.places(in: content).isEmpty { return false }
    waiting[Array(blob.json.text.utf8)] = (blob, content)
    return true
  }

  /// Returns the next lines of a run that hides something, after their bodies were kept.
  mutating func lines(_ lines: [UInt8], _ store: BlobStore?) throws -> [UInt8] {
    if waiting.isEmpty, named.isEmpty { return numbers.renumbered(lines) }
    var result: [UInt8] = []
    for line in lines.split(separator: 0x0A, omittingEmptySubsequences: false) {
      result += try namingBodies(numbers.renumbered(Array(line)), store) + [0x0A]
    }
    // What follows the last line's end is no line.
    return result.dropLast()
  }

  /// Returns a line with the final names of its bodies, in the order in which the line names them.
  private mutating func namingBodies(_ line: [UInt8], _ store: BlobStore?) throws -> [UInt8] {
    var (result, end) = ([UInt8](), 0)
    // Not inside of strings, whose quotation marks follow backslashes.
    for range in line.ranges(of: Self.beginning) where range.lowerBound >= end {
      let name = line[range.lowerBound...].prefix { $0 != UInt8(ascii: "}") } + [UInt8(ascii: "}")]
      guard let new = try newName(of: Array(name), store) else { continue }
      result += line[end..<range.lowerBound] + new
      end = range.lowerBound + name.count
    }
    return result + line[end...]
  }

  /// Returns the final name of a body, or nil for a body without placeholders.
  private mutating func newName(of name: [UInt8], _ store: BlobStore?) throws -> [UInt8]? {
    guard let (blob, content) = waiting.removeValue(forKey: name) else { return named[name] }
    let canonical = numbers.renumbered(content)
    let new = Blob(of: canonical, blob.form)
    try store?(new, canonical)
    named[name] = Array(new.json.text.utf8)
    return named[name]
  }
}
