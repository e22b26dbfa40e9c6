import Dispatch
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

  /// Feeds the bytes to the target and waits until it is done with them.
  static func feed(_ bytes: [UInt8]) {
    let done = DispatchSemaphore(value: 0)
    Task {
      await target?.feed(bytes)
      done.signal()
    }
    done.wait()
  }
}
