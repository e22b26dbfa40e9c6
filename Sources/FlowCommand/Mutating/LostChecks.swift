internal import FlowCore
internal import FlowReport
internal import FlowTranscript

/// The search for what an earlier version of a suite noticed, and the present one does not.
struct LostChecks: Sendable {
  let comparison: SuiteComparison
  let sources: ComparedSources

  private typealias Place = CallPairs.Place

  /// The values that are not checked any more, in the order of the earlier suite.
  func losses() -> [SuiteLosses.Loss] {
    var losses: [SuiteLosses.Loss] = []
    var positions: [LossKey: Int] = [:]
    for scenario in comparison.changedEarlier {
      let recording = comparison.earlier.version.scenarios[scenario].recording
      for call in recording.calls {
        let place = Place(scenario: scenario, call: call)
        for judged in comparison.earlier.judgements(at: place) where judged.isNoticed {
          guard let reason = reason(judged, at: place) else { continue }
          let key = LossKey(
            value: value(judged, at: place, reason), scenario: scenario, reason: reason,
            place: judged.verdict.place)
          let position = positions[key] ?? losses.count
          if position == losses.count { losses.append(loss(key, judged, at: place)) }
          positions[key] = position
          losses[position].alterations.append(judged.alteration)
        }
      }
    }
    return losses
  }

  /// The values that are checked now, and were not before, in the order of the present suite.
  func gains() -> [SuiteLosses.Gain] {
    var gains: [SuiteLosses.Gain] = []
    for scenario in comparison.changedPresent {
      let recording = comparison.present.version.scenarios[scenario].recording
      for call in recording.calls {
        let place = Place(scenario: scenario, call: call)
        for judged in comparison.present.judgements(at: place)
        where judged.isUsual && judged.isNoticed && isNew(judged, at: place) {
          let gain = SuiteLosses.Gain(
            value: judged.alteration.title, scenario: recording.key,
            noticedBy: judged.verdict.place.map(sources.presentLine))
          let position =
            gains.firstIndex {
              $0.value == gain.value && $0.scenario == gain.scenario
                && $0.noticedBy == gain.noticedBy
            } ?? gains.count
          if position == gains.count { gains.append(gain) }
          gains[position].count += 1
        }
      }
    }
    return gains
  }

  /// What the alterations of one loss have in common.
  private struct LossKey: Hashable {
    let value: String
    let scenario: Int
    let reason: SuiteLosses.Reason
    let place: SourceSpan?
  }

  /// Returns the reason why nothing notices an alteration any more, or nil if something does.
  private func reason(
    _ judged: JudgedVersion.Judged, at place: Place
  ) -> SuiteLosses.Reason? {
    let counterparts = comparison.counterparts(of: place)
    if counterparts.isEmpty { return .notCalled }
    let pair = comparison.pairs.later[place]
    var isThere = false
    for other in counterparts {
      guard let now = comparison.present.judgement(of: judged.alteration.key, at: other) else {
        continue
      }
      // Another call with the same input counts only with the same answer, and if the check has moved
      // there: what it noticed before does not stand for what is lost.
      let isMoved = now.alteration.isSame(as: judged.alteration) && isNew(now, at: other)
      guard other == pair || isMoved else { continue }
      if now.isNoticed { return nil }
      isThere = true
    }
    guard let pair else { return isThere ? .unchecked : .notCalled }
    if isCheckedElsewhere(judged, in: pair, isThere: isThere) { return nil }
    return isThere ? .unchecked : .missing
  }

  /// Returns true if an alteration of another element of the same list is noticed: of the one that has
  /// the value now, or of any if the list has no such element any more.
  private func isCheckedElsewhere(
    _ judged: JudgedVersion.Judged, in pair: Place, isThere: Bool
  ) -> Bool {
    let alteration = judged.alteration
    let now = comparison.present.judgement(of: alteration.key, at: pair)?.alteration
    // The check of a value that has stayed is lost, whatever the others are.
    if let now, now.isSame(as: alteration) { return false }
    return comparison.present.judgements(at: pair).contains {
      $0.isNoticed && $0.alteration.key.ofAnyElement == alteration.key.ofAnyElement
        && (!isThere || $0.alteration.isSame(as: alteration))
    }
  }

  private func isNew(_ judged: JudgedVersion.Judged, at place: Place) -> Bool {
    guard let other = comparison.pairs.earlier[place] else { return true }
    return comparison.earlier.judgement(of: judged.alteration.key, at: other)?.isNoticed != true
  }

  private func value(
    _ judged: JudgedVersion.Judged, at place: Place, _ reason: SuiteLosses.Reason
  ) -> String {
    let recording = comparison.earlier.version.scenarios[place.scenario].recording
    return reason == .notCalled ? recording.title(ofCall: place.call) : judged.alteration.title
  }

  private func loss(
    _ key: LossKey, _ judged: JudgedVersion.Judged, at place: Place
  ) -> SuiteLosses.Loss {
    let scenario = comparison.earlier.version.scenarios[key.scenario]
    var loss = SuiteLosses.Loss(value: key.value, scenario: scenario.key, key.reason)
    loss.noticedBy = key.place.map(sources.earlierLine)
    loss.change = sources.change(
      of: step(at: place, in: comparison.earlier), noticedAt: key.place,
      now: comparison.pairs.later[place].map { step(at: $0, in: comparison.present) })
    return loss
  }

  private func step(at place: Place, in version: JudgedVersion) -> ComparedSources.Step {
    let recording = version.version.scenarios[place.scenario].recording
    return ComparedSources.Step(
      plan: recording.plan, address: recording.address(ofCall: place.call))
  }
}
