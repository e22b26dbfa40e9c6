internal import FlowSystem
internal import FlowYAML

/// The values of variables in a file of Postman, of an editor or of Bruno, in Postman's form.
struct ImportedEnvironment {
  let values: PlacedJSON

  /// Reads a file, whose name has `#dev` behind it for one of several environments in it.
  ///
  /// - Throws: `ImportError` for a file of another kind, and for an unknown environment.
  init(_ text: String, named name: String) throws(ImportError) {
    if name.hasSuffix(".bru") {
      values = Self.values(
        (try BruFile(text)).blocks.filter { $0.name.hasPrefix("vars") }.flatMap { block in
          block.pairs.filter { !$0.isDisabled }.map { pair in
            .pair(
              pair.name, pair.value, pair.line,
              type: block.name == "vars:secret" ? "secret" : nil)
          }
        })
    } else if name.hasSuffix(".yml") || name.hasSuffix(".yaml") {
      values = try Self.yaml(text)
    } else {
      let json = try PlacedJSON.read(Array(text.utf8))
      if case .array? = json["values"]?.content {
        values = json
      } else {
        values = try Self.editor(json, name.split(separator: "#").dropFirst().last.map(String.init))
      }
    }
  }

  private static func values(_ pairs: [PlacedJSON]) -> PlacedJSON {
    .object(["values": .list(pairs, 1)], 1)
  }

  private static func yaml(_ text: String) throws(ImportError) -> PlacedJSON {
    let node: Node
    do { node = try Node(parsing: Array(text.utf8)) } catch {
      throw ImportError(line: 1, column: 1, message: "\(error)".onOneLine)
    }
    guard let variables = node["variables"] else {
      throw ImportError(line: 1, column: 1, message: "expected an environment with 'variables'")
    }
    return values(
      variables.items.filter { $0["disabled"]?.text != "true" }.map { item in
        .pair(
          item["name"]?.text ?? "", item["value"]?.text ?? "", item.span.start.line,
          type: item["secret"]?.text == "true" ? "secret" : nil)
      })
  }

  /// Returns the values of one environment in `http-client.env.json`, after the shared ones.
  private static func editor(
    _ json: PlacedJSON, _ name: String?
  ) throws(ImportError) -> PlacedJSON {
    let names = json.members.map(\.name).filter { $0 != "$shared" }
    let isKnown = json.members.allSatisfy {
      if case .object = $0.value.content { true } else { false }
    }
    guard isKnown, !names.isEmpty else {
      throw ImportError(
        line: 1, column: 1, message: "expected an environment of Postman, Bruno or an editor")
    }
    guard let chosen = name ?? (names.count == 1 ? names[0] : nil), names.contains(chosen) else {
      throw ImportError(
        line: 1, column: 1,
        message: "choose one of its environments with '#NAME' behind the file: "
          + names.map(\.onOneLine).joined(separator: ", "))
    }
    let members = ["$shared", chosen].flatMap { json[$0]?.members ?? [] }
    let others = members.filter { $0.value.text == nil }.map { member in
      PlacedJSON.text("'\(member.name.onOneLine)' of the environment is not supported", 1)
    }
    let pairs = members.compactMap { member in
      member.value.text.map { PlacedJSON.pair(member.name, $0, member.value.line) }
    }
    return .object(["values": .list(pairs, 1), "leftOut": .list(others, 1)], 1)
  }
}
