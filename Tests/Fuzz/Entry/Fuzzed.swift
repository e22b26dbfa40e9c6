import FuzzTargets

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The target of this process; a C callback cannot capture it.
enum Fuzzed {
  private static let target = unsafe getenv("FLOW_FUZZ").flatMap {
    unsafe FuzzTarget(rawValue: String(cString: $0))
  }

  /// Whether FLOW_FUZZ names a target.
  static var isChosen: Bool { target != nil }

  static func feed(_ bytes: [UInt8]) { target?.feed(bytes) }
}
