import FlowCore

/// A choice in a `select` by the labels of its options.
struct Choice: Sendable {
  let labels: [String]

  /// - Throws: `BrowserError.noLabel` unless one of both is given.
  init(label: String?, labels: [String]?) throws(BrowserError) {
    switch (label, labels) {
    case (let label?, nil): self.labels = [label]
    case (nil, let labels?): self.labels = labels
    default: throw .noLabel
    }
  }

  /// Chooses these options and no others.
  ///
  /// - Throws: `BrowserError`.
  func make(
    _ selector: String, in session: DriverSession, _ context: Context
  ) async throws {
    let target = try await Target(selector, forTyping: true, in: session, context)
    let answer = try await session.run(
      Script.choose,
      [DriverSession.reference(target.element), .list(labels.map { .string($0) })], context)
    guard answer != .null else { return }
    if let label = answer["missing"]?.text {
      let known = answer["known"]?.elements?.compactMap(\.text) ?? []
      throw BrowserError.noOption(selector, label, known: known)
    }
    if let obstacle = answer["obstacle"]?.text { throw BrowserError.blocked(selector, obstacle) }
    throw BrowserError.rejected(answer["held"]?.text ?? "")
  }
}

extension Script {
  /// Chooses the options of a `select` by their labels as its user would, and returns null, or what
  /// prevents it.
  static let choose = """
    const [e, labels] = arguments
    const plain = text => text.replace(/\\s+/g, ' ').trim()
    if (e.localName !== 'select') return {obstacle: 'it is not a select'}
    if (!e.multiple && labels.length !== 1) return {obstacle: 'it takes a single choice'}
    const options = Array.from(e.options)
    const wanted = new Set()
    for (const label of labels) {
      const option = options.find(o => plain(o.label) === plain(label))
      if (!option) return {missing: label, known: options.slice(0, 20).map(o => plain(o.label))}
      if (option.matches(':disabled')) return {obstacle: `the option '${label}' is disabled`}
      wanted.add(option)
    }
    const isChosen = () => options.every(o => o.selected === wanted.has(o))
    if (isChosen()) return null
    e.focus()
    for (const o of options) o.selected = wanted.has(o)
    for (const name of ['input', 'change']) e.dispatchEvent(new Event(name, {bubbles: true}))
    if (isChosen() || !e.isConnected) return null
    return {held: 'chosen is ' + options.filter(o => o.selected).map(o => `'${plain(o.label)}'`)}
    """
}
