internal import FlowCore

// Each of these goes on after a violation unless the validator is quick, so that all are found.

// MARK: - Objects

extension Validator {
  mutating func checkProperties(
    _ node: Int, _ value: Value, _ properties: Keyword.Properties, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    guard case .map(let map) = value else { return true }
    var (isValid, guess) = (true, 0)
    for (position, entry) in map.entries.enumerated() {
      guard case .string(let name) = entry.key else { continue }
      var isKnown = false
      if let place = properties.names.position(of: name, guess: guess) {
        (isKnown, guess) = (true, place + 1)
        if !(try check(properties.nodes[place], entry.value, at: .field(name))) { isValid = false }
      }
      for (pattern, schema) in properties.patterns where try matches(pattern, name, node) {
        isKnown = true
        if !(try check(schema, entry.value, at: .field(name))) { isValid = false }
      }
      if !isKnown, let other = properties.additional {
        isKnown = true
        let known = properties.names
        if !(try checkOther(node, "additionalProperties", entry.value, name, other, known)) {
          isValid = false
        }
      }
      if isKnown { evaluated.insert(position) }
      if isQuick, !isValid { return false }
    }
    return isValid
  }

  /// Checks a member that no other keyword has named.
  private mutating func checkOther(
    _ node: Int, _ keyword: String, _ value: Value, _ name: String, _ schema: Int,
    _ known: NameTable
  ) throws(SchemaError) -> Bool {
    guard code.nodes[schema].isNever, !isQuick else {
      return try check(schema, value, at: .field(name))
    }
    path.append(.field(name))
    defer { path.removeLast() }
    return fail(node, keyword, value, .unexpected(name, known: known.names))
  }

  mutating func checkNames(
    _ node: Int, _ value: Value, _ names: Int
  ) throws(SchemaError) -> Bool {
    guard case .map(let map) = value else { return true }
    var isValid = true
    for entry in map.entries {
      depth += 1
      var none = Evaluated(isWanted: false)
      let (isAllowed, own) = try branch(names, entry.key, &none)
      depth -= 1
      if isAllowed { continue }
      let reason = own.first.map(Messages.text) ?? ""
      isValid = fail(
        node, "propertyNames", value, .name(entry.key.interpolated, reason), branches: [own])
      if isQuick { return false }
    }
    return isValid
  }

  mutating func checkDependents(
    _ value: Value, _ schemas: [Keyword.Dependent], _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    guard case .map(let map) = value else { return true }
    var isValid = true
    for schema in schemas where map[schema.name] != nil {
      if !(try check(schema.node, value, &evaluated)) { isValid = false }
      if isQuick, !isValid { return false }
    }
    return isValid
  }

  mutating func checkOtherProperties(
    _ node: Int, _ value: Value, _ schema: Int, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    guard case .map(let map) = value else { return true }
    var isValid = true
    for (position, entry) in map.entries.enumerated() where !evaluated.contains(position) {
      let name = entry.key.interpolated
      let isAllowed = try checkOther(
        node, "unevaluatedProperties", entry.value, name, schema, NameTable([]))
      if !isAllowed { isValid = false }
      if isQuick, !isValid { return false }
    }
    evaluated.insertAll()
    return isValid
  }
}

// MARK: - Lists

extension Validator {
  mutating func checkItems(
    _ node: Int, _ value: Value, _ items: Keyword.Items, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    guard case .list(let values) = value else { return true }
    var isValid = true
    if let rest = items.rest, code.nodes[rest].isNever, !isQuick, values.count > items.first.count {
      isValid = fail(node, items.restKeyword, value, .tooMany(items.first.count))
    }
    for (index, element) in values.enumerated() {
      let schema = index < items.first.count ? items.first[index] : items.rest
      guard let schema else { break }
      if !isQuick, index >= items.first.count, code.nodes[schema].isNever { break }
      if !(try check(schema, element, at: .index(index))) { isValid = false }
      if isQuick, !isValid { return false }
    }
    if items.rest != nil { evaluated.insertAll() }
    evaluated.insert(upTo: min(items.first.count, values.count))
    return isValid
  }

  mutating func checkContains(
    _ node: Int, _ value: Value, _ contains: Keyword.Contains, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    guard case .list(let values) = value else { return true }
    var count = 0
    for (index, element) in values.enumerated() {
      guard try allows(part: element, contains.node) else { continue }
      count += 1
      if contains.evaluates { evaluated.insert(index) }
      // With no upper bound, the first matches decide.
      if count >= contains.minimum, contains.maximum == nil, !evaluated.isWanted { return true }
    }
    if count >= contains.minimum, count <= contains.maximum ?? .max { return true }
    let keyword =
      count > contains.maximum ?? .max
      ? "maxContains" : contains.minimum == 1 ? "contains" : "minContains"
    return fail(
      node, keyword, value,
      .contains(count: count, minimum: contains.minimum, maximum: contains.maximum))
  }

  mutating func checkOtherItems(
    _ node: Int, _ value: Value, _ schema: Int, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    guard case .list(let values) = value else { return true }
    var isValid = true
    for (index, element) in values.enumerated() where !evaluated.contains(index) {
      if code.nodes[schema].isNever, !isQuick {
        path.append(.index(index))
        isValid = fail(node, "unevaluatedItems", element, .unexpected("\(index)", known: []))
        path.removeLast()
      } else if !(try check(schema, element, at: .index(index))) {
        isValid = false
      }
      if isQuick, !isValid { return false }
    }
    evaluated.insertAll()
    return isValid
  }
}

// MARK: - The same value

extension Validator {
  mutating func checkAll(
    _ nodes: [Int], _ value: Value, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    var isValid = true
    for node in nodes where !(try check(node, value, &evaluated)) {
      if isQuick { return false }
      isValid = false
    }
    return isValid
  }

  mutating func checkAny(
    _ node: Int, _ value: Value, _ nodes: [Int], _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    var (isValid, branches) = (false, [[Violation]]())
    for branch in nodes {
      let (isMatch, own) = try self.branch(branch, value, &evaluated)
      if isMatch { isValid = true }
      if isMatch, !evaluated.isWanted { return true }
      if !isMatch, !isQuick { branches.append(own) }
    }
    return isValid || fail(node, "anyOf", value, .noBranch, branches: branches)
  }

  mutating func checkOne(
    _ node: Int, _ value: Value, _ nodes: [Int], _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    var (matches, branches) = ([Int](), [[Violation]]())
    for (index, branch) in nodes.enumerated() {
      let (isMatch, own) = try self.branch(branch, value, &evaluated)
      if isMatch { matches.append(index) } else if !isQuick { branches.append(own) }
      if isQuick, matches.count > 1 { return false }
    }
    if matches.count == 1 { return true }
    return matches.isEmpty
      ? fail(node, "oneOf", value, .noBranch, branches: branches)
      : fail(node, "oneOf", value, .severalBranches(matches))
  }

  mutating func checkNot(
    _ node: Int, _ value: Value, _ schema: Int
  ) throws(SchemaError) -> Bool {
    var none = Evaluated(isWanted: false)
    return !(try allows(schema, value, &none)) || fail(node, "not", value, .negated)
  }

  mutating func checkCondition(
    _ value: Value, _ condition: Keyword.Condition, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    let isTrue = try allows(condition.condition, value, &evaluated)
    guard let next = isTrue ? condition.then : condition.otherwise else { return true }
    return try check(next, value, &evaluated)
  }
}
