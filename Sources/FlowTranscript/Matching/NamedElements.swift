internal import FlowCore
internal import FlowSystem

/// The changes of a list whose elements have names, such as the messages of a conversation.
///
/// Equal elements belong together wherever they are, so that one more of them changes no other one.
struct NamedElements {
  /// The most elements that are compared one by one with each other, in pairs.
  private static let mostPairs = 250_000
  /// The longest name of an element in words, in characters.
  private static let longestName = 40

  private let list: NamedList
  private let recorded: [JSON]
  private let now: [JSON]

  init(_ list: NamedList, _ recorded: [JSON], _ now: [JSON]) {
    (self.list, self.recorded, self.now) = (list, recorded, now)
  }

  /// The places of an element, of which one may be nil.
  private struct Pair {
    let recorded: Int?
    let now: Int?
  }

  /// The changes, in the order of the lists.
  ///
  /// `change` returns those of one element that both lists have, at its path.
  func changes(
    at path: String, _ change: (JSON?, JSON?, _ path: String) -> [FieldChange]
  ) -> [FieldChange] {
    pairs.flatMap { pair -> [FieldChange] in
      let (old, new) = (pair.recorded.map { recorded[$0] }, pair.now.map { now[$0] })
      let (place, elements) =
        if let number = pair.now { (number, now) } else { (pair.recorded ?? 0, recorded) }
      let element = "\(path)[\(place)]"
      let words = words(of: elements[place], place, in: elements)
      return change(old, new, element).map { $0.named(words, behind: element) }
    }
  }

  /// The elements that are not the same, each with the one that it may have been.
  private var pairs: [Pair] {
    let alignment = Alignment(from: recorded, to: now, mostPairs: Self.mostPairs, by: ==)
    var (pairs, start, next) = ([Pair](), 0, 0)
    for (place, other) in alignment.places.enumerated() {
      guard let other else { continue }
      pairs += self.pairs(start..<place, next..<other)
      (start, next) = (place + 1, other + 1)
    }
    return pairs + self.pairs(start..<recorded.count, next..<now.count)
  }

  /// Pairs what is between two elements that are the same: those with equal names, and those left
  /// over if there are as many of both.
  private func pairs(_ old: Range<Int>, _ new: Range<Int>) -> [Pair] {
    var (pairs, old, new) = ([Pair](), old, new)
    while let first = old.first, let second = new.first {
      let isSame = names(of: recorded[first]) == names(of: now[second])
      if isSame || old.count == new.count {
        pairs.append(Pair(recorded: first, now: second))
        (old, new) = (old.dropFirst(), new.dropFirst())
      } else if old.count > new.count {
        pairs.append(Pair(recorded: first, now: nil))
        old = old.dropFirst()
      } else {
        pairs.append(Pair(recorded: nil, now: second))
        new = new.dropFirst()
      }
    }
    return pairs + old.map { Pair(recorded: $0, now: nil) }
      + new.map { Pair(recorded: nil, now: $0) }
  }

  // MARK: - Words

  /// The names that an element has itself.
  private func names(of element: JSON) -> [String] {
    list.names.flatMap { element.texts(at: $0.split(separator: ".")) }
  }

  /// The element in words: `message 7 (tool, search)`.
  private func words(of element: JSON, _ place: Int, in elements: [JSON]) -> String {
    var names: [String] = []
    for name in list.names {
      for text in element.texts(at: name.split(separator: ".")) {
        let shown = elements[...place].name(ofID: text) ?? text
        if !names.contains(shown) { names.append(shown) }
      }
    }
    let shown = names.map { $0.shortened(to: Self.longestName).escaped }
    let number = "\(list.element) \(place + 1)"
    return shown.isEmpty ? number : "\(number) (\(shown.joined(separator: ", ")))"
  }
}

extension JSON {
  /// The members that give something an id, to which other elements refer.
  private static let idNames = ["id", "call_id"]

  /// The strings in the members of a path, in which `[*]` stands for every element of a list.
  fileprivate func texts(at path: [Substring]) -> [String] {
    guard let first = path.first else { return string.map { [$0] } ?? [] }
    let isList = first.hasSuffix("[*]")
    guard let value = self[String(isList ? first.dropLast(3) : first)] else { return [] }
    let rest = Array(path.dropFirst())
    guard isList else { return value.texts(at: rest) }
    guard case .array(let elements) = value else { return [] }
    return elements.flatMap { $0.texts(at: rest) }
  }

  /// The name of the part with an id, or nil if there is none.
  ///
  /// A call of a tool has the id and the name, and its result has the id alone.
  fileprivate func name(ofID id: String) -> String? {
    switch self {
    case .array(let elements): return elements[...].name(ofID: id)
    case .object(let members):
      if members.contains(where: { Self.idNames.contains($0.name) && $0.value.string == id }),
        let name = firstName
      {
        return name
      }
      return members.lazy.compactMap { $0.value.name(ofID: id) }.first
    default: return nil
    }
  }

  /// The first name in an object or in the objects of its members.
  private var firstName: String? {
    guard case .object(let members) = self else { return nil }
    return self["name"]?.string ?? members.lazy.compactMap(\.value.firstName).first
  }
}

extension ArraySlice<JSON> {
  fileprivate func name(ofID id: String) -> String? { lazy.compactMap { $0.name(ofID: id) }.first }
}

extension NamedList {
  /// The list of a value that is at this place.
  func inside(_ place: String) -> NamedList {
    NamedList("\(place).\(path)", element: element, names: names)
  }
}
