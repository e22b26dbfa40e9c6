/// A typical failure of an operation, which `flow explore --faults` tries.
///
///     Operation("charge", "Takes money.", …)
///       .failing(Receipt.record, [
///         .error("refused", "The bank cannot be reached.", .unreachable),
///         .lost("reset", "The money is taken, and the answer is lost.", .unreachable),
///         .answer("busy", "The bank has no time.", Receipt(status: "busy")),
///       ])
public struct Fault<Output: Sendable>: Sendable {
  /// A name with letters, digits and dashes, unique among the faults of the operation.
  public let name: String
  /// Its meaning, in one sentence.
  public let summary: String
  fileprivate let effect: Effect
  /// Returns true for the inputs with which it can happen.
  fileprivate var applies: @Sendable (Value) -> Bool = { _ in true }

  fileprivate enum Effect: Sendable {
    case error(ErrorCode)
    case lost(ErrorCode)
    case answer(@Sendable (Value) -> Output?)
    case changed(@Sendable (Output, Value) -> Output)
    case late(Duration)
  }

  private init(_ name: String, _ summary: String, _ effect: Effect) {
    (self.name, self.summary, self.effect) = (name, summary, effect)
  }

  /// An error in place of the call, which does not reach the component.
  public static func error(_ name: String, _ summary: String, _ code: ErrorCode) -> Fault {
    Fault(name, summary, .error(code))
  }

  /// An error in place of the answer, after the component has done what it was called for.
  public static func lost(_ name: String, _ summary: String, _ code: ErrorCode) -> Fault {
    Fault(name, summary, .lost(code))
  }

  /// An answer in place of the call, which does not reach the component.
  public static func answer(_ name: String, _ summary: String, _ answer: Output) -> Fault {
    Fault(name, summary, .answer { _ in answer })
  }

  /// An answer in place of the call that depends on the input.
  public static func answer<Input: Sendable>(
    _ name: String, _ summary: String, of input: Record<Input>,
    _ answer: @escaping @Sendable (Input) -> Output
  ) -> Fault {
    Fault(name, summary, .answer { (try? input.decode($0)).map(answer) })
  }

  /// The answer of the component, changed.
  ///
  /// A component that calls the operation in a role may read some fields only. The others are then
  /// zero, empty or null in the answer to change. An answer that stays the same is no failure.
  public static func changed(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (Output) -> Output
  ) -> Fault {
    Fault(name, summary, .changed { answer, _ in change(answer) })
  }

  /// The answer of the component, changed in a way that depends on the input.
  ///
  /// The rest is as above.
  public static func changed<Input: Sendable>(
    _ name: String, _ summary: String, of input: Record<Input>,
    _ change: @escaping @Sendable (Output, Input) -> Output
  ) -> Fault {
    Fault(
      name, summary,
      .changed { answer, given in
        (try? input.decode(given)).map { change(answer, $0) } ?? answer
      })
  }

  /// A call that reaches the component after a span of the run's time.
  public static func late(_ name: String, _ summary: String, by span: Duration) -> Fault {
    Fault(name, summary, .late(span))
  }

  /// Returns the failure of the calls with some inputs only, such as those of a tool.
  ///
  /// - Parameters:
  ///   - input: The record that the operation takes.
  ///   - holds: Returns true for the inputs with which it can happen.
  /// - Returns: The failure, to be listed in its place.
  public func only<Input: Sendable>(
    _ input: Record<Input>, when holds: @escaping @Sendable (Input) -> Bool
  ) -> Fault {
    var copy = self
    copy.applies = { (try? input.decode($0)).map(holds) ?? false }
    return copy
  }
}

/// A typical failure without the type of the answer.
package struct FaultDescription: Sendable {
  /// Its effect on a call.
  package enum Effect: Sendable {
    /// An error without a call.
    case error(ErrorCode)
    /// A call, and an error in place of its answer.
    case lost(ErrorCode)
    /// An answer to an input without a call, or nil for an input that does not fit.
    case answer(@Sendable (_ input: Value) -> Value?)
    /// A call, and a change of its answer for its input, or nil if the answer stays the same.
    case changed(@Sendable (_ answer: Value, _ input: Value) -> Value?)
    /// A call after a span.
    case late(Duration)
  }

  /// The name, unique among the faults of the operation.
  package let name: String
  /// The effect.
  package let effect: Effect
  /// Returns true for the inputs of the operation with which it can happen.
  package let applies: @Sendable (Value) -> Bool

  init<Output>(_ fault: Fault<Output>, _ output: Record<Output>) {
    name = fault.name
    applies = fault.applies
    effect =
      switch fault.effect {
      case .error(let code): .error(code)
      case .lost(let code): .lost(code)
      case .answer(let answer): .answer { answer($0).map(output.encode) }
      case .changed(let change):
        .changed { answer, input in
          // An answer that does not fit was written by hand, and stays as it is.
          guard let model = try? output.decode(answer.completed(as: .record(output.type))) else {
            return nil
          }
          let changed = output.encode(change(model, input))
          return changed == output.encode(model) ? nil : changed
        }
      case .late(let span): .late(span)
      }
  }
}

extension Value {
  /// The value of a type, of whose records it may lack fields that a role does not read.
  fileprivate func completed(as type: ValueType) -> Value {
    switch (type, self) {
    case (.record(let type), .record(let record)) where record.type !== type:
      .record(
        RecordValue(
          type,
          type.fields.map { field in
            record[field.name]?.completed(as: field.type) ?? field.type.zero
          }))
    case (.list(let type), .list(let values)): .list(values.map { $0.completed(as: type) })
    case (.map(let type), .map(let map)):
      .map(ValueMap(map.entries.map { ($0.key.interpolated, $0.value.completed(as: type)) }))
    case (.optional(let type), _): self == .null ? self : completed(as: type)
    default: self
    }
  }
}

extension Operation {
  /// Returns the operation with its typical failures.
  ///
  /// `flow explore --faults` tries these, one call and one failure at a time, in place of all
  /// declared errors. With an empty list it tries none.
  ///
  /// - Parameters:
  ///   - output: The record that the operation answers with.
  ///   - faults: The failures, whose error codes the operation declares.
  /// - Returns: The operation, to be listed in its place.
  /// - Precondition: The names differ, and the codes are among the operation's errors.
  public func failing<Output: Sendable>(
    _ output: Record<Output>, _ faults: [Fault<Output>]
  ) -> Operation {
    let described = faults.map { FaultDescription($0, output) }
    for (index, fault) in described.enumerated() {
      precondition(Address.Call.isLane(fault.name), "'\(fault.name)' is not the name of a fault")
      precondition(
        !described.prefix(index).contains { $0.name == fault.name },
        "the fault '\(fault.name)' is declared twice")
      switch fault.effect {
      case .error(let code), .lost(let code):
        precondition(
          description.errors.contains(code),
          "'\(description.name)' does not declare the error '\(code.name)' of a fault")
      case .answer, .changed, .late: break
      }
    }
    return with(faults: described)
  }
}
