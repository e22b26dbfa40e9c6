import FlowCore

/// A file that a click leads to, fetched by the page itself or saved by the browser.
///
/// The page fetches the target of a link or form, since the browser would only show some files. All
/// other downloads are the browser's: those of scripts, of other windows and of other sites.
///
/// The content comes through the driver, so that it is recorded with the driver's answers. A file
/// in the browser's own folder is on the driver's machine, and missing in a replay. So the page
/// reads it in a field for files.
struct Download: Sendable {
  private let session: DriverSession
  /// The folder of this download alone, on the driver's machine, or nil if the driver has none.
  private let folder: String?

  /// The name and the size of a saved file.
  struct Saved: Sendable {
    var name: String
    var size: Int

    static let record = Record(
      Saved.init(name:size:),
      Field("name", \.name, "The name that the server or the page suggests for the file."),
      Field("size", \.size, "The size in bytes."))
  }

  /// The progress of a download.
  enum Progress: Sendable {
    case waiting(String)
    case complete(File)
  }

  /// A complete file.
  struct File: Sendable {
    let name: String
    let bytes: Bytes

    /// Saves the file in the scenario's folder.
    ///
    /// - Throws: `BrowserError.file`.
    func save(to path: String, in folder: Directory) throws(BrowserError) -> Saved {
      do throws(FileError) {
        try folder.makeFolders(around: path)
        try folder.write(bytes.content, to: path)
      } catch {
        throw .file(error)
      }
      return Saved(name: name, size: bytes.content.count)
    }
  }

  /// Creates the download of a number in its session, from 1.
  init(_ session: DriverSession, number: Int) {
    self.session = session
    folder = session.folder.map { "\($0)/flow-downloads-\(number)" }
  }

  /// Prepares the page and the browser for a download, and clicks an element.
  ///
  /// - Throws: `BrowserError`.
  func start(_ selector: String, _ context: Context) async throws {
    let target = try await Target(selector, forTyping: false, in: session, context)
    if let folder {
      _ = try await session.command(
        "Browser.setDownloadBehavior",
        ["behavior": .string("allow"), "downloadPath": .string(folder)], context)
    }
    _ = try await session.run(Script.awaitDownload, [], context)
    try await target.click(in: session, context)
  }

  /// Returns the progress.
  ///
  /// - Throws: `BrowserError`, with `.noDownload` if the click did not lead to a file.
  func progress(_ context: Context) async throws -> Progress {
    let answer = try await session.run(Script.download, [], context)
    if let reason = answer["failure"]?.text { throw BrowserError.noDownload(reason) }
    guard let sight = answer["waiting"]?.text else { return .complete(try file(answer)) }
    if let folder, let field = answer["field"].flatMap(session.element) {
      let isHidden = answer["isHidden"] == .bool(true)
      try await look(into: folder, through: field, isHidden: isHidden, context)
    }
    return .waiting(sight)
  }

  /// Lets the page see the files of the folder until the next look.
  private func look(
    into folder: String, through field: String, isHidden: Bool, _ context: Context
  ) async throws {
    do {
      try await session.post("element/\(field)/value", ["text": .string(folder)], context)
    } catch let error as BrowserError {
      // The browser makes the folder with the first file. The page may be replaced meanwhile.
      guard [.invalid, .stale].contains(error.code) else { throw error }
      return
    }
    // The browser lists no folder for a page behind another one.
    if isHidden { _ = try await session.command("Page.bringToFront", [:], context) }
  }

  private func file(_ answer: Value) throws(BrowserError) -> File {
    guard let name = answer["name"]?.text, let text = answer["data"]?.text,
      let bytes = Bytes(base64: text)
    else { throw .shape("a download") }
    return File(name: name, bytes: bytes)
  }
}

extension Script {
  /// Lets the page fetch what the next link or form leads to, instead of the browser.
  static let awaitDownload =
    base64 + """

      window.flowDownload?.end()
      window.flowFiles?.remove()
      delete window.flowFiles
      const state = window.flowDownload = {asked: Date.now()}
      // A click that fails leaves nobody who asks, and later clicks are the browser's again.
      const isAwaited = () => {
        const isAsked = Date.now() - state.asked < 5000
        if (!isAsked && !state.isStarted) state.end()
        return isAsked
      }
      const decoded = text => {
        try { return decodeURIComponent(text) } catch { return text }
      }
      const nameIn = header => {
        const coded = header.match(/filename\\*=utf-8''([^;]+)/i)
        return coded ? decoded(coded[1]) : header.match(/filename="?([^";]+)"?/i)?.[1]
      }
      const start = async (url, name, options) => {
        if (state.isStarted) return
        state.isStarted = true
        try {
          const answer = await fetch(url, options)
          if (!answer.ok) throw `the server answers ${answer.status}`
          const data = base64(await answer.arrayBuffer())
          const header = answer.headers.get('content-disposition') ?? ''
          state.name = nameIn(header) ?? (name || decoded(new URL(answer.url).pathname.split('/').pop()))
          state.data = data
        } catch (error) {
          // Another site has not given this page the permission, but to the browser.
          if (error instanceof TypeError && !options && new URL(url, location).origin !== location.origin) {
            state.end()
            location.href = url
            return
          }
          state.failure = String(error)
        }
      }
      const click = event => {
        const link = event.composedPath().find(e => e instanceof HTMLAnchorElement && e.href)
        if (!link || event.defaultPrevented || !isAwaited()) return
        event.preventDefault()
        start(link.href, link.download)
      }
      const submit = event => {
        if (event.defaultPrevented || !isAwaited()) return
        event.preventDefault()
        const form = event.target
        const data = new FormData(form, event.submitter)
        const fields = form.enctype === 'multipart/form-data' ? data : new URLSearchParams(data)
        if (form.method === 'post') return start(form.action, '', {method: 'POST', body: fields})
        const url = new URL(form.action)
        url.search = new URLSearchParams(data)
        start(url, '')
      }
      // Many pages make a link for a file, and click it outside of the document.
      const links = HTMLAnchorElement.prototype
      links.click = function () {
        if (!isAwaited()) return HTMLElement.prototype.click.call(this)
        start(this.href, this.download)
      }
      links.dispatchEvent = function (event) {
        if (event.type !== 'click' || this.isConnected || !isAwaited()) {
          return EventTarget.prototype.dispatchEvent.call(this, event)
        }
        start(this.href, this.download)
        return true
      }
      window.addEventListener('click', click)
      window.addEventListener('submit', submit)
      state.end = () => {
        window.removeEventListener('click', click)
        window.removeEventListener('submit', submit)
        delete links.click
        delete links.dispatchEvent
        delete window.flowDownload
      }
      """

  /// Returns the file that the page has fetched or the browser has saved, or how far it is.
  ///
  /// Without one, it returns a field to fill with the browser's folder before the next look.
  static let download =
    base64 + """

      const state = window.flowDownload
      if (state) state.asked = Date.now()
      const {isStarted, failure, name, data} = state ?? {}
      if (failure !== undefined || data !== undefined) {
        state.end()
        return failure === undefined ? {name, data} : {failure}
      }
      if (isStarted) return {waiting: 'the download is not complete'}
      if (location.protocol === 'chrome-error:') return {failure: 'its page cannot be loaded'}
      let field = window.flowFiles
      if (!field) {
        field = window.flowFiles = document.createElement('input')
        field.type = 'file'
        field.webkitdirectory = true
        field.style.display = 'none'
      }
      if (!field.isConnected) document.documentElement.append(field)
      const files = Array.from(field.files).sort((a, b) => a.lastModified - b.lastModified)
      const isPartial = files.some(f => f.name.endsWith('.crdownload'))
      if (!files.length || isPartial) {
        const sight = isPartial ? 'the download is not complete'
          : state ? 'the click led to no download'
          : `the click led to the page '${document.title}' instead of a file`
        return {waiting: sight, field, isHidden: document.hidden}
      }
      field.remove()
      delete window.flowFiles
      state?.end()
      return files[0].arrayBuffer().then(content => ({name: files[0].name, data: base64(content)}))
      """

  private static let base64 = """
    const base64 = content => {
      const bytes = new Uint8Array(content)
      let text = ''
      for (let i = 0; i < bytes.length; i += 0x8000) {
        text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
      }
      return btoa(text)
    }
    """
}
