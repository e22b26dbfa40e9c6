/// A way from a value to one inside it, printed as `items[3].title`.
public struct FieldPath: Sendable, Hashable {
  /// One step inwards.
  public enum Step: Sendable, Hashable {
    /// To the field or key of this name.
    case field(String)
    /// To the element at this index, from 0.
    case index(Int)
  }

  /// The steps, from the outside in.
  ///
  /// Empty for the value itself.
  public private(set) var steps: [Step]

  /// The path of these steps.
  public init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// True for the value itself.
  public var isEmpty: Bool { steps.isEmpty }

  /// The path one step further in.
  public func appending(_ step: Step) -> FieldPath {
    FieldPath(steps + [step])
  }

  /// Returns the place seen from a value around it.
  public func inside(_ step: Step) -> FieldPath {
    FieldPath([step] + steps)
  }
}

extension FieldPath.Step {
  /// By the bytes of names: `==` of strings takes two forms of one accented letter for one.
  public static func == (left: FieldPath.Step, right: FieldPath.Step) -> Bool {
    switch (left, right) {
    case (.field(let a), .field(let b)): a.isIdentical(to: b)
    case (.index(let a), .index(let b)): a == b
    default: false
    }
  }
}

extension FieldPath: CustomStringConvertible {
  /// Dots before fields, brackets around indices.
  ///
  /// Names are escaped, because they come from files.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .field(let name): text += (text.isEmpty ? "" : ".") + name.escaped
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }
}
