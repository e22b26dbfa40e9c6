internal import FlowCore
package import FlowExpression
package import FlowPlan

/// Finds the points of a run at which values came about, back to the answers that first had them.
///
/// Nothing is guessed: a point that the run no longer knows is left out.
struct OriginFinder {
  /// The most points of one chain, and of one value in all.
  private static let (mostDepth, mostWidth) = (10, 6)
  private var left = 30
  private var depth = 0

  /// Returns the origin of a variable or its part at a moment, with its value if that is known.
  mutating func origin(
    of read: ValueRead, _ known: Value?, at moment: OriginMoment
  ) -> ValueOrigin {
    left -= 1
    var origin = ValueOrigin(read.text, known ?? moment.value(of: read))
    origin.secret = moment.scenario.secrets.input(behind: read.name)
    if depth >= Self.mostDepth || left < 0 { return origin }
    depth += 1
    defer { depth -= 1 }
    if read.slot.level == 0 { return input(origin, read, moment) }
    guard let block = moment.block(ofLevel: read.slot.level) else { return origin }
    if let loop = block.loop,
      read.slot.index == 0 || read.slot.index == 1 && loop.loop.variable != nil
    {
      return read.slot.index == 0 ? origin : element(origin, read, of: block, loop, moment)
    }
    if let step = PlannedStep.owner(of: read.slot, in: block.steps) {
      return answer(origin, read, of: step, block, moment)
    }
    return variable(origin, read, block, moment)
  }

  /// The origins of the values of which a part of a template was made.
  private mutating func sources(
    of template: Template, at path: FieldPath, _ values: [Value?]?, _ moment: OriginMoment
  ) -> [ValueOrigin] {
    let (part, rest) = template.part(at: path)
    let reads = template.reads
    let known = { (read: ValueRead) in
      values.flatMap { values in
        zip(reads, values).first { $0.0 == read }.flatMap(\.1)
      }
    }
    if let read = part.pureRead, !rest.isEmpty {
      let value = known(read)?.part(at: rest)
      return [origin(of: read.narrowed(to: rest), value, at: moment)]
    }
    return part.reads.prefix(Self.mostWidth).map { origin(of: $0, known($0), at: moment) }
  }

  // MARK: - Kinds of points

  private mutating func variable(
    _ origin: ValueOrigin, _ read: ValueRead, _ block: OriginMoment.Block, _ moment: OriginMoment
  ) -> ValueOrigin {
    let last = moment.lastEntry { $0.slot == read.slot && moment.contains(block, $0.address) }
    guard let last else { return origin }
    let (entry, before) = (moment.scenario.entries[last], moment.moment(of: last))
    guard case .set(let set)? = moment.plan.step(at: before.path)?.action,
      set.assignments.indices.contains(entry.part)
    else { return origin }
    let assignment = set.assignments[entry.part]
    return origin.with(
      .set, at: moment.span(assignment.keyPlace), entry.address,
      in: before.iterations(beside: moment)
    ).made(of: sources(of: assignment.value, at: read.path, entry.values, before))
  }

  private mutating func element(
    _ origin: ValueOrigin, _ read: ValueRead, of block: OriginMoment.Block,
    _ loop: (step: PlannedStep, loop: PlannedLoop), _ moment: OriginMoment
  ) -> ValueOrigin {
    guard case .each(let list) = loop.loop.kind, let number = block.iterations.last else {
      return origin
    }
    let before = moment.start(of: block)
    let path = read.path.inside(.index(number - 1))
    return origin.with(
      .element(number), at: moment.span(list.expressions.first?.place ?? loop.step.place),
      moment.address(of: loop.step.path, before.iterations)
    ).made(of: sources(of: list, at: path, nil, before))
  }

  private mutating func input(
    _ origin: ValueOrigin, _ read: ValueRead, _ moment: OriginMoment
  ) -> ValueOrigin {
    guard let caller = moment.scenario.caller,
      case .record(_, let fields) = caller.scenario.input, read.slot.index < fields.count
    else { return origin }
    let field = fields[read.slot.index]
    let place = field.expressions.first?.place ?? caller.scenario.place
    let name = moment.plan.inputs[read.slot.index].name
    return origin.with(
      .given, at: caller.moment.span(place),
      caller.moment.address(of: caller.moment.path, caller.moment.iterations)
    ).made(
      of: sources(
        of: caller.scenario.input, at: FieldPath([.field(name)] + read.path.steps), caller.values,
        caller.moment))
  }

  private mutating func answer(
    _ origin: ValueOrigin, _ read: ValueRead, of step: PlannedStep, _ block: OriginMoment.Block,
    _ moment: OriginMoment
  ) -> ValueOrigin {
    var origin = origin.with(
      .answer, at: moment.span(step.place), moment.address(of: step.path, block.iterations))
    if step.errorSlot == read.slot { return origin }
    switch step.action {
    case .call(let call): origin.secret = origin.secret ?? call.secret(at: read.path)
    case .loop(let loop): return output(origin, read, of: loop, step, block, moment)
    case .scenario(let scenario):
      return output(origin, read, of: scenario, step, block, moment)
    case .await, .block, .parallel, .set, .assert, .wait: break
    }
    return origin
  }

  /// An output of one iteration of a loop: `steps.rows.price[2]`.
  private mutating func output(
    _ origin: ValueOrigin, _ read: ValueRead, of loop: PlannedLoop, _ step: PlannedStep,
    _ block: OriginMoment.Block, _ moment: OriginMoment
  ) -> ValueOrigin {
    let steps = read.path.steps
    guard steps.count > 1, case .field(let name) = steps[0], case .index(let index) = steps[1],
      let part = loop.outputs.firstIndex(where: { $0.name == name })
    else { return origin }
    let path = moment.scenario.prefix + step.path
    let last = moment.lastEntry {
      $0.address.path == path && $0.slot == nil && $0.part == part
        && $0.address.iterations.starts(with: block.iterations)
        && $0.address.iterations.last.map { $0 - 1 } == index
    }
    guard let last else { return origin }
    let (entry, before) = (moment.scenario.entries[last], moment.moment(of: last))
    let value = loop.outputs[part].value
    return origin.with(
      .output, at: moment.span(value.expressions.first?.place ?? step.place), entry.address,
      in: [index + 1]
    ).made(of: sources(of: value, at: FieldPath(Array(steps.dropFirst(2))), entry.values, before))
  }

  /// An output of an included scenario.
  private mutating func output(
    _ origin: ValueOrigin, _ read: ValueRead, of scenario: PlannedScenario, _ step: PlannedStep,
    _ block: OriginMoment.Block, _ moment: OriginMoment
  ) -> ValueOrigin {
    let path = moment.scenario.prefix + step.path
    let last = moment.lastEntry {
      $0.address.path == path && $0.scenario != nil
        && $0.address.iterations.starts(with: block.iterations)
    }
    guard let last, let ended = moment.scenario.entries[last].scenario,
      case .field(let name)? = read.path.steps.first,
      let part = ended.plan.outputs.firstIndex(where: { $0.name == name })
    else { return origin }
    let entry = moment.scenario.entries[last]
    let inner = OriginScenario(
      ended.plan, prefix: path + "/", iterations: entry.address.iterations, ended.assignments,
      caller: (moment.moment(of: last), scenario, entry.values))
    let end = OriginMoment(
      scenario: inner, path: "", iterations: entry.address.iterations, end: inner.entries.count)
    let value = ended.plan.outputs[part].value
    let rest = FieldPath(Array(read.path.steps.dropFirst()))
    return origin.with(
      .output, at: end.span(value.expressions.first?.place), entry.address
    ).made(of: sources(of: value, at: rest, ended.outputs[part], end))
  }
}

extension OriginScope {
  /// Returns the origins of the variables that an expression reads, in text order.
  ///
  /// Only of those with a value, and only as far as they are known.
  package func origins(of expression: Expression) -> [ValueOrigin] {
    origins(of: expression.reads)
  }

  /// Returns the origins of variables and their parts.
  package func origins(of reads: [ValueRead]) -> [ValueOrigin] {
    var finder = OriginFinder()
    let moment = OriginMoment(self)
    return reads.filter { $0.value(in: activation) != nil }.map {
      finder.origin(of: $0, nil, at: moment)
    }
  }
}

extension PlannedCall {
  /// The name of a secret part of its answers around a place in them, or nil.
  fileprivate func secret(at path: FieldPath) -> String? {
    if case .field(let name)? = path.steps.first,
      operation.description.output.field(name)?.isSecret == true
    {
      return "\(operation.componentName).\(name)"
    }
    return parts.secret.first { $0.isAround(path) }.map { "\(operation.componentName).\($0.field)" }
  }
}

extension ValuePath {
  /// True if a place is this part or inside of it.
  fileprivate func isAround(_ path: FieldPath) -> Bool {
    Self.isAround(path.steps[...], steps[...])
  }

  private static func isAround(
    _ place: ArraySlice<FieldPath.Step>, _ steps: ArraySlice<Step>
  ) -> Bool {
    guard let own = steps.first else { return true }
    let rest = steps.dropFirst()
    // A part of a text is hidden with it.
    if case .part = own { return place.isEmpty }
    if own == .anywhere { return place.indices.contains { isAround(place[$0...], rest) } }
    guard let other = place.first else { return false }
    let isSame =
      switch (own, other) {
      case (.field(let name), .field(let other)): name == other
      case (.index(let index), .index(let other)): index == other
      case (.every, .index): true
      default: false
      }
    return isSame && isAround(place.dropFirst(), rest)
  }
}
