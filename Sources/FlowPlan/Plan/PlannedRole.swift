package import FlowCore

/// A component in a role of another one of the same scenario.
public struct PlannedRole: Sendable {
  /// The role's name.
  public let name: String
  /// The position of its component among the plan's, from 0.
  public let component: Int
  /// The calls made of it, by the requirement's name.
  package let calls: [String: PlannedRoleCall]
  /// The events followed, by the event's name.
  package let events: [String: PlannedRoleEvent]
  /// The properties that follow from the settings of its component.
  package let traits: ComponentTraits

  package init(
    name: String, component: Int, calls: [String: PlannedRoleCall],
    events: [String: PlannedRoleEvent], traits: ComponentTraits
  ) {
    self.traits = traits
    self.name = name
    self.component = component
    self.calls = calls
    self.events = events
  }
}

extension Plan {
  /// The events, by their names, that components follow which pass on requests from outside of the
  /// run.
  package var eventsFollowedOutside: Set<String> {
    let components = allComponents.filter { component in
      component.plugin.roles.contains(where: \.isFromOutside)
    }
    return Set(components.flatMap(\.roles).flatMap { $0.events.values.map(\.reference.name) })
  }
}

/// An event that a component follows.
package struct PlannedRoleEvent: Sendable {
  /// The event of the component in the role.
  package let reference: EventReference
  private let payload: RecordType

  /// Creates a fitting event, or throws the first misfit.
  package init(_ requirement: RoleRequirement, _ event: EventReference) throws(RoleMisfit) {
    reference = event
    payload = try requirement.read(of: event.description.payload)
  }

  /// Returns the read fields of a report.
  package func payload(of report: Value) -> Value { report.projected(to: .record(payload)) }
}

/// An operation that one component calls of another.
///
/// The fields that the caller passes and reads cross the boundary and are recorded. They have the
/// marks of the operation's fields, such as being secret.
package final class PlannedRoleCall: Sendable {
  /// The operation of the component in the role.
  package let operation: OperationReference
  /// The passed fields.
  package let inputType: RecordType
  /// The read fields.
  package let outputType: RecordType
  /// The parts that vary.
  package let varying: VaryingParts
  /// `server.exchange`.
  package var name: String { requirement.name }
  /// True if the calls are requests from outside of the run, at moments that no step determines.
  package var isFromOutside: Bool { requirement.isFromOutside }

  /// True if the calls read on for a request from outside, as long as its sender does.
  package var continuesRequest: Bool { requirement.continuesRequest }
  /// True if the calls mean nothing outside of their caller.
  package var isInternal: Bool { requirement.isInternal }
  /// The requirement in the caller's plugin.
  fileprivate let requirement: RoleRequirement
  /// True if the passed value has the fields of `inputType` in their form already, and lacks only
  /// their marks.
  private let givesAll: Bool
  /// True if the caller reads all fields of the operation's answer.
  private let readsAll: Bool
  /// The positions of the operation's input fields among the passed ones, or nil for a default.
  private let inputIndices: [Int?]

  /// Creates a fitting call, or throws the first misfit.
  package init(
    _ requirement: RoleRequirement, _ operation: OperationReference,
    varying: VaryingParts = VaryingParts()
  ) throws(RoleMisfit) {
    let (input, output) = (operation.description.input, operation.description.output)
    var inputs: [RecordType.Field] = []
    for given in requirement.input.fields {
      guard let field = input.field(given.name) else { throw .unknownInput(given.name) }
      guard given.type.canBeGiven(as: field.type) else {
        throw .inputType(field.name, given.type, field.type)
      }
      inputs.append(field)
    }
    let given = RecordType(inputs)
    for field in input.fields where field.isRequired && given.index(of: field.name) == nil {
      throw .missingInput(field.name, field.type)
    }
    let read = try requirement.read(of: output)
    for code in operation.description.errors where !requirement.errors.contains(code) {
      throw .unhandledError(code.name)
    }
    self.operation = operation
    // Where a role has all of it, nothing is laid out anew.
    inputType = given == input ? input : given
    outputType = read == output ? output : read
    self.requirement = requirement
    self.varying = varying
    givesAll = requirement.input.isFlat && requirement.input == given
    readsAll = requirement.output.isFlat && requirement.output == read
    inputIndices = input.fields.map { given.index(of: $0.name) }
  }

  /// The passed fields, as `inputType` has them.
  package func given(_ value: Value) -> Value {
    if givesAll, case .record(let record) = value, record.type === requirement.input {
      return .record(RecordValue(inputType, record.values))
    }
    // Inner records may leave out fields with defaults.
    return (try? value.converted(to: .record(inputType))) ?? value
  }

  /// The whole input of the operation.
  package func input(_ value: Value) -> Value {
    let type = operation.description.input
    guard inputType !== type, case .record(let given) = value else { return value }
    return .record(
      RecordValue(
        type,
        zip(type.fields, inputIndices).map { field, index in
          index.map { given.values[$0] } ?? field.defaultValue ?? .null
        }))
  }

  /// Returns the fields of the operation's answer that the caller reads.
  package func answer(_ value: Value) -> Value {
    value.projected(to: .record(outputType))
  }

  /// An answer in the caller's terms.
  package func read(_ answer: Value) -> Value {
    guard readsAll, case .record(let record) = answer, record.type === outputType else {
      return answer
    }
    return .record(RecordValue(requirement.output, record.values))
  }
}

extension [PlannedRoleCall] {
  /// The call that fulfils a requirement, or nil.
  package func first(answering requirement: RoleRequirement) -> PlannedRoleCall? {
    // A plugin nearly always has one object for it.
    first { $0.requirement === requirement } ?? first { $0.requirement.name == requirement.name }
  }
}

extension RecordType {
  /// True without records inside, whose values carry their types.
  fileprivate var isFlat: Bool { !fields.contains { $0.type.holdsRecords } }
}

extension ValueType {
  fileprivate var holdsRecords: Bool {
    switch self {
    case .record: true
    case .list(let type), .map(let type), .optional(let type): type.holdsRecords
    default: false
    }
  }
}

extension RoleRequirement {
  /// The fields of an answer or a payload that are read.
  ///
  /// Throws the first misfit.
  fileprivate func read(of offered: RecordType) throws(RoleMisfit) -> RecordType {
    for read in output.fields {
      guard let field = offered.field(read.name) else { throw .missingAnswer(read.name, kind) }
      guard field.type.canBeRead(as: read.type) else {
        throw .answerType(read.name, read.type, field.type, kind)
      }
    }
    return offered.projected(to: output)
  }
}

/// The difference between an operation or event and the requirement of a role.
package enum RoleMisfit: Error {
  case unknownInput(String)
  case missingInput(String, ValueType)
  case inputType(String, ValueType, ValueType)
  case missingAnswer(String, RoleRequirement.Kind)
  case answerType(String, ValueType, ValueType, RoleRequirement.Kind)
  case unhandledError(String)

  /// The problem of the operation or event, to follow its name.
  package var message: String {
    switch self {
    case .unknownInput(let name): "has no input '\(name)', but the role passes it"
    case .missingInput(let name, let type):
      "needs '\(name)' (\(type)), but the role does not pass it"
    case .inputType(let name, let given, let type):
      "expects '\(name)' to be \(type), but the role passes \(given)"
    case .missingAnswer(let name, let kind):
      "does not \(kind == .event ? "carry" : "answer") '\(name)', but the role needs it"
    case .answerType(let name, let type, let offered, let kind):
      "\(kind == .event ? "carries" : "answers") '\(name)' as \(offered), but the role needs \(type)"
    case .unhandledError(let code):
      "may fail with the error '\(code)', but the role does not handle it"
    }
  }
}

extension ValueType {
  /// True if values of the type can be passed as another.
  ///
  /// Records may leave out fields with defaults.
  fileprivate func canBeGiven(as other: ValueType) -> Bool {
    fits(other) { given, asked in
      given.fields.allSatisfy { field in
        asked.field(field.name).map { field.type.canBeGiven(as: $0.type) } ?? false
      } && asked.fields.allSatisfy { !$0.isRequired || given.index(of: $0.name) != nil }
    }
  }

  /// True if values of the type can be read as another.
  ///
  /// Records may have more fields.
  fileprivate func canBeRead(as other: ValueType) -> Bool {
    fits(other) { offered, read in
      read.fields.allSatisfy { field in
        offered.field(field.name).map { $0.type.canBeRead(as: field.type) } ?? false
      }
    }
  }

  /// True if every value of the type is one of another.
  ///
  /// `records` compares two different records.
  private func fits(_ other: ValueType, _ records: (RecordType, RecordType) -> Bool) -> Bool {
    switch (self, other) {
    case (_, .dynamic), (.enumeration, .string): true
    case (.enumeration(let some), .enumeration(let all)): some.allSatisfy(all.contains)
    case (.list(let a), .list(let b)), (.map(let a), .map(let b)),
      (.optional(let a), .optional(let b)):
      a.fits(b, records)
    case (_, .optional(let wrapped)): fits(wrapped, records)
    case (.record(let a), .record(let b)): a === b || records(a, b)
    default: self == other
    }
  }
}

extension RecordType {
  /// Returns the fields shared with another type, with their marks here.
  fileprivate func projected(to other: RecordType) -> RecordType {
    RecordType(
      other.fields.compactMap { read in
        field(read.name).map { field in
          var copy = field
          copy.type = field.type.projected(to: read.type)
          return copy
        }
      })
  }
}

extension ValueType {
  fileprivate func projected(to other: ValueType) -> ValueType {
    switch (self, other) {
    case (.record(let a), .record(let b)): .record(a.projected(to: b))
    case (.list(let a), .list(let b)): .list(a.projected(to: b))
    case (.map(let a), .map(let b)): .map(a.projected(to: b))
    case (.optional(let a), .optional(let b)): .optional(a.projected(to: b))
    case (_, .optional(let b)): projected(to: b)
    default: self
    }
  }
}

extension Value {
  /// The value with the fields of a projected type alone.
  fileprivate func projected(to type: ValueType) -> Value {
    switch (type, self) {
    case (.record(let type), .record(let record)) where record.type === type: self
    case (.record(let type), .record(let record)) where record.type.hasFieldNames(of: type):
      .record(
        RecordValue(
          type, zip(type.fields, record.values).map { $1.projected(to: $0.type) }))
    case (.record(let type), .record(let record)):
      .record(
        RecordValue(
          type,
          type.fields.map { field in
            let index = record.type.index(of: field.name)
            return index.map { record.values[$0].projected(to: field.type) } ?? .null
          }))
    case (.list(let type), .list(let values)): .list(values.map { $0.projected(to: type) })
    case (.map(let type), .map(let map)):
      .map(ValueMap(map.entries.map { ($0.key.interpolated, $0.value.projected(to: type)) }))
    case (.optional(let type), _): projected(to: type)
    default: self
    }
  }
}
