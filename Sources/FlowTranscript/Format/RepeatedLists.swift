internal import FlowSystem

/// Writes the lists in an input that repeat those of an earlier call of the same operation.
///
/// A request to a model has the whole conversation so far, so a recording of n of them would have
/// n times n messages. Its line names the earlier call in `like`. In place of elements that are in
/// the same list there it has their first and last place: `[{"$like":"0-5"}, {"role":"user", …}]`.
struct RepeatedLists {
  /// A call, by its address, and its whole input.
  private struct Earlier {
    let at: String
    let input: JSON
  }

  /// An input with places instead of repeated elements.
  struct Shortened {
    /// The address of the call that has the elements, at its last line before.
    let like: String
    let input: JSON
  }

  /// The shortest input that is written otherwise, in bytes.
  private static let shortest = 512
  /// The fewest bytes that another form has to save.
  private static let leastSaving = 256
  /// The earlier calls of an operation that are compared, since several conversations may go on.
  private static let mostEarlier = 8

  private var earlier: [String: [Earlier]] = [:]

  /// Returns an input in the form that is shortest, or nil for its usual one.
  ///
  /// Called with each call in the order of their lines.
  mutating func shortened(_ input: JSON, of operation: String, at address: String) -> Shortened? {
    guard input.lengthInLine(upTo: Self.shortest) >= Self.shortest else {
      // It may be at the address of one that is known.
      earlier[operation]?.removeAll { $0.at.isIdentical(to: address) }
      return nil
    }
    let found = shortest(of: earlier[operation] ?? [], input)
    earlier[operation, default: []].removeAll { $0.at.isIdentical(to: address) }
    earlier[operation, default: []].append(Earlier(at: address, input: input))
    if earlier[operation, default: []].count > Self.mostEarlier {
      earlier[operation]?.removeFirst()
    }
    return found
  }

  private func shortest(of calls: [Earlier], _ input: JSON) -> Shortened? {
    // What looks like a place would be read as one.
    guard !calls.isEmpty, !input.hasPlace else { return nil }
    var best: (saving: Int, Shortened)?
    for call in calls.reversed() {
      var saving = -call.at.utf8.count
      let shorter = input.repeating(call.input, saving: &saving)
      if saving >= Self.leastSaving, saving > best?.saving ?? 0 {
        best = (saving, Shortened(like: call.at, input: shorter))
      }
    }
    return best?.1
  }
}

/// The places of elements in a list of another call: `0-5`.
private struct RepeatedPlace {
  static let name = "$like"

  /// The places, from 0.
  let places: ClosedRange<Int>

  init(_ places: ClosedRange<Int>) { self.places = places }

  /// Reads `{"$like":"0-5"}`, or returns nil for anything else.
  init?(_ json: JSON) {
    guard case .object(let members) = json, members.count == 1, members[0].name == Self.name,
      let ends = members[0].value.string?.split(separator: "-", omittingEmptySubsequences: false),
      ends.count == 2, let first = Self.place(ends[0]), let last = Self.place(ends[1]),
      first <= last
    else { return nil }
    places = first...last
  }

  /// A place in the only way to write it.
  private static func place(_ text: Substring) -> Int? {
    Int(text).flatMap { $0 >= 0 && String($0) == text ? $0 : nil }
  }

  var json: JSON {
    .object([.init(Self.name, .string("\(places.lowerBound)-\(places.upperBound)"))])
  }
}

// MARK: - Writing

extension JSON {
  /// The most elements of two lists that are compared one by one with each other, in pairs.
  private static let mostPairs = 250_000
  /// The fewest bytes of elements in a row that are left to another call.
  private static let leastRepeated = 64

  /// Its approximate length in a line, in bytes, counted no further than a limit.
  fileprivate func lengthInLine(upTo limit: Int = .max) -> Int {
    var length = 0
    add(to: &length, limit)
    return length
  }

  private func add(to length: inout Int, _ limit: Int) {
    if length >= limit { return }
    switch self {
    case .null, .bool: length += 5
    case .number(let text): length += text.utf8.count + 1
    case .string(let text): length += text.utf8.count + 3
    case .array(let elements):
      length += 3
      for element in elements where length < limit { element.add(to: &length, limit) }
    case .object(let members):
      length += 3
      for member in members where length < limit {
        length += member.name.utf8.count + 3
        member.value.add(to: &length, limit)
      }
    }
  }

  /// True if an object in it has the name of a place.
  fileprivate var hasPlace: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.hasPlace)
    case .object(let members):
      members.contains { $0.name == RepeatedPlace.name || $0.value.hasPlace }
    default: false
    }
  }

  /// Returns the value with places of the elements that another value has in a list at the same
  /// place, and adds the bytes that this saves.
  ///
  /// Only lists inside of objects are looked at, so that a place has one meaning.
  fileprivate func repeating(_ other: JSON, saving: inout Int) -> JSON {
    switch (self, other) {
    case (.object(let members), .object(let others)):
      let index = MemberIndex(other)
      if others.isEmpty { return self }
      return .object(
        members.map { member in
          guard let value = index[member.name] else { return member }
          return Member(member.name, member.value.repeating(value, saving: &saving))
        })
    case (.array(let elements), .array(let others)):
      return .array(Self.repeating(elements, others, saving: &saving))
    default: return self
    }
  }

  private static func repeating(
    _ elements: [JSON], _ others: [JSON], saving: inout Int
  ) -> [JSON] {
    let alignment = Alignment(from: elements, to: others, mostPairs: mostPairs, by: ==)
    var (written, start) = ([JSON](), 0)
    while start < elements.count {
      var end = start + 1
      guard let place = alignment.places[start] else {
        written.append(elements[start])
        start = end
        continue
      }
      while end < elements.count, alignment.places[end] == place + end - start { end += 1 }
      let length = elements[start..<end].reduce(0) { $0 + $1.lengthInLine() }
      let shorter = RepeatedPlace(place...place + end - start - 1).json
      if length >= leastRepeated {
        saving += length - shorter.lengthInLine()
        written.append(shorter)
      } else {
        written += elements[start..<end]
      }
      start = end
    }
    return written
  }
}

// MARK: - Reading

/// A line that repeats what no call before it has, or too much of it.
enum RepetitionError: Error {
  /// No line before it has a call at the address.
  case noCall(String)
  /// The list at the place has other elements.
  case noElements(String, count: Int)
  /// The whole line would be too long.
  case tooLong
}

extension JSON {
  /// Takes the address of the call that a line repeats out of it, or nil if it repeats none.
  mutating func takeRepeated() -> String? {
    guard case .object(var members) = self, members.count > 3, members[1].name == "invoke",
      members[2].name == "like", let address = members[2].value.string
    else { return nil }
    members.remove(at: 2)
    self = .object(members)
    return address
  }

  /// Returns the line of a call with the elements of an earlier call's input in their places.
  ///
  /// - Parameters:
  ///   - other: The input of the earlier call.
  ///   - length: The length of the line in bytes, which becomes about that of the whole one.
  /// - Throws: `RepetitionError` when there are no such elements, or the line is longer than
  ///   `LineCursor.longest`.
  /// - Returns: The whole line.
  func completed(by other: JSON, length: inout Int) throws(RepetitionError) -> JSON {
    guard case .object(var members) = self, members.count > 2 else { return self }
    let input = try members[2].value.replacingPlaces(by: other, at: "input", &length)
    members[2] = Member(members[2].name, input)
    return .object(members)
  }

  private func replacingPlaces(
    by other: JSON?, at path: String, _ length: inout Int
  ) throws(RepetitionError) -> JSON {
    switch self {
    case .object(let members):
      let index = MemberIndex(other)
      var whole: [Member] = []
      whole.reserveCapacity(members.count)
      for member in members {
        let value = try member.value.replacingPlaces(
          by: index[member.name], at: "\(path).\(member.name)", &length)
        whole.append(Member(member.name, value))
      }
      return .object(whole)
    case .array(let elements):
      var others: [JSON] = []
      if case .array(let elements)? = other { others = elements }
      return .array(try Self.replacingPlaces(in: elements, by: others, at: path, &length))
    default: return self
    }
  }

  private static func replacingPlaces(
    in elements: [JSON], by others: [JSON], at path: String, _ length: inout Int
  ) throws(RepetitionError) -> [JSON] {
    var whole: [JSON] = []
    for element in elements {
      guard let places = RepeatedPlace(element)?.places else {
        whole.append(element)
        continue
      }
      guard places.upperBound < others.count else {
        throw .noElements(path, count: others.count)
      }
      for place in places {
        others[place].add(to: &length, LineCursor.longest)
        if length >= LineCursor.longest { throw .tooLong }
        whole.append(others[place])
      }
    }
    return whole
  }
}
