extension Page {
  /// Visits the texts of the elements that a selector chooses, in their order.
  ///
  /// `visit` returns false to stop.
  func visit(_ selector: Selector, _ visit: (String) -> Bool) {
    var chosen: [Selector.Part: [Bool]] = [:]
    for alternative in selector.alternatives {
      let elements = elements(of: alternative)
      let others = chosen[alternative.part]
      chosen[alternative.part] = others.map { zip($0, elements).map { $0 || $1 } } ?? elements
    }
    let parts = Self.inOrder(Array(chosen.keys))
    for (index, node) in nodes.enumerated() {
      for part in parts {
        guard let text = text(part, of: index, node, chosen[part] ?? []) else { continue }
        if !visit(text) { return }
      }
    }
  }

  /// The order of the parts of one element.
  private static func inOrder(_ parts: [Selector.Part]) -> [Selector.Part] {
    parts.sorted { first, second in
      switch (first, second) {
      case (.attribute(let name), .attribute(let other)): name < other
      case (.whole, .attribute), (.whole, .text), (.attribute, .text): true
      default: false
      }
    }
  }

  private func text(
    _ part: Selector.Part, of index: Int, _ node: Node, _ chosen: [Bool]
  ) -> String? {
    switch part {
    case .whole: return chosen[index] ? text(of: index) : nil
    case .attribute(let name): return chosen[index] ? attribute(name, of: index) : nil
    case .text:
      guard !node.isElement, let parent = node.parent, chosen[parent] else { return nil }
      return text(of: index)
    }
  }

  // MARK: - Matching

  /// For each node, true if a selector chooses it.
  private func elements(of alternative: Selector.Alternative) -> [Bool] {
    var chosen = nodes.indices.map { matches($0, alternative.first) }
    for (combinator, compound) in alternative.rest {
      let related = related(to: chosen, by: combinator)
      chosen = nodes.indices.map { related[$0] && matches($0, compound) }
    }
    return chosen
  }

  /// For each node, true if it has a relation to one of the chosen elements.
  private func related(to chosen: [Bool], by combinator: Selector.Combinator) -> [Bool] {
    var related: [Bool] = []
    related.reserveCapacity(nodes.count)
    for node in nodes {
      let other =
        switch combinator {
        case .descendant, .child: node.parent
        case .next, .later: node.previous
        }
      // The other one is before the node, so its own relation is known.
      let isRelated =
        switch combinator {
        case .child, .next: other.map { chosen[$0] }
        case .descendant, .later: other.map { chosen[$0] || related[$0] }
        }
      related.append(isRelated ?? false)
    }
    return related
  }

  private func matches(_ index: Int, _ compound: Selector.Compound) -> Bool {
    guard nodes[index].isElement else { return false }
    if let type = compound.type, !name(of: index).utf8.elementsEqual(type.utf8) { return false }
    return compound.conditions.allSatisfy { holds($0, for: index) }
  }

  private func holds(_ condition: Selector.Condition, for index: Int) -> Bool {
    switch condition {
    case .attribute(let name, let test):
      attribute(name, of: index).map { value in
        Selector.Test.caselessAttributes.contains(name)
          ? test.lowered.holds(for: value.lowercased()) : test.holds(for: value)
      } ?? false
    case .place(let place):
      place.progression.contains(
        self.place(of: index, isFromEnd: place.isFromEnd, isOfType: place.isOfType))
    case .empty: isEmpty(index)
    case .not(let compound): !matches(index, compound)
    }
  }
}
