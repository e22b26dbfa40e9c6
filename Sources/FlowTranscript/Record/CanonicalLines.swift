internal import FlowRedaction
internal import FlowSystem

/// Lines in their final order, in which what is hidden is counted anew.
///
/// For runs that hide something: what looks like a placeholder in other runs is a text.
struct CanonicalLines {
  private var numbers = CanonicalNumbers()
  /// The bodies with something hidden in them whose lines are still to come, under what names them there.
  private var waiting: [[UInt8]: (blob: Blob, content: [UInt8])] = [:]
  /// What names those that were kept, under what named them.
  private var named: [[UInt8]: [UInt8]] = [:]
  /// How what names a body begins.
  private static let beginning = Array(#"{"\#(Blob.name)":"#.utf8)

  /// Keeps a body until its line comes; false for one without anything hidden, which is final.
  mutating func keep(_ blob: Blob, _ content: [UInt8]) -> Bool {
    if PlaceholderNumbers.places(in: content).isEmpty { return false }
    waiting[Array(blob.json.text.utf8)] = (blob, content)
    return true
  }

  /// The next lines of a run that hides something; their bodies are kept before.
  mutating func lines(_ lines: [UInt8], _ store: BlobStore?) throws -> [UInt8] {
    if waiting.isEmpty, named.isEmpty { return numbers.renumbered(lines) }
    var result: [UInt8] = []
    for line in lines.split(separator: 0x0A, omittingEmptySubsequences: false) {
      result += try namingBodies(numbers.renumbered(Array(line)), store) + [0x0A]
    }
    // What follows the last line's end is no line.
    return result.dropLast()
  }

  /// A line that names its bodies by what they are in the recording, in the order in which they stand there.
  private mutating func namingBodies(_ line: [UInt8], _ store: BlobStore?) throws -> [UInt8] {
    var (result, end) = ([UInt8](), 0)
    // In no text, whose quotation marks have backslashes before them.
    for range in line.ranges(of: Self.beginning) where range.lowerBound >= end {
      let name = line[range.lowerBound...].prefix { $0 != UInt8(ascii: "}") } + [UInt8(ascii: "}")]
      guard let new = try newName(of: Array(name), store) else { continue }
      result += line[end..<range.lowerBound] + new
      end = range.lowerBound + name.count
    }
    return result + line[end...]
  }

  /// What a body is called in the recording; nil for one in which nothing is hidden.
  private mutating func newName(of name: [UInt8], _ store: BlobStore?) throws -> [UInt8]? {
    guard let (blob, content) = waiting.removeValue(forKey: name) else { return named[name] }
    let canonical = numbers.renumbered(content)
    let new = Blob(of: canonical, blob.form)
    try store?(new, canonical)
    named[name] = Array(new.json.text.utf8)
    return named[name]
  }
}
