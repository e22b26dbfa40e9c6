internal import FlowCore

extension Value {
  /// The name of the value's type as `type()` answers with it.
  var typeName: String {
    switch self {
    case .null: "null_type"
    case .timestamp: "google.protobuf.Timestamp"
    case .duration: "google.protobuf.Duration"
    case .optional: "optional_type"
    default: kindName
    }
  }
}
