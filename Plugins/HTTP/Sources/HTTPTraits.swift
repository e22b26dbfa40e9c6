internal import FlowCore

extension ComponentTraits {
  /// Creates the properties of the API that the setting `preset` names, or nil without one.
  ///
  /// - Throws: `ComponentError` for a preset that cannot be used.
  init?(http settings: KnownFields, _ sources: TraitSources) throws {
    if settings.unknown.contains("preset") {
      throw ComponentError(
        .settings, "'preset' cannot have an expression: it is read before the run")
    }
    guard case .string(let setting)? = settings.values["preset"] else { return nil }
    let presets: [NamedPreset]
    do { presets = try NamedPreset.all(named: setting, sources) } catch {
      let reason = (error as? ComponentError)?.message ?? "\(error)"
      throw ComponentError(.settings, "'preset': \(reason)")
    }
    self.init()
    for preset in presets { add(preset, isOnly: presets.count == 1) }
    let usages = ModelUsages(presets)
    let type = HTTPAnswer.record.computing(
      "usage", "The usage of a model, as the preset finds it in the answer. Null without one."
    ) { usages.usage(of: $0) }.type
    outputs = Dictionary(
      uniqueKeysWithValues: Self.requestNames.map { ($0, type) })
    let base: String? =
      if case .string(let base)? = settings.values["base"] { base } else { presets[0].preset.base }
    let known = presets.count == 1 || settings.values["base"] != .null ? base : nil
    meter = { UsageMeter(usages, base: known) }
  }

  /// The operations that send one request of a step.
  private static let requestNames = [
    "request", "get", "head", "post", "put", "patch", "delete", "call",
  ]

  /// Adds those of a preset, which is the only one or one of several for their hosts.
  private mutating func add(_ named: NamedPreset, isOnly: Bool) {
    let preset = named.preset
    unrecorded.append(UnrecordedHeaders(preset.unrecorded, of: isOnly ? nil : preset.hosts))
    let new = preset.lists.map(\.named)
    for name in Self.requestNames + ["exchange"] {
      let known = lists[name] ?? []
      lists[name] = known + new.filter { !known.contains($0) }
    }
    // What varies and the address belong to one API.
    guard isOnly else { return }
    settings = preset.base.map { ["base": .string($0)] } ?? [:]
    environment = preset.environment
    guard let varies = preset.varies else { return }
    var parts = Varying()
    parts.same = named.places(varies.same, under: "varies", "same")
    parts.any = named.places(varies.any, under: "varies", "any")
    varying["exchange"] = parts
    let answer = named.places(varies.answer, under: "varies", "answer")
    for name in Self.requestNames + ["exchange"] { volatile[name] = answer }
  }
}
