private import CUpstream

/// A temporary folder of this user with the certificates of a run, and without keys.
struct CertificateFolder: Sendable {
  private let path: String
  /// The descriptor by which a later run knows that this one lives, or -1.
  private let hold: Int32

  /// The certificate of the run's authority.
  var certificate: String { "\(path)/ca.pem" }
  /// The system's authorities and that of the run.
  var bundle: String { "\(path)/bundle.pem" }

  /// Writes the certificates of an authority.
  ///
  /// - Throws: `ListenerError`.
  init(of authority: CertificateAuthority) throws(ListenerError) {
    unsafe Self.sweep(String(cString: flow_folder_parent()))
    var failure: Int32 = 0
    guard let path = unsafe flow_folder_create(&failure) else {
      throw .file("flow-upstream", reason: systemText(failure))
    }
    defer { unsafe flow_folder_free(path) }
    self.path = unsafe String(cString: path)
    hold = unsafe flow_folder_hold(path)
    do {
      try authority.writeCertificate(to: certificate)
      try authority.writeBundle(to: bundle)
    } catch {
      remove()
      throw error
    }
  }

  /// Removes the folder.
  func remove() {
    for path in [certificate, bundle, path] { unsafe flow_path_remove(path) }
    flow_folder_release(hold)
  }

  /// Removes the folders that killed runs of this user have left in a folder: those of more than an
  /// hour that no process holds.
  static func sweep(_ parent: String) { unsafe flow_folders_sweep(parent) }
}
