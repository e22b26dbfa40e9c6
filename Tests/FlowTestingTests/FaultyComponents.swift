import FlowCore
import FlowEngine
import Foundation
import Synchronization

/// A component with one operation, `go`, and one fault.
protocol Faulty: Component {
  associatedtype Answer: Sendable
  static var answer: Record<Answer> { get }
  static func go(_ context: Context) async throws -> Answer
  init()
}

extension Faulty {
  static var plugin: Plugin<Self> {
    Plugin(
      "faulty", version: "1.0", "Has a fault.", state: .memory,
      operations: [
        Operation("go", "Does it wrong.", answers: answer) { _, context in try await go(context) }
      ]
    ) { _ in Self() }
  }
}

struct Pair: Sendable {
  let first: Int
  let second: Int
}

/// Its record reads the fields in another order than it writes them.
struct Swapped: Faulty {
  static let answer = Record(
    Pair.init(first:second:), Field("first", \.second, "One."), Field("second", \.first, "Two."))

  static func go(_ context: Context) -> Pair { Pair(first: 1, second: 2) }
}

/// A number that is written as one that it does not read.
struct Even: FieldValue {
  let number: Int
  static let valueType = ValueType.int
  var encoded: Value { .int(number) }

  init(_ number: Int) { self.number = number }

  init(decoding value: Value) throws(DecodeError) {
    guard case .int(let number) = value, number.isMultiple(of: 2) else {
      throw DecodeError(expected: .int, value)
    }
    self.number = number + 1
  }
}

struct EvenAnswer: Sendable {
  let even: Even
}

/// Its record does not read what it writes.
struct Unreadable: Faulty {
  static let answer = Record(EvenAnswer.init(even:), Field("even", \.even, "An even number."))

  static func go(_ context: Context) -> EvenAnswer { EvenAnswer(even: Even(2)) }
}

struct Word: Sendable {
  let text: String
  static let record = Record(Word.init(text:), Field("text", \.text, "A text."))
}

/// It throws an error that it does not declare.
struct Undeclared: Faulty {
  static let answer = Word.record

  static func go(_ context: Context) throws -> Word {
    throw ComponentError(.empty, "nothing there")
  }
}

/// It answers something else in each run.
struct Varying: Faulty {
  static let answer = Word.record
  private static let runs = Mutex(0)

  static func go(_ context: Context) -> Word {
    Word(
      text: runs.withLock { runs in
        runs += 1
        return "\(runs)"
      })
  }
}

/// It does not hear that it is cancelled.
struct Deaf: Faulty {
  static let answer = Record<Void>.none

  static func go(_ context: Context) async throws {
    try await context.spawn("deaf") { context in try await context.sleep(for: .seconds(3600)) }
      .value
  }
}

/// It never ends once it is cancelled.
struct Endless: Faulty {
  static let answer = Record<Void>.none

  static func go(_ context: Context) async throws {
    do { try await context.sleep(for: .seconds(60)) } catch {
      // The time of this clock never passes, and the task is never cancelled.
      _ = await Task { try? await VirtualClock().sleep(for: .seconds(1)) }.value
    }
  }
}

/// It calls a cancellation by another name.
struct Renaming: Faulty {
  static let answer = Record<Void>.none

  struct Interruption: Error, CustomStringConvertible {
    let description = "interrupted"
  }

  static func go(_ context: Context) async throws {
    do { try await context.sleep(for: .seconds(60)) } catch { throw Interruption() }
  }
}

/// It swallows its cancellation.
struct Swallowing: Faulty {
  static let answer = Word.record

  static func go(_ context: Context) async throws -> Word {
    try? await context.sleep(for: .seconds(60))
    return Word(text: "done")
  }
}

/// It waits in real time.
struct RealTime: Faulty {
  static let answer = Record<Void>.none

  static func go(_ context: Context) async throws {
    try await ContinuousClock().sleep(for: .milliseconds(300))
  }
}

/// It blocks its thread.
struct Blocking: Faulty {
  static let answer = Record<Void>.none

  static func go(_ context: Context) { usleep(300_000) }
}

/// It waits in real time and says so.
struct Outside: Faulty {
  static let answer = Record<Void>.none

  static func go(_ context: Context) async throws {
    try await context.outside { try await ContinuousClock().sleep(for: .milliseconds(300)) }
  }
}

/// It counts in memory and says that its state is outside of the process.
actor Forgetful: Component {
  static let plugin = Plugin(
    "faulty", version: "1.0", "Has a fault.", state: .external,
    operations: [
      Operation("go", "Counts.", answers: Record<Int>("count", "The count.")) { counter, _ in
        await counter.count()
      }
    ]
  ) { _ in Forgetful() }

  private var number = 0

  private func count() -> Int {
    number += 1
    return number
  }
}

/// It writes into a file and says that its state is in memory; its answers do not show it.
struct Repeating: Component {
  static let plugin = Plugin(
    "faulty", version: "1.0", "Has a fault.", state: .memory, reaches: [.files],
    operations: [
      Operation("go", "Writes a line.", answers: .none) { _, context in
        try context.directory.append(Array("went\n".utf8), to: "log.txt")
      }
    ]
  ) { _ in Repeating() }
}

/// Its operation has a name that no scenario can write.
struct Misnamed: Component {
  static let plugin = Plugin(
    "faulty", version: "1.0", "Has a fault.", state: .none,
    operations: [Operation("not a name", "Does nothing.", answers: .none) { _, _ in }]
  ) { _ in Misnamed() }
}

/// It reports an event that it does not declare.
struct Secretive: Faulty {
  static let answer = Word.record
  private static let gone = EventKind("gone", "It went.", Word.record)

  static func go(_ context: Context) -> Word {
    context.emit(gone, Word(text: ""))
    return Word(text: "")
  }
}
