/// The tags of the core schema, and how a node's meaning follows from them.
enum CoreTag: UInt8 {
  case string, int, float, bool, null, map, seq

  /// Finds the tag for libyaml's resolved form; nil for a tag that is not of the core schema.
  ///
  /// The non-specific tag `!` says no more than the node's kind, which makes a scalar a string.
  init?(_ tag: String, on kind: Node.Kind) {
    switch (tag, kind) {
    case ("tag:yaml.org,2002:str", _), ("!", .scalar): self = .string
    case ("tag:yaml.org,2002:int", _): self = .int
    case ("tag:yaml.org,2002:float", _): self = .float
    case ("tag:yaml.org,2002:bool", _): self = .bool
    case ("tag:yaml.org,2002:null", _): self = .null
    case ("tag:yaml.org,2002:map", _), ("!", .mapping): self = .map
    case ("tag:yaml.org,2002:seq", _), ("!", .sequence): self = .seq
    default: return nil
    }
  }

  /// The tag as people write it.
  var shorthand: String {
    switch self {
    case .string: "!!str"
    case .int: "!!int"
    case .float: "!!float"
    case .bool: "!!bool"
    case .null: "!!null"
    case .map: "!!map"
    case .seq: "!!seq"
    }
  }

  /// The kind of node that the tag may stand on.
  var kind: Node.Kind {
    switch self {
    case .string, .int, .float, .bool, .null: .scalar
    case .map: .mapping
    case .seq: .sequence
    }
  }

  /// Reads a scalar as this tag demands; nil when the text does not fit the tag.
  func scalar(reading text: ArraySlice<UInt8>) -> Scalar? {
    let plain = Scalar(plain: text)
    switch (self, plain) {
    case (.string, _): return .string
    case (.int, .int), (.int, .bigInt), (.float, .float), (.bool, .bool), (.null, .null):
      return plain
    // Every decimal integer also matches the schema's expression for floats.
    case (.float, .int), (.float, .bigInt): return Scalar.float(spelling: text)
    default: return nil
    }
  }
}
