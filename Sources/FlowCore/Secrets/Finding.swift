/// A stretch of a text that must not be seen, and what stands in its place.
struct Finding: Sendable {
  /// A piece of what stands in its place.
  enum Part: Sendable, Hashable {
    case text([UInt8])
    case placeholder(Placeholder)

    var bytes: [UInt8] {
      switch self {
      case .text(let bytes): bytes
      case .placeholder(let placeholder): Array(placeholder.text.utf8)
      }
    }
  }

  /// The stretch, in bytes.
  var range: Range<Int>
  /// What stands in its place, in order.
  var parts: [Part]

  init(_ range: Range<Int>, _ parts: [Part]) {
    self.range = range
    self.parts = parts
  }
}

extension [Finding] {
  /// The findings by their places, those that overlap made one: nothing that any of them covers is left.
  func merged() -> [Finding] {
    let sorted = sorted {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
    var result: [Finding] = []
    for finding in sorted {
      guard let last = result.last, finding.range.lowerBound < last.range.upperBound else {
        result.append(finding)
        continue
      }
      if finding.range.upperBound <= last.range.upperBound { continue }
      var whole = last
      whole.range = last.range.lowerBound..<finding.range.upperBound
      if whole.parts.last != finding.parts.last { whole.parts += finding.parts }
      result[result.count - 1] = whole
    }
    return result
  }

  /// The text with what stands in the findings' places; they are merged.
  func replacing(in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var end = 0
    for finding in self {
      result += bytes[end..<finding.range.lowerBound]
      for part in finding.parts { result += part.bytes }
      end = finding.range.upperBound
    }
    return result + bytes[end...]
  }
}
