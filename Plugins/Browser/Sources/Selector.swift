import FlowCore

/// The forms of a selector.
enum Selector {
  /// True for CSS alone: no CSS selector starts with a word and an equals sign.
  static func isCSS(_ selector: String) -> Bool {
    let word = selector.prefix { "a"..."z" ~= $0 }
    return !(!word.isEmpty && selector.dropFirst(word.count).hasPrefix("="))
      && !selector.contains(" >>> ")
  }

  static let summary =
    "A CSS selector, text=Words, label=Words, button=Words or another role, or several with >>> between."
}

extension DriverSession {
  /// Returns the one element of a selector, in the form for paths.
  ///
  /// If a user can see some of several elements, the others do not count.
  ///
  /// - Throws: `BrowserError`, also for several elements.
  func element(_ selector: String, _ context: Context) async throws -> String {
    let script = Selector.isCSS(selector) ? Script.pick : Script.pickAny
    let answer = try await run(script, [.string(selector)], context)
    if let id = element(in: answer) { return id }
    if case .bool = answer { throw BrowserError.selector(selector) }
    guard case .int(let count)? = answer["count"] else {
      throw BrowserError.shape("an element")
    }
    if count == 0 { throw BrowserError.missing(selector, try Page(answer: answer)) }
    let candidates = answer["candidates"]?.elements?.compactMap(\.text) ?? []
    throw BrowserError.ambiguous(selector, count, candidates)
  }
}

extension Script {
  /// Returns the one element of a CSS selector, false for an invalid selector, or a description of
  /// no or several elements.
  static let pick = pick(by: css)

  /// The same for any selector.
  static let pickAny = locate + "\n" + pick(by: "locate(selector)")

  /// Returns the first element of a CSS selector, false for an invalid selector, or the elements
  /// found instead.
  ///
  /// If asked, it considers only displayed elements with a text.
  static let find = find(by: css)

  /// The same for any selector.
  static let findAny = locate + "\n" + find(by: "locate(selector)")

  private static let css = "Array.from(document.querySelectorAll(selector))"

  private static func pick(by elements: String) -> String {
    displayed + """

      const [selector] = arguments
      let found
      try { found = \(elements) } catch { return false }
      const seen = found.filter(displayed)
      const candidates = seen.length ? seen : found
      if (candidates.length === 1) return candidates[0]
      const words = e =>
        [e.matches("[type=submit], [type=button], [type=reset]") ? e.value : e.innerText,
          e.labels?.[0]?.textContent, ...["aria-label", "placeholder", "name", "alt"].map(n => e.getAttribute(n))]
          .map(text => (text ?? "").replace(/\\s+/g, " ").trim()).find(text => text) ?? ""
      const named = e => {
        const [id, text] = [e.id ? "#" + e.id : "", Array.from(words(e))]
        const shown = text.length > 40 ? text.slice(0, 40).join("").trimEnd() + "…" : text.join("")
        return e.localName + id + (shown ? ` '${shown}'` : "")
      }
      return {
        count: candidates.length, candidates: candidates.slice(0, 5).map(named),
        title: document.title, url: \(url)
      }
      """
  }

  private static func find(by elements: String) -> String {
    displayed + """

      const [selector, text, shown] = arguments
      let found
      try { found = \(elements) } catch { return false }
      const textOf = e => e.innerText ?? e.textContent
      const all = found
      if (shown) found = found.filter(e => displayed(e) && textOf(e).includes(text ?? ""))
      const e = found[0]
      if (!e) {
        const visible = all.filter(displayed)
        const other = visible[0] ?? all[0]
        return {
          sight: {
            count: all.length, displayed: visible.length,
            text: Array.from(other ? textOf(other) : "").slice(0, 1000).join(""),
            title: document.title, url: \(url)
          }
        }
      }
      return {
        count: found.length, text: textOf(e),
        value: e.matches("input, select, textarea") ? e.value : null,
        checked: e.matches("[type=checkbox], [type=radio]") ? e.checked : null,
        attributes: Object.fromEntries(Array.from(e.attributes, a => [a.name, a.value])),
        displayed: displayed(e), enabled: !e.matches(":disabled")
      }
      """
  }

  /// A function for the elements of a selector: parts with ` >>> ` between them, each of them CSS,
  /// or a text, a label, or a role with a name.
  ///
  /// Roles and names follow https://www.w3.org/TR/html-aam-1.0/ and
  /// https://www.w3.org/TR/accname-1.2/, as far as pages usually have them.
  private static let locate = """
    const locate = selector => {
      const plain = text => text.replace(/\\s+/g, " ").trim()
      const textOf = e =>
        e.matches("input[type=submit], input[type=button], input[type=reset]") ? e.value
        : e.innerText ?? e.textContent
      const fitting = wanted => {
        const quoted = wanted.match(/^(["'])(.*)\\1$/s)
        if (quoted) return text => plain(text) === plain(quoted[2])
        const words = plain(wanted).toLowerCase()
        return text => plain(text).toLowerCase().includes(words)
      }
      const byText = (root, wanted) => {
        const fits = fitting(wanted)
        const bare = text => text.replace(/\\s+/g, "").toLowerCase()
        const letters = bare(wanted.replace(/^(["'])(.*)\\1$/s, "$2"))
        const all = Array.from(root.querySelectorAll("*")).filter(e =>
          !e.closest("head, script, style, template, noscript")
          && bare(e.localName === "input" ? e.value : e.textContent).includes(letters)
          && (fits(textOf(e)) || fits(e.textContent)))
        // The innermost elements are those that a user sees.
        const outer = new Set()
        for (const e of all) for (let o = e.parentElement; o && !outer.has(o); o = o.parentElement) outer.add(o)
        return all.filter(e => !outer.has(e))
      }
      const own = label => {
        const copy = label.cloneNode(true)
        for (const e of copy.querySelectorAll("select, textarea, button, script, style")) e.remove()
        return copy.textContent
      }
      const given = e => (e.getAttribute("aria-labelledby") ?? "").split(/\\s+/)
        .map(id => (id && e.getRootNode().getElementById(id)?.textContent) || "")
      const byLabel = (root, wanted) => {
        const fits = fitting(wanted)
        const names = e => [...given(e), e.getAttribute("aria-label"), ...Array.from(e.labels ?? [], own)]
        return Array.from(root.querySelectorAll("*")).filter(e => names(e).some(n => n && fits(n)))
      }
      const roles = {
        article: "article", banner: "body > header", button: "button, summary, input:is([type=button], [type=image], [type=reset], [type=submit])",
        cell: "td", checkbox: "input[type=checkbox]", columnheader: "thead th, th[scope=col]",
        combobox: "select:not([multiple], [size]), input[list]", complementary: "aside", contentinfo: "body > footer",
        dialog: "dialog", figure: "figure", form: "form", group: "fieldset, details, optgroup", heading: "h1, h2, h3, h4, h5, h6",
        img: "img:not([alt=''])", link: "a[href], area[href]", list: "ul, ol, menu", listbox: "select:is([multiple], [size])",
        listitem: "li", main: "main", navigation: "nav", option: "option", progressbar: "progress",
        radio: "input[type=radio]", region: "section", row: "tr", rowheader: "th[scope=row]", searchbox: "input[type=search]",
        slider: "input[type=range]", spinbutton: "input[type=number]", status: "output", table: "table",
        textbox: "textarea, input:is(:not([type]), [type=text], [type=email], [type=password], [type=tel], [type=url]):not([list])"
      }
      for (const role of ["alert", "alertdialog", "grid", "gridcell", "menu", "menubar", "menuitem", "menuitemcheckbox",
        "menuitemradio", "radiogroup", "search", "switch", "tab", "tablist", "tabpanel", "toolbar", "tooltip", "tree", "treeitem"]) {
        roles[role] = null
      }
      // The roles that are named by their content.
      const isNamedByContent = /^(button|cell|checkbox|columnheader|gridcell|heading|link|menuitem.*|option|radio|row|rowheader|switch|tab|tooltip|treeitem)$/
      const nameOf = (e, role) => {
        const pictures = Array.from(e.querySelectorAll("img[alt], [aria-label]"), i => i.alt ?? i.getAttribute("aria-label"))
        const captions = {fieldset: "legend", figure: "figcaption", table: "caption", details: "summary"}
        return [
          given(e).join(" "), e.getAttribute("aria-label"), Array.from(e.labels ?? [], own).join(" "),
          e.matches("input[type=image], img, area") ? e.alt : e.matches("optgroup") ? e.label : "",
          e.matches("input") ? textOf(e) : isNamedByContent.test(role) ? [textOf(e), ...pictures].join(" ") : "",
          captions[e.localName] && e.querySelector(`:scope > ${captions[e.localName]}`)?.textContent,
          e.title, e.getAttribute("placeholder")
        ].map(n => plain(n ?? "")).find(n => n) ?? ""
      }
      const byRole = (root, role, wanted) => {
        const fits = fitting(wanted)
        const all = root.querySelectorAll(`[role]${roles[role] ? ", " + roles[role] : ""}`)
        return Array.from(all).filter(e =>
          (e.getAttribute("role")?.trim() ? e.getAttribute("role").trim().split(/\\s+/)[0] === role : true)
          && !e.closest("[aria-hidden=true]") && e.checkVisibility({visibilityProperty: true}) && fits(nameOf(e, role)))
      }
      let roots = [document], found = []
      for (const part of selector.split(" >>> ").map(part => part.trim())) {
        const [, kind, wanted] = part.match(/^([a-z]+)=(.*)$/s) ?? []
        if (kind && !["text", "label"].includes(kind) && !(kind in roles)) throw kind
        const of = root =>
          kind === "text" ? byText(root, wanted) : kind === "label" ? byLabel(root, wanted)
          : kind ? byRole(root, kind, wanted) : Array.from(root.querySelectorAll(part))
        found = [...new Set(roots.flatMap(of))]
        roots = found.map(e => e.shadowRoot ?? e)
      }
      return found
    }
    """
}
