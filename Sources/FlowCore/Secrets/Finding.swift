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
  /// The findings by their places, without overlaps: nothing that any of them covers is left.
  func merged() -> [Finding] {
    let sorted = sorted {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
    var chosen: [Finding] = []
    for finding in sorted where finding.range.lowerBound >= chosen.last?.range.upperBound ?? 0 {
      chosen.append(finding)
    }
    if chosen.count == count { return chosen }
    // Of a secret that ends as it begins there are more findings than places, which say nothing new.
    return chosen.joined(with: sorted)
  }

  /// Findings without overlaps, made longer where others cover what they do not; all are in order.
  private func joined(with others: [Finding]) -> [Finding] {
    var result: [Finding] = []
    var first = 0
    for finding in others {
      while first < count, self[first].range.upperBound <= finding.range.lowerBound { first += 1 }
      let isChosen = first < count && self[first].range == finding.range
      if !isChosen, covers(finding.range, from: first) { continue }
      guard var last = result.last, finding.range.lowerBound < last.range.upperBound else {
        result.append(finding)
        continue
      }
      guard finding.range.upperBound > last.range.upperBound else { continue }
      last.range = last.range.lowerBound..<finding.range.upperBound
      if last.parts.last != finding.parts.last { last.parts += finding.parts }
      result[result.count - 1] = last
    }
    return result
  }

  private func covers(_ range: Range<Int>, from first: Int) -> Bool {
    var (end, index) = (range.lowerBound, first)
    while index < count, self[index].range.lowerBound <= end, end < range.upperBound {
      end = self[index].range.upperBound
      index += 1
    }
    return end >= range.upperBound
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
