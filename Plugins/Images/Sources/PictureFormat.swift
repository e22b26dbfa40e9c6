import FlowCore

/// The kinds of picture that are told apart.
enum PictureFormat: String, CaseIterable, FieldValue {
  /// Portable Network Graphics, ISO/IEC 15948.
  case png
  /// JPEG, ITU-T T.81, in any of its processes.
  case jpeg
  /// Graphics Interchange Format, versions 87a and 89a.
  case gif
  /// WebP, RFC 9649: lossy, lossless or extended.
  case webp
}
