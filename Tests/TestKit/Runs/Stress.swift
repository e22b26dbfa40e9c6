private import Foundation

/// The number of tries for a fault that is seldom: a few, or many when `FLOW_STRESS` is set.
package enum Stress {
  private static let isFull = ProcessInfo.processInfo.environment["FLOW_STRESS"] != nil

  package static func count(_ few: Int, full: Int) -> Int { isFull ? full : few }
}
