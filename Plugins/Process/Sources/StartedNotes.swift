import FlowCore
private import FlowProcess
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Notes about started programs, for a resumed run to find those left by a killed process.
///
/// They are in a file of the user and not in the journal, which may continue on another machine or
/// after a reboot: process numbers mean nothing there. A temporary folder is lost just when they
/// lose their meaning.
///
/// No actor: the tasks that wait for programs call it outside of the run's time, and an actor that they
/// are about to leave would take the run's own call along to their thread. Time would pass meanwhile.
final class StartedNotes: Sendable {
  private struct State {
    var notes: NotesFile?
    var orphans: [(note: Note, orphan: Orphan)] = []
    /// The programs, by their names in the scenario or the keys of their calls.
    var programs: [String: Child] = [:]

    mutating func takeOrphans(_ isTaken: (Note) -> Bool = { _ in true }) -> [Orphan] {
      let taken = orphans.filter { isTaken($0.note) }
      orphans.removeAll { isTaken($0.note) }
      return taken.map(\.orphan)
    }
  }

  /// The name of the file: a digest of the run, the component and the scenario's folder.
  private let file: String
  private let state: Mutex<State>

  /// Creates the notes of a component being opened, and reads existing ones.
  init(of context: Context) {
    let folder = unsafe realpath(context.directory.path, nil)
    defer { unsafe free(folder) }
    let place = unsafe folder.map { unsafe String(cString: $0) } ?? context.directory.path
    let key = context.idempotencyKey + "\0" + place
    file = [1, 2].map { Self.digits(Self.digest(key, seed: $0)) }.joined()
    let notes = NotesFile(file, isNew: false)
    let orphans = (notes?.lines ?? []).compactMap { line -> (note: Note, orphan: Orphan)? in
      guard let note = Note(line), let orphan = Orphan(note.identity) else { return nil }
      return (note, orphan)
    }
    state = Mutex(State(notes: notes, orphans: orphans))
  }

  /// Ends programs left by a killed process, only those of a name in the scenario if one is given.
  func endOrphans(named name: String? = nil, _ context: Context) async {
    let digest = name.map(Self.digest)
    let ending = state.withLock { state in
      state.takeOrphans { digest == nil || $0.name == digest }
    }
    for orphan in ending {
      await context.outside { await orphan.end() }
      context.log(
        "ended a program that the killed process of this run left running: \(orphan.text)")
    }
  }

  /// Notes a program, in place of an earlier one of the name.
  func add(_ child: Child, named name: String) {
    state.withLock { state in
      state.programs[name] = child
      write(&state)
    }
  }

  /// Forgets a program.
  func remove(named name: String) {
    state.withLock { state in
      if state.programs.removeValue(forKey: name) != nil { write(&state) }
    }
  }

  private func write(_ state: inout State) {
    if state.notes == nil { state.notes = NotesFile(file, isNew: true) }
    let running = state.programs.filter { $0.value.result == nil }.compactMap { name, child in
      Note(child.pid, name: Self.digest(name))
    }
    state.notes?.write((state.orphans.map(\.note) + running).map(\.line))
  }

  /// Ends leftover programs and removes the file.
  func close() async {
    for orphan in state.withLock({ $0.takeOrphans() }) { await orphan.end() }
    state.withLock { $0.notes.take() }?.remove()
  }

  private static func digest(_ name: String) -> UInt64 { digest(name, seed: 0) }

  private static func digest(_ text: String, seed: UInt64) -> UInt64 {
    var generator = SeededGenerator(seed: seed, label: text)
    return generator.next()
  }

  private static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A noted program.
private struct Note: Sendable {
  /// An identity that no other process ever has.
  let identity: String
  /// A digest of the program's name in the scenario, since the name may be a secret.
  let name: UInt64

  /// The number of characters of an identity in a line.
  private static let width = Int(FLOW_IDENTITY)

  /// Creates a note, or nil for an ended process and on systems without identities.
  init?(_ pid: Int32, name: UInt64) {
    var text = [CChar](repeating: 0, count: Self.width)
    guard unsafe flow_process_identity(pid, &text, text.count) else { return nil }
    identity = String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.name = name
  }

  /// Parses a line, or returns nil if it is damaged.
  init?(_ line: Substring) {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard parts.count == 2, let name = UInt64(parts[1], radix: 16) else { return nil }
    identity = parts[0].split(separator: " ").joined(separator: " ")
    self.name = name
  }

  /// The note as a line.
  ///
  /// All lines have the same length.
  var line: String {
    let padding = String(repeating: " ", count: max(0, Self.width - identity.utf8.count))
    let digits = String(name, radix: 16)
    return identity + padding + "\t" + String(repeating: "0", count: 16 - digits.count) + digits
      + "\n"
  }
}

/// A locked file of notes.
private final class NotesFile: Sendable {
  private let name: String
  private let file: Int32

  /// The most bytes to read, enough for two thousand programs.
  private static let longest = 300_000

  /// Opens a file, or returns nil if it cannot be opened.
  ///
  /// That is a missing file if `isNew` is false, a file locked by another process, or one refused
  /// by the system. Programs left by a killed process are then only named, not ended.
  init?(_ name: String, isNew: Bool) {
    file = unsafe flow_notes_open(name, isNew)
    if file < 0 { return nil }
    self.name = name
  }

  /// The lines of the file.
  var lines: [Substring] {
    let bytes = unsafe [CChar](unsafeUninitializedCapacity: Self.longest) { bytes, count in
      count = unsafe flow_notes_read(file, bytes.baseAddress, bytes.count)
    }
    return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: "\n")
  }

  /// Replaces the lines.
  ///
  /// On failure, only the cleanup after a kill is lost.
  func write(_ lines: [String]) {
    let text = lines.joined()
    _ = unsafe text.withCString { unsafe flow_notes_write(file, $0, text.utf8.count) }
  }

  /// Removes the file.
  ///
  /// The object closes it.
  func remove() { unsafe flow_notes_remove(name, file) }

  deinit { flow_close(file) }
}

/// A running program left by a killed process, certain to be the noted one.
private final class Orphan: Sendable {
  /// The program as `python3, pid 42`.
  let text: String
  private let identity: String
  private let leader: Int32

  private static let pause = Duration.milliseconds(5)
  private static let grace = Duration.seconds(2)
  // A killed process ends at once, unless it waits for a device.
  private static let patience = Duration.seconds(5)

  /// Holds the process of an identity, or returns nil if it has ended.
  init?(_ identity: String) {
    var holder = flow_holder()
    leader = unsafe flow_process_hold(identity, &holder)
    if leader < 0 { return nil }
    self.identity = identity
    text = holder.text
    // Its parent has not reaped it yet.
    if flow_held_has_ended(leader) { return nil }
  }

  deinit { flow_close(leader) }

  /// Ends the program and the rest of its session: SIGTERM, then SIGKILL after a grace period.
  func end() async {
    var members = session
    for member in members { flow_held_end(member, true) }
    await wait(for: members, atMost: Self.grace)
    // Including processes started meanwhile.
    let late = session
    members += late
    for member in members { flow_held_end(member, false) }
    await wait(for: members, atMost: Self.patience)
    for member in members { flow_close(member) }
  }

  /// The processes of its session as descriptors to close, none once it has ended.
  private var session: [Int32] {
    let capacity = 4_096
    return unsafe [Int32](unsafeUninitializedCapacity: capacity) { members, count in
      count = unsafe flow_session_hold(leader, identity, members.baseAddress, capacity)
    }
  }

  private func wait(for members: [Int32], atMost time: Duration) async {
    let end = ContinuousClock.now + time
    while .now < end, !members.allSatisfy({ flow_held_has_ended($0) }) {
      // A caller without time left skips the rest of the grace period.
      do { try await Task.sleep(for: Self.pause) } catch { return }
    }
  }
}
