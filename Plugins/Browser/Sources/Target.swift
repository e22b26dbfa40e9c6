import FlowCore

/// An element to click or type into, as it is on the page before and after.
///
/// The driver reports success even if nothing happened: it clicks a disabled element, and types a
/// date in the order of its own language. So each step checks the element before acting, and the
/// result afterwards.
struct Target: Sendable {
  private let selector: String
  /// The element's name in the driver's paths.
  let element: String
  /// The kind of element, such as `select`, or `input` with its type.
  let kind: String
  /// The reason why a user could not use the element, or nil.
  let obstacle: String?
  /// The value or the text of the element.
  let text: String
  /// True if the element is checked or selected, or nil if it can be neither.
  let isOn: Bool?

  /// Inspects an element before clicking it or typing into it.
  ///
  /// - Throws: `BrowserError`.
  init(
    _ selector: String, forTyping: Bool, in session: DriverSession, _ context: Context
  ) async throws {
    self.selector = selector
    element = try await session.element(selector, context)
    let answer = try await session.run(
      Script.look, [DriverSession.reference(element), .bool(forTyping)], context)
    guard let kind = answer["kind"]?.text, let text = answer["text"]?.text else {
      throw BrowserError.shape("an element's state")
    }
    self.kind = kind
    self.text = text
    obstacle = answer["obstacle"]?.text
    isOn = if case .bool(let isOn)? = answer["on"] { isOn } else { nil }
    if let obstacle { throw BrowserError.blocked(selector, obstacle) }
  }

  /// Returns the state after the step, or nil if the page has replaced or lost the element.
  private func now(
    in session: DriverSession, _ context: Context
  ) async throws -> (text: String, isOn: Bool?)? {
    do {
      let answer = try await session.run(
        Script.look, [DriverSession.reference(element), .bool(false)], context)
      var isOn: Bool?
      if case .bool(let value)? = answer["on"] { isOn = value }
      return (answer["text"]?.text ?? "", isOn)
    } catch let error as BrowserError {
      guard [.stale, .missing, .closed].contains(error.code) else { throw error }
      return nil
    }
  }

  // MARK: - Clicking

  /// Clicks the element, and checks that a box has changed or a choice was made.
  ///
  /// - Throws: `BrowserError`.
  func click(in session: DriverSession, _ context: Context) async throws {
    try await press(in: session, context)
    guard let before = isOn, let after = try await now(in: session, context)?.isOn else { return }
    let (wanted, state) =
      switch kind {
      case "input checkbox": (!before, before ? "checked" : "not checked")
      case "input radio": (true, "not checked")
      default: (true, "not selected")
      }
    guard after == wanted else { throw BrowserError.rejected("it is still \(state)") }
  }

  /// Clicks the element, also at other places of the window if something covers it where the driver
  /// has scrolled it, such as a header that stays.
  private func press(in session: DriverSession, _ context: Context) async throws {
    var isCovered: BrowserError?
    for place in [nil, "center", "end", "start"] {
      if let place {
        let arguments = [DriverSession.reference(element), .string(place)]
        _ = try await session.run(Script.scroll, arguments, context)
      }
      do {
        _ = try await session.post("element/\(element)/click", [:], context)
        return
      } catch let error as BrowserError {
        guard case .driver("element click intercepted", _) = error else { throw error }
        isCovered = isCovered ?? error
      }
    }
    if let isCovered { throw isCovered }
  }

  // MARK: - Typing

  /// Types a text, or sets the value of a field with a control instead of a text.
  ///
  /// - Throws: `BrowserError`.
  func type(
    _ text: String, clear: Bool, loose: Bool, in session: DriverSession, _ context: Context
  ) async throws {
    if Self.controls[kind] != nil {
      return try await set(text, in: session, context)
    }
    if clear, kind != "select" {
      let held = try await empty(isAll: text.isEmpty, in: session, context)
      if text.isEmpty, !loose, !TypedText(text, kind).isHeld(by: held) {
        throw BrowserError.rejected(Self.difference(held, text, kind))
      }
    }
    guard !text.isEmpty else { return }
    try await session.post("element/\(element)/value", ["text": .string(text)], context)
    // A key such as `Enter` has another effect than being entered.
    guard !loose, isChecked(text), let held = try await now(in: session, context)?.text else {
      return
    }
    let isWhole = clear || kind == "select" || kind == "editable"
    let expected = isWhole ? text : self.text + text
    guard TypedText(expected, kind).isHeld(by: held) else {
      throw BrowserError.rejected(Self.difference(held, expected, kind))
    }
  }

  /// Empties the field, and returns the rest.
  private func empty(
    isAll: Bool, in session: DriverSession, _ context: Context
  ) async throws -> String {
    let answer = try await session.run(
      Script.empty, [DriverSession.reference(element), .bool(isAll)], context)
    guard let rest = answer.text else {
      throw BrowserError.blocked(selector, "it is not a field for text")
    }
    return rest
  }

  /// Describes the difference between a field's content and the expected text.
  ///
  /// A correct start of the text is only counted, since it may be the start of a secret.
  private static func difference(_ held: String, _ expected: String, _ kind: String) -> String {
    let (count, all) = (held.unicodeScalars.count, expected.unicodeScalars.count)
    if count > 0, expected.utf8.starts(with: held.utf8) {
      return "it has only the first \(count) of \(all) characters"
    }
    if kind == "input password" { return "it has a different text of \(count) characters" }
    return "it has '\(held)' instead of '\(expected)'"
  }

  private func isChecked(_ text: String) -> Bool {
    let isLong = kind == "textarea"
    return kind != "input file"
      && text.unicodeScalars.allSatisfy { scalar in
        let isKey = 0xE000...0xF8FF ~= scalar.value || scalar == "\t"
        return !isKey && (isLong || (scalar != "\n" && scalar != "\r"))
      }
  }

  /// The fields that browsers show as controls, with the accepted format.
  private static let controls = [
    "input date": "YYYY-MM-DD", "input time": "HH:MM", "input month": "YYYY-MM",
    "input week": "YYYY-Www", "input datetime-local": "YYYY-MM-DDTHH:MM", "input color": "#rrggbb",
    "input range": "a number in its range",
  ]

  private func set(
    _ text: String, in session: DriverSession, _ context: Context
  ) async throws {
    let answer = try await session.run(
      Script.set, [DriverSession.reference(element), .string(text)], context)
    guard answer != .null else { return }
    let type = kind.dropFirst("input ".count)
    if answer["isRefused"] == .bool(true) {
      throw BrowserError.rejected(
        "'\(text)' is not valid in a field of type \(type): \(Self.controls[kind] ?? "")")
    }
    throw BrowserError.rejected(
      "it has '\(answer["held"]?.text ?? "")' instead of '\(text)'")
  }
}

/// A typed text in the forms that a field may hold.
struct TypedText {
  private let text: String
  private let kind: String

  init(_ text: String, _ kind: String) {
    self.text = Self.plain(text)
    self.kind = kind
  }

  /// Returns true if a field holds the typed text.
  ///
  /// Separators added by the page to a telephone or card number, a change of case, and the form of
  /// the field's kind are accepted.
  func isHeld(by held: String) -> Bool {
    let held = Self.plain(held)
    // The signs of an empty mask.
    if text.isEmpty { return Self.letters(held).isEmpty }
    switch kind {
    case "input number":
      return held == text || (Double(held) != nil && Double(held) == Double(text))
    // These fields trim blanks.
    case "input email", "input url": return Self.trimmed(held) == Self.trimmed(text)
    // The page formats the text around it.
    case "editable": return Self.letters(held).contains(Self.letters(text))
    case "select": return Self.trimmed(held).hasPrefix(Self.trimmed(text))
    default: return held == text || (!letters.isEmpty && Self.letters(held) == letters)
    }
  }

  private var letters: String { Self.letters(text) }

  private static func letters(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.filter {
          $0.properties.isAlphabetic || $0.properties.numericType != nil || $0.value > 0x2FFF
        }))
  }

  /// Normalises the ends of lines and the blanks as a field does.
  private static func plain(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\u{A0}", with: " ")
  }

  private static func trimmed(_ text: String) -> Substring {
    var rest = Substring(text)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}

extension Script {
  /// Returns the kind of an element, and the reason why a user could not click it or type into it.
  static let look = """
    const [e, forTyping] = arguments
    const editable = e.isContentEditable
    const kind = e.localName === 'input' ? 'input ' + e.type : editable ? 'editable' : e.localName
    const label = e.closest('label')
    const labelled = e.closest('a, button, input, select, textarea') ? null : label?.control
    const controls = [e, e.closest('button'), e.closest('optgroup'), e.closest('select'), labelled]
    const disabled = controls.some(c => c && c.localName !== 'fieldset' && c.matches(':disabled'))
    const types = ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden']
    const readable = (e.localName === 'input' && !types.includes(e.type)) || e.localName === 'textarea'
    const style = getComputedStyle(e)
    const obstacle =
      disabled ? 'it is disabled'
      : e.closest('[aria-disabled=true]') ? 'it is disabled, as aria-disabled says'
      : e.closest('[inert]') ? 'it is inert'
      : !forTyping && style.pointerEvents === 'none' ? 'it takes no clicks, as pointer-events says'
      : forTyping && readable && e.readOnly ? 'it can only be read'
      : forTyping && !e.checkVisibility({visibilityProperty: true}) && e.type !== 'file' ? 'it is hidden'
      : null
    const isBox = kind === 'input checkbox' || kind === 'input radio'
    const isChoice = e.localName === 'option' && !e.closest('select')?.multiple
    const chosen = e.localName === 'select' ? e.selectedOptions[0]?.label : null
    return {
      kind, obstacle, on: isBox ? e.checked : isChoice ? e.selected : null,
      text: String(chosen ?? (typeof e.value === 'string' ? e.value : e.innerText ?? e.textContent))
    }
    """

  /// Scrolls an element to a place in the window.
  static let scroll = "arguments[0].scrollIntoView({block: arguments[1], behavior: 'instant'})"

  /// Empties a field as its user would, and returns the rest of its text, or null for an element
  /// without a text to change.
  ///
  /// WebDriver's own command sends no `input`, so the page would keep the old text. It also refuses
  /// a hidden field for files, which pages show as a button of their own. If nothing follows, the
  /// user has done: the field tells its change.
  static let empty = """
    const [e, isAll] = arguments
    if (e.type === 'file') {
      const isFilled = e.files.length > 0
      e.value = ''
      if (isAll && isFilled) {
        for (const name of ['input', 'change']) e.dispatchEvent(new Event(name, {bubbles: true}))
      }
      return ''
    }
    const isField = e.localName === 'textarea' || (e.localName === 'input'
      && !/^(button|checkbox|hidden|image|radio|reset|submit)$/.test(e.type))
    if (!isField && !e.isContentEditable) return null
    const rest = () => isField ? e.value : e.textContent
    const isFilled = rest() !== '' || e.validity?.badInput
    e.focus()
    if (isFilled) {
      if (isField) e.select()
      else (e.getRootNode().getSelection?.() ?? getSelection()).selectAllChildren(e)
      document.execCommand('delete')
    }
    if (isAll && isFilled) {
      e.blur()
      e.focus()
    }
    return rest()
    """

  /// Sets the value of a field with a control as its user would.
  ///
  /// Returns the value held afterwards if it differs.
  static let set = """
    const [e, text] = arguments
    const old = e.value
    // A framework may have put its own setter into the element.
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
    set.call(e, text)
    const held = e.value
    const fits =
      e.type === 'color' ? held === text.toLowerCase()
      : e.type === 'range' ? text.trim() !== '' && Number(held) === Number(text)
      : text === '' || held !== ''
    if (!fits) { set.call(e, old); return {held, isRefused: true} }
    e.focus()
    for (const name of ['input', 'change']) e.dispatchEvent(new Event(name, {bubbles: true}))
    return e.value === held ? null : {held: e.value}
    """
}
