internal import FlowCore
internal import FlowSystem

/// The job of GitHub Actions in which flow runs.
package struct GitHubJob: Sendable {
  /// Where the job's repository is checked out, without links; nil when it is unknown.
  private let workspace: String?
  /// The page of the repository's files at the job's commit; nil when it is unknown.
  private let page: String?
  /// The file that the step's summary is written to; nil for none.
  package let summary: String?

  /// The job that these environment variables describe; nil outside of one.
  package init?(_ variable: (String) -> String?) {
    guard variable("GITHUB_ACTIONS") == "true" else { return nil }
    func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    workspace = value("GITHUB_WORKSPACE").flatMap(FileSystem.realPath)
    summary = value("GITHUB_STEP_SUMMARY")
    guard let server = value("GITHUB_SERVER_URL"), let repository = value("GITHUB_REPOSITORY"),
      let commit = value("GITHUB_SHA")
    else {
      page = nil
      return
    }
    page = "\(server)/\(repository)/blob/\(commit)/"
  }

  /// A file's path in the repository; nil for one outside of it.
  func path(_ file: String) -> String? {
    guard let workspace, let full = FileSystem.realPath(file) else { return nil }
    return Path.inside(full, of: workspace)
  }

  /// The page that shows a line of a file; nil for one outside of the repository.
  func page(of place: ReportedPlace) -> String? {
    guard let page, let path = place.repositoryPath else { return nil }
    let parts = path.split(separator: "/").map { $0.utf8.percentEncodedText() }
    return page + parts.joined(separator: "/") + "#L\(place.line)"
  }
}
