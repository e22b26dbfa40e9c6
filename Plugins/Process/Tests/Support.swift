import FlowCore
import FlowTesting
import Foundation
import Subprocess

@testable import ProcessPlugin

extension OpenComponent {
  /// The answer of `run` without its duration.
  func run(_ input: [String: any FieldValue]) async -> String {
    do { return try await call("run", input).withoutElapsed } catch { return "\(error)" }
  }

  /// The answer of a wait for the program `server`.
  func wait(_ input: [String: any FieldValue]) async -> String {
    await text("wait_for", input.merging(["name": "server"]) { first, _ in first })
  }
}

extension ChildState {
  /// Waits until a source has something, and takes it.
  mutating func takeNext(_ source: SubprocessStreams.Source) {
    for (other, descriptor) in descriptors where other == source {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&polled, 1, -1)
    }
    take(source)
  }
}

extension Value {
  /// An integer of a record.
  func integer(_ name: String) -> Int? {
    guard case .record(let record) = self, case .int(let number)? = record[name] else { return nil }
    return number
  }

  var withoutElapsed: String {
    "\(self)".replacingOccurrences(
      of: #", elapsed: [^,}]*"#, with: "", options: .regularExpression)
  }
}

/// Processes of this machine.
enum Running {
  /// True if a process lives.
  ///
  /// A zombie has ended.
  static func isProcess(_ number: Int32) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
    guard let status, let name = status.lastIndex(of: ")") else { return false }
    return !status[name...].hasPrefix(") Z")
  }

  static func kill(_ number: Int32) { _ = Foundation.kill(number, SIGKILL) }
}

/// Descriptors of this process.
enum Descriptors {
  /// Those by which this process knows the end of another that has ended: each is closed with the pipes beside it.
  ///
  /// Those of processes that go on are other tests', whose processes Foundation watches in the same way.
  static func ofProcesses() throws -> [String] {
    let folder = "/proc/self/fd/"
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + name)
      guard target?.contains("pidfd") == true else { return false }
      // See pidfd_open(2); -1 stands for a process that was waited for.
      let information = try? String(contentsOfFile: "/proc/self/fdinfo/" + name, encoding: .utf8)
      return information?.contains("Pid:\t-1\n") == true
    }
  }
}
