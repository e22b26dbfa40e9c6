/// The scripts run in the page, as bodies of functions.
enum Script {
  static let page = """
    const url = location.href
    return {title: document.title, url: url.startsWith('data:') ? 'data:' : url}
    """

  static let write = "document.open(); document.write(arguments[0]); document.close()"

  /// Returns the first element of a CSS selector, null without one, or false for an invalid
  /// selector.
  ///
  /// If asked, it considers only displayed elements with a text. Without a match, it returns the
  /// elements found instead.
  static let find = find(by: "Array.from(document.querySelectorAll(selector))")

  /// The same for any selector.
  static let findAny = locate + "\n" + find(by: "locate(selector)")

  /// Returns the first element of any selector as a reference, null without one, or false for an
  /// invalid selector.
  static let reference =
    locate + """

      try { return locate(arguments[0])[0] ?? null } catch { return false }
      """

  private static func find(by elements: String) -> String {
    """
    const [selector, text, shown] = arguments
    let found
    try { found = \(elements) } catch { return false }
    const displayed = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true})
    const textOf = e => e.innerText ?? e.textContent
    const all = found
    if (shown) found = found.filter(e => displayed(e) && textOf(e).includes(text ?? ''))
    const e = found[0]
    if (!e && shown) {
      const visible = all.filter(displayed)
      return {
        sight: {
          count: all.length, displayed: visible.length,
          text: String((visible[0] ?? all[0]) ? textOf(visible[0] ?? all[0]) : '').slice(0, 1000),
          title: document.title, url: location.href.startsWith('data:') ? 'data:' : location.href
        }
      }
    }
    if (!e) return null
    return {
      count: found.length, text: textOf(e),
      value: e.matches('input, select, textarea') ? e.value : null,
      checked: e.matches('[type=checkbox], [type=radio]') ? e.checked : null,
      attributes: Object.fromEntries(Array.from(e.attributes, a => [a.name, a.value])),
      displayed: displayed(e), enabled: !e.matches(':disabled')
    }
    """
  }

  /// A function for the elements of a selector: parts with ` >>> ` between them, each of them CSS,
  /// or a text or label.
  private static let locate = """
    const locate = selector => {
      const plain = text => text.replace(/\\s+/g, ' ').trim()
      const textOf = e =>
        e.matches('input[type=submit], input[type=button], input[type=reset]') ? e.value
        : e.innerText ?? e.textContent
      const fitting = wanted => {
        const quoted = wanted.match(/^(["'])(.*)\\1$/s)
        if (quoted) return text => plain(text) === plain(quoted[2])
        const words = plain(wanted).toLowerCase()
        return text => plain(text).toLowerCase().includes(words)
      }
      const byText = (root, wanted) => {
        const fits = fitting(wanted)
        const bare = text => text.replace(/\\s+/g, '').toLowerCase()
        const letters = bare(wanted.replace(/^(["'])(.*)\\1$/s, '$2'))
        const all = Array.from(root.querySelectorAll('*')).filter(e =>
          !e.closest('head, script, style, template, noscript')
          && bare(e.localName === 'input' ? e.value : e.textContent).includes(letters)
          && (fits(textOf(e)) || fits(e.textContent)))
        // The innermost elements are those that a user sees.
        const outer = new Set()
        for (const e of all) for (let o = e.parentElement; o && !outer.has(o); o = o.parentElement) outer.add(o)
        return all.filter(e => !outer.has(e))
      }
      const byLabel = (root, wanted) => {
        const fits = fitting(wanted)
        const own = label => {
          const copy = label.cloneNode(true)
          for (const e of copy.querySelectorAll('select, textarea, button, script, style')) e.remove()
          return copy.textContent
        }
        const names = e => [
          ...Array.from(e.labels ?? [], own), e.getAttribute('aria-label'),
          ...(e.getAttribute('aria-labelledby') ?? '').split(/\\s+/)
            .map(id => id && e.getRootNode().getElementById(id)?.textContent)
        ]
        return Array.from(root.querySelectorAll('*')).filter(e => names(e).some(n => n && fits(n)))
      }
      let roots = [document], found = []
      for (const part of selector.split(' >>> ').map(part => part.trim())) {
        const of = root =>
          part.startsWith('text=') ? byText(root, part.slice(5))
          : part.startsWith('label=') ? byLabel(root, part.slice(6))
          : Array.from(root.querySelectorAll(part))
        found = [...new Set(roots.flatMap(of))]
        roots = found.map(e => e.shadowRoot ?? e)
      }
      return found
    }
    """
}
