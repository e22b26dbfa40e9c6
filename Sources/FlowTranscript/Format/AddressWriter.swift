internal import FlowCore

extension JSONWriter {
  /// An address as `Address.description` prints it, without making that text: a recording writes two a
  /// call.
  mutating func address(_ address: Address) {
    beginString()
    escaped(address.path)
    escaped("#")
    guard let first = address.iterations.first else {
      escaped("1")
      return endString()
    }
    escaped(String(first))
    for iteration in address.iterations.dropFirst() { escaped("." + String(iteration)) }
    endString()
  }
}
