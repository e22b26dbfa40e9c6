package import FlowCore

/// A part of an answer with a description of its values.
package struct DescribedPart: Sendable {
  private let path: FieldPath
  private let values: any DescribedValues

  /// Creates a description of the part at a place in the answer.
  package init(_ path: FieldPath, _ values: any DescribedValues) {
    (self.path, self.values) = (path, values)
  }

  /// Returns the other forms that the description allows in an answer, by their places in it.
  package func forms(in answer: Value) -> [FieldPath: [OtherForm]] {
    guard let part = answer.part(at: path) else { return [:] }
    let forms = values.otherForms(of: part)
    return Dictionary(
      forms.map { (FieldPath(path.steps + $0.key.steps), $0.value) }, uniquingKeysWith: { $1 })
  }
}

extension Expectation {
  /// The parts of the expected answer that a schema describes.
  package var describedParts: [DescribedPart] {
    if case .output(let matcher) = self { matcher.describedParts(at: FieldPath()) } else { [] }
  }
}

extension ExpectedValue {
  fileprivate func describedParts(at path: FieldPath) -> [DescribedPart] {
    switch self {
    case .equal, .condition: []
    case .schema(let schema, let rest):
      [DescribedPart(path, schema.values)] + (rest?.describedParts(at: path) ?? [])
    case .written(let matcher, _): matcher.describedParts(at: path)
    case .fields(let type, let fields):
      fields.flatMap {
        $0.matcher.describedParts(at: path.appending(.field(type.field(at: $0.index).name)))
      }
    case .entries(let entries):
      entries.flatMap { $0.matcher.describedParts(at: path.appending(.field($0.key))) }
    case .elements(let matchers):
      matchers.enumerated().flatMap { $1.describedParts(at: path.appending(.index($0))) }
    }
  }
}
