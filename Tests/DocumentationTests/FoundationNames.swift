import FlowCore
import Foundation

typealias Operation = FlowCore.Operation
typealias Decimal = FlowCore.Decimal

/// A component in a module that imports Foundation, too: the names that both have are FlowCore's.
struct Meter: Component {
  static let plugin = Plugin(
    "meter", version: "1.0", "Reads a meter.", state: .none,
    operations: [
      Operation("read", "Reads it.", answers: value) { meter, _ in meter.reading }
    ]
  ) { _ in Meter() }

  static let value = Record<Decimal>("value", "What it shows.")

  // Of Foundation.
  private let locale = Locale(identifier: "en_US_POSIX")

  var reading: Decimal { Decimal("12.50") ?? .zero }
}
