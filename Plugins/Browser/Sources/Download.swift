import FlowCore

/// A file that a click leads to, fetched by the page itself.
///
/// The content comes through the driver, so that it is recorded with the driver's answers. A file
/// in the browser's own folder would be on the driver's machine, and missing in a replay.
struct Download: Sendable {
  private let session: DriverSession

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

  init(_ session: DriverSession) { self.session = session }

  /// Prepares the page for a download, and clicks an element.
  ///
  /// - Throws: `BrowserError`.
  func start(_ selector: String, _ context: Context) async throws {
    let target = try await Target(selector, forTyping: false, in: session, context)
    _ = try await session.run(Script.awaitDownload, [], context)
    try await target.click(in: session, context)
  }

  /// Returns the progress.
  ///
  /// - Throws: `BrowserError`, with `.noDownload` if the click did not lead to a file.
  func progress(_ context: Context) async throws -> Progress {
    let answer = try await session.run(Script.download, [], context)
    if let reason = answer["failure"]?.text { throw BrowserError.noDownload(reason) }
    if let sight = answer["waiting"]?.text { return .waiting(sight) }
    guard let name = answer["name"]?.text, let text = answer["data"]?.text,
      let bytes = Bytes(base64: text)
    else { throw BrowserError.shape("a download") }
    return .complete(File(name: name, bytes: bytes))
  }
}

extension Script {
  /// Lets the page fetch what the next link or form leads to, instead of the browser.
  static let awaitDownload = """
    window.flowDownload?.end()
    const state = window.flowDownload = {asked: Date.now()}
    // A click that fails leaves nobody who asks, and later clicks are the browser's again.
    const isAwaited = () => {
      const isAsked = Date.now() - state.asked < 5000
      if (!isAsked && !state.isStarted) state.end()
      return isAsked
    }
    const nameIn = header => {
      const coded = header.match(/filename\\*=utf-8''([^;]+)/i)
      return coded ? decodeURIComponent(coded[1]) : header.match(/filename="?([^";]+)"?/i)?.[1]
    }
    const start = async (url, name, options) => {
      if (state.isStarted) return
      state.isStarted = true
      try {
        const answer = await fetch(url, options)
        if (!answer.ok) throw `the server answers ${answer.status}`
        const bytes = new Uint8Array(await answer.arrayBuffer())
        let text = ''
        for (let i = 0; i < bytes.length; i += 0x8000) {
          text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
        }
        const header = answer.headers.get('content-disposition') ?? ''
        state.name = nameIn(header) ?? (name || new URL(answer.url).pathname.split('/').pop())
        state.data = btoa(text)
      } catch (error) {
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

  /// Returns the fetched file, or how far it is.
  static let download = """
    const state = window.flowDownload
    if (!state) return {failure: 'the click led to another page instead of a file'}
    state.asked = Date.now()
    const {isStarted, failure, name, data} = state
    if (failure === undefined && data === undefined) {
      return {waiting: isStarted ? 'the download is not complete' : 'the click led to no download'}
    }
    state.end()
    return failure === undefined ? {name, data} : {failure}
    """
}
