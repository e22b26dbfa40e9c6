import Foundation

/// How often a test tries what goes wrong seldom: a few times, or often when `FLOW_STRESS` is set.
enum Stress {
  private static let isFull = ProcessInfo.processInfo.environment["FLOW_STRESS"] != nil

  static func count(_ few: Int, full: Int) -> Int { isFull ? full : few }
}
