internal import FlowCore

/// The spans of a trace that have not ended, by their addresses.
struct RunningSpans {
  /// The steps, and the iterations with cases.
  var steps: [Address: Int] = [:]
  /// The calls, which may have the address of their step.
  var calls: [Address: Int] = [:]

  /// Returns the innermost span around a starting one.
  func parent(of kind: RunTrace.Span.Kind, _ address: Address) -> Int? {
    switch kind {
    case .step: return step(around: address)
    case .iteration: return iterated(at: address)
    case .call, .wait, .report: break
    }
    if case .report = kind, let call = calls[address] { return call }
    var place = address.caller
    while let caller = place {
      if let call = calls[caller] { return call }
      place = caller.caller
    }
    let own = Address(path: address.path, iterations: address.iterations)
    return steps[own] ?? step(around: own)
  }

  /// Returns the running loop of an iteration, or nil.
  func iterated(at address: Address) -> Int? {
    var iterations = address.iterations
    while iterations.popLast() != nil {
      if let index = steps[Address(path: address.path, iterations: iterations)] { return index }
    }
    return nil
  }

  /// Returns the step with another one in its blocks, in any iteration.
  func step(around address: Address) -> Int? {
    var path = address.path.utf8[...]
    while let slash = path.lastIndex(of: UInt8(ascii: "/")) {
      path = path[..<slash]
      let outer = String(Substring(path))
      var iterations = address.iterations
      while true {
        if let index = steps[Address(path: outer, iterations: iterations)] { return index }
        if iterations.popLast() == nil { break }
      }
    }
    return nil
  }
}
