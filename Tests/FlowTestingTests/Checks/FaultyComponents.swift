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

/// A number whose written form cannot be read again.
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

/// A component whose record cannot read its own output.
struct Unreadable: Faulty {
  static let answer = Record(EvenAnswer.init(even:), Field("even", \.even, "An even number."))

  static func go(_ context: Context) -> EvenAnswer { EvenAnswer(even: Even(2)) }
}

struct Word: Sendable {
  let text: String
  static let record = Record(Word.init(text:), Field("text", \.text, "A text."))
}

/// A component that throws an undeclared error.
struct Undeclared: Faulty {
  static let answer = Word.record

  static func go(_ context: Context) throws -> Word {
    throw ComponentError(.empty, "nothing there")
  }
}

/// A component with another answer in each run.
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

/// A component that ignores its cancellation.
struct Deaf: Faulty {
  static let answer = Record<Void>.none

  static func go(_ context: Context) async throws {
    try await context.spawn("deaf") { context in try await context.sleep(for: .seconds(3600)) }
      .value
  }
}

/// A component that never ends after its cancellation.
struct Endless: Faulty {
  static let answer = Record<Void>.none

  static func go(_ context: Context) async throws {
    do { try await context.sleep(for: .seconds(60)) } catch {
      // The time of this clock never passes, and the task is never cancelled.
      _ = await Task { try? await VirtualClock().sleep(for: .seconds(1)) }.value
    }
  }
}

/// A component that throws another error for its cancellation.
struct Renaming: Faulty {
  static let answer = Record<Void>.none

  struct Interruption: Error, CustomStringConvertible {
    let description = "interrupted"
  }

  static func go(_ context: Context) async throws {
    do { try await context.sleep(for: .seconds(60)) } catch { throw Interruption() }
  }
}

/// A component that returns an answer after its cancellation.
struct Swallowing: Faulty {
  static let answer = Word.record

  static func go(_ context: Context) async throws -> Word {
    try? await context.sleep(for: .seconds(60))
    return Word(text: "done")
  }
}

/// A component that waits in real time.
struct RealTime: Faulty {
  static let answer = Record<Void>.none

  static func go(_ context: Context) async throws {
    try await ContinuousClock().sleep(for: .milliseconds(300))
  }
}

/// A component that blocks its thread.
struct Blocking: Faulty {
  static let answer = Record<Void>.none

  static func go(_ context: Context) { usleep(300_000) }
}

/// A component that waits in real time and declares it.
struct Outside: Faulty {
  static let answer = Record<Void>.none

  static func go(_ context: Context) async throws {
    try await context.outside { try await ContinuousClock().sleep(for: .milliseconds(300)) }
  }
}

/// A component that counts in memory and declares its state as external.
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

/// A component that writes into a file and declares its state as memory, unseen in its answers.
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

/// A component whose operation has a name that no scenario can write.
struct Misnamed: Component {
  static let plugin = Plugin(
    "faulty", version: "1.0", "Has a fault.", state: .none,
    operations: [Operation("not a name", "Does nothing.", answers: .none) { _, _ in }]
  ) { _ in Misnamed() }
}

/// A component that reports an undeclared event.
struct Secretive: Faulty {
  static let answer = Word.record
  private static let gone = EventKind("gone", "It went.", Word.record)

  static func go(_ context: Context) -> Word {
    context.emit(gone, Word(text: ""))
    return Word(text: "")
  }
}
