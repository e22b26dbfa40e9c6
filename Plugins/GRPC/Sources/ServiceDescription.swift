internal import FlowCore
internal import GRPCCoding
internal import ProtobufCoding

/// A method of a service, with its name in scenarios.
struct CallMethod: Sendable {
  /// The name in scenarios, such as `SayHello`.
  let operation: String
  /// The name on the wire, such as `shop.Greeter/SayHello`.
  let name: String
  let type: MethodType

  /// The path of its requests.
  var path: String { "/" + name }
}

/// The services of flow.lock, with everything that calls need.
struct ServiceDescription: Sendable {
  let schema: ProtobufSchema
  /// The methods, by their services and names.
  let methods: [CallMethod]
  private let byName: [String: CallMethod]

  /// The operations that no method gives its name to.
  static let ownOperations: Set<String> = [
    "open", "send", "finish", "cancel", "exchange", "exchange-send", "piece",
  ]

  /// Reads an entry of flow.lock.
  ///
  /// - Throws: `ProtobufError`.
  init(lock entry: Value) throws {
    schema = try ProtobufSchema(lock: entry).merged(with: StatusDetails.schema())
    let services = (entry["services"]?.map?.entries ?? []).map(\.key.interpolated).sorted()
    var all: [(service: String, method: MethodType)] = []
    for service in services {
      for method in schema.services[service]?.methods ?? [] { all.append((service, method)) }
    }
    let counts = Dictionary(all.map { ($0.method.name, 1) }, uniquingKeysWith: +)
    var methods: [CallMethod] = []
    for (service, method) in all {
      let isOwn = counts[method.name] == 1 && !Self.ownOperations.contains(method.name)
      methods.append(
        CallMethod(
          operation: isOwn ? method.name : Self.longName(service, method.name, services),
          name: "\(service)/\(method.name)", type: method))
    }
    self.methods = methods
    byName = Dictionary(methods.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The name of a method with that of its service, which has its package if another service has the
  /// same name.
  private static func longName(_ service: String, _ method: String, _ services: [String]) -> String
  {
    func short(_ name: String) -> Substring { name.split(separator: ".").last ?? "" }
    let isUnique = services.filter { short($0) == short(service) }.count == 1
    let name =
      isUnique
      ? String(short(service))
      : service.map { $0 == "." ? "-" : $0 }
        .reduce(into: "") { $0.append($1) }
    return "\(name)-\(method)"
  }

  /// Returns a method by its name on the wire, with a slash before it or without.
  func method(_ name: String) -> CallMethod? {
    byName[name.hasPrefix("/") ? String(name.dropFirst()) : name]
  }

  /// Returns a method by its name on the wire, or by that of its operation.
  ///
  /// - Throws: `GRPCError.status` for another name.
  func known(_ name: String) throws(GRPCError) -> CallMethod {
    if let method = method(name) ?? methods.first(where: { $0.operation == name }) { return method }
    throw .status(.unimplemented, "flow.lock has no method '\(name)'", [])
  }

  /// The purpose of the plugin, in one sentence.
  var summary: String {
    let services = Set(methods.map { String($0.name.prefix { $0 != "/" }) }).sorted()
    return "Calls the services " + services.joined(separator: ", ") + " by gRPC."
  }

  /// The operations: one for each method, and those for streams.
  func operations() throws -> [Operation<GRPCServer>] {
    var inputs = MessageValueTypes(schema, isInput: true)
    var outputs = MessageValueTypes(schema, isInput: false)
    let calls = methods.map { method in
      MethodOperation(
        method, schema, input: inputs.type(of: method.type.input),
        output: outputs.type(of: method.type.output)
      ).declared
    }
    return calls + Conversations.operations + PassedCalls.operations
  }
}
