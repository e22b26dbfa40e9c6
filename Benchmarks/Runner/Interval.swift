/// The median of samples, and between which values that of all possible samples lies with a confidence of 95 %.
///
/// The bounds are order statistics, whose confidence follows from the binomial distribution whatever the distribution of
/// the samples is (Hahn and Meeker, "Statistical Intervals", 1991, section 5.2). Fewer than six samples cannot give
/// as much: then the bounds are the least and the greatest.
struct Interval: Encodable {
  let low: Double
  let median: Double
  let high: Double

  /// - Precondition: 1 to 1,000 samples, because the probabilities of more are too small for a
  ///   number.
  init(_ samples: [Double]) {
    precondition(1...1_000 ~= samples.count, "the median of \(samples.count) samples")
    let sorted = samples.sorted()
    let count = sorted.count
    median =
      count.isMultiple(of: 2) ? (sorted[count / 2 - 1] + sorted[count / 2]) / 2 : sorted[count / 2]
    let outside = Self.outside(count)
    (low, high) = (sorted[outside], sorted[count - 1 - outside])
  }

  /// The number of sorted samples below the lower bound, the same as above the upper one.
  private static func outside(_ count: Int) -> Int {
    var (term, sum, number) = (1.0, 0.0, 0)
    for _ in 0..<count { term /= 2 }
    // While the median is below the next sample with a probability of at most 2.5 %.
    while sum + term <= 0.025, number < count / 2 {
      sum += term
      number += 1
      term *= Double(count - number + 1) / Double(number)
    }
    return max(0, number - 1)
  }
}
