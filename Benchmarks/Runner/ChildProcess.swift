import Foundation

/// Programs run from outside, as a user runs them.
enum ChildProcess {
  struct Failure: Error {
    let command: [String]
    let status: Int32
  }

  /// What a program prints to standard output.
  static func output(_ command: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(command: command, status: process.terminationStatus)
    }
    return String(decoding: data, as: UTF8.self)
  }
}
