internal import FlowCore
internal import FlowOpenAPI

/// Plans the trials of a description's operations from what is known of the service's resources.
struct TrialPlanner: Sendable {
  private let drawers: [CallDrawer]
  private let usual: [[DrawnCall]]
  /// The numbers of the operations in the order of their first requests: what makes a resource comes
  /// before what needs one.
  let order: [Int]

  /// Plans for operations whose requests can be drawn.
  init(_ operations: [OpenAPIOperation]) {
    let all = operations.map(CallDrawer.init)
    drawers = all
    usual = all.map(\.usual)
    order = Self.order(of: drawers, usual)
  }

  var operations: [OpenAPIOperation] { drawers.map(\.operation) }

  /// The operations of which no request was found.
  var undrawn: [String] {
    zip(drawers, usual).filter { $1.isEmpty }.map(\.0.operation.name)
  }

  /// Sorts the operations with usual requests: by the number of parameters in the path, then by what
  /// they do, and deletes last.
  private static func order(of drawers: [CallDrawer], _ usual: [[DrawnCall]]) -> [Int] {
    let weights = ["POST": 0, "PUT": 1, "GET": 2, "HEAD": 3, "PATCH": 4]
    let keys = drawers.enumerated().map { index, drawer in
      let operation = drawer.operation
      let count = operation.parameters.count { $0.place == .path }
      return [operation.method == "DELETE" ? .max : count, weights[operation.method] ?? 5, index]
    }
    return drawers.indices.filter { !usual[$0].isEmpty }
      .sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
  }

  // MARK: - Trials of one operation

  /// The first usual request of an operation, behind the calls that it needs.
  func first(_ index: Int, _ known: KnownResources) -> Trial? {
    usual[index].first.map { Trial(behind($0, known)) }
  }

  /// The trials of an operation with few requests: other usual ones, those of credentials, of deletes
  /// and of methods.
  func special(_ index: Int, _ known: KnownResources) -> [Trial] {
    usual[index].dropFirst().map { writing(behind($0, known), known) }
      + closed(index, known) + creation(index, known) + deletion(index, known)
      + otherMethod(index, known)
  }

  /// The trials with one change in a request.
  func changed(_ index: Int, _ known: KnownResources) -> [Trial] {
    guard let call = usual[index].last else { return [] }
    let calls = behind(call, known)
    guard let linked = calls.last else { return [] }
    let variants = drawers[index].changed(linked).map { (call: $0, isAllowed: $0.isAllowed) }
    let alike = Dictionary(grouping: variants) { $0.call.change?.place ?? "" }
    return variants.map { variant, isAllowed in
      var trial = writing(Array(calls.dropLast()) + [variant], known)
      let own = trial.reads?.write ?? trial.creation?.create ?? trial.calls.count - 1
      let change = variant.change
      let others = (alike[change?.place ?? ""] ?? []).filter { $0.isAllowed == isAllowed }
        .map(\.call).prefix { $0.change?.text != change?.text }
      trial.alternatives = (own, Array(others))
      if !isAllowed {
        if change?.isUsuallyAccepted == false { trial.forbidden = own }
      } else if change?.isBound == true {
        trial.promised = own
      }
      return trial
    }
  }

  /// Some calls one after the other, of operations at one resource, with up to two changes each that
  /// the description allows.
  func walk(_ known: KnownResources, _ random: inout SeededGenerator) -> Trial? {
    guard let start = order.randomElement(using: &random), let first = usual[start].last else {
      return nil
    }
    var calls = behind(first, known)
    guard let anchor = calls.popLast() else { return nil }
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      let index = order.randomElement(using: &random) ?? start
      guard let other = usual[index].randomElement(using: &random),
        let call = read(other, like: anchor)
      else { continue }
      calls.append(varied(call, drawers[index], &random))
    }
    return calls.isEmpty ? nil : Trial(calls)
  }

  private func varied(
    _ call: DrawnCall, _ drawer: CallDrawer, _ random: inout SeededGenerator
  ) -> DrawnCall {
    var call = call
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let place = call.change?.place
      let others = drawer.changed(call).filter { $0.change?.place != place }
      guard var next = others.randomElement(using: &random), next.isAllowed else { continue }
      if let first = call.change, let second = next.change {
        next.change = DrawnCall.Change(
          place: second.place, others: first.others + [first.place],
          text: "\(second.text), \(first.place) \(first.text)")
      }
      call = next
    }
    return call
  }

  /// The call behind the calls that make its resources.
  private func behind(_ call: DrawnCall, _ known: KnownResources) -> [DrawnCall] {
    let way = known.way(to: call.operation, body: call.body)
    var call = call
    for index in call.arguments.indices {
      guard let argument = way.arguments[call.arguments[index].parameter.name],
        call.arguments[index].parameter.place == .path
      else { continue }
      (call.arguments[index].value, call.arguments[index].link) = (argument.value, argument.link)
    }
    call.bodyLinks = way.bodyLinks
    return way.calls + [call]
  }

  // MARK: - Reads around a write

  /// The calls, with a read of the resource before and after a write at their end, or with a read of
  /// what an allowed write makes.
  private func writing(_ calls: [DrawnCall], _ known: KnownResources) -> Trial {
    if let trial = making(calls, known) { return trial }
    guard let write = calls.last, ["POST", "PUT", "PATCH", "DELETE"].contains(write.method),
      let read = read(of: write)
    else { return Trial(calls) }
    var trial = Trial(Array(calls.dropLast()) + [read, write, read])
    trial.reads = Trial.Reads(
      before: calls.count - 1, write: calls.count, after: calls.count + 1)
    return trial
  }

  /// The calls with a read of what the last one makes, or nil if it is not allowed or makes nothing.
  private func making(_ calls: [DrawnCall], _ known: KnownResources) -> Trial? {
    guard let write = calls.last, write.method == "POST", write.credentials == .given,
      write.isAllowed
    else { return nil }
    for (index, drawer) in drawers.enumerated() where drawer.operation.method == "GET" {
      guard known.maker(of: drawer.operation)?.name == write.name, let first = usual[index].first,
        var read = behind(first, known).last
      else { continue }
      // The way has the calls that are in front of the write here.
      read.renumber { _ in calls.count - 1 }
      for place in read.arguments.indices {
        let name = read.arguments[place].parameter.name
        if let own = write.arguments.first(where: { $0.parameter.name == name && $0.link != nil }) {
          read.arguments[place] = own
        }
      }
      var trial = Trial(calls + [read])
      trial.creation = Trial.Creation(create: calls.count - 1, read: calls.count)
      return trial
    }
    return nil
  }

  /// The read of the resource that a call changes: at its path, or at the nearest one around it.
  private func read(of write: DrawnCall) -> DrawnCall? {
    var path = write.operation.path
    while !path.isEmpty {
      if let index = drawers.firstIndex(where: {
        $0.operation.method == "GET" && $0.operation.path == path
      }) {
        return usual[index].first.flatMap { read($0, like: write) }
      }
      path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
    return nil
  }

  /// A read with the same path's arguments as another call, or nil if it needs others.
  private func read(_ read: DrawnCall, like write: DrawnCall) -> DrawnCall? {
    var read = read
    for index in read.arguments.indices where read.arguments[index].parameter.place == .path {
      let name = read.arguments[index].parameter.name
      guard let own = write.arguments.first(where: { $0.parameter.name == name }) else {
        return nil
      }
      (read.arguments[index].value, read.arguments[index].link) = (own.value, own.link)
    }
    return read
  }

  /// A read of what the call before it has made.
  private func creation(_ index: Int, _ known: KnownResources) -> [Trial] {
    let operation = drawers[index].operation
    guard operation.method == "GET", let call = usual[index].first,
      let maker = known.maker(of: operation)
    else { return [] }
    var trial = Trial(behind(call, known))
    let read = trial.calls.count - 1
    guard read > 0, let create = trial.calls[read].arguments.compactMap(\.link?.call).max(),
      trial.calls[create].name == maker.name
    else { return [] }
    trial.creation = Trial.Creation(create: create, read: read)
    return [trial]
  }

  // MARK: - Deletes

  /// A read, the delete, and the same read again, and other calls after the delete.
  private func deletion(_ index: Int, _ known: KnownResources) -> [Trial] {
    let operation = drawers[index].operation
    guard operation.method == "DELETE", let call = usual[index].first, known.hasMade(operation)
    else { return [] }
    let calls = behind(call, known)
    guard let delete = calls.last else { return [] }
    var trials: [Trial] = []
    for (other, drawer) in drawers.enumerated() {
      let path = drawer.operation.path
      guard path == operation.path || path.hasPrefix(operation.path + "/"),
        let first = usual[other].first, let use = self.read(first, like: delete)
      else { continue }
      guard drawer.operation.method == "GET" else {
        trials.append(Trial(calls + [use]))
        continue
      }
      var trial = Trial(Array(calls.dropLast()) + [use, delete, use])
      trial.deletion = Trial.Deletion(
        before: calls.count - 1, delete: calls.count, read: calls.count + 1)
      trials.append(trial)
    }
    return trials
  }

  // MARK: - Credentials and methods

  private func closed(_ index: Int, _ known: KnownResources) -> [Trial] {
    guard drawers[index].operation.needsCredentials, let call = usual[index].first else {
      return []
    }
    let calls = behind(call, known)
    return [DrawnCall.Credentials.none, .wrong].map { credentials in
      var copy = calls
      copy[copy.count - 1].credentials = credentials
      var trial = writing(copy, known)
      trial.reads.map { trial.calls[$0.before].credentials = .given }
      trial.reads.map { trial.calls[$0.after].credentials = .given }
      trial.closed = trial.reads?.write ?? copy.count - 1
      return trial
    }
  }

  /// A method that the path does not have.
  private func otherMethod(_ index: Int, _ known: KnownResources) -> [Trial] {
    let operation = drawers[index].operation
    let own = operations.filter { $0.path == operation.path }
    // Once for each path.
    guard own.first?.method == operation.method, let call = usual[index].first,
      let method = ["PATCH", "PUT", "POST", "DELETE"].first(where: { name in
        !own.contains { $0.method == name }
      })
    else { return [] }
    var calls = behind(call, known)
    calls[calls.count - 1].method = method
    var trial = Trial(calls)
    trial.forbidden = calls.count - 1
    return [trial]
  }
}
