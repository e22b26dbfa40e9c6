internal import FlowCore
internal import FlowSystem

/// The job of GitHub Actions around this process.
package struct GitHubJob: Sendable {
  /// The checkout of the job's repository, without links, or nil if it is unknown.
  private let workspace: String?
  /// The page of the repository's files at the job's commit, or nil if it is unknown.
  private let page: String?
  /// The file for the step's summary, or nil.
  package let summary: String?

  /// Creates the job described by these environment variables.
  ///
  /// Nil outside of a job.
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

  /// Creates a job in a folder, for annotations that were asked for outside of GitHub Actions.
  package init(in folder: String) {
    workspace = FileSystem.realPath(folder)
    (page, summary) = (nil, nil)
  }

  /// Returns a file's path in the repository, or nil for a file outside of it.
  func path(_ file: String) -> String? {
    guard let workspace, let full = FileSystem.realPath(file) else { return nil }
    return Path.inside(full, of: workspace)
  }

  /// Returns the page with a line of a file, or nil for a file outside of the repository.
  func page(of place: ReportedPlace) -> String? {
    guard let page, let path = place.repositoryPath else { return nil }
    let parts = path.split(separator: "/").map { PercentEncoding.component.encode($0.utf8) }
    return page + parts.joined(separator: "/") + "#L\(place.line)"
  }
}
