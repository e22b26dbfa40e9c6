// What a plugin meets of the module below: it imports FlowCore alone.
@_exported public import struct FlowSystem.CStrings
@_exported public import enum FlowSystem.Charset
@_exported public import enum FlowSystem.Digest
@_exported public import struct FlowSystem.FieldPath
@_exported public import struct FlowSystem.FileError
@_exported public import struct FlowSystem.JSONError
@_exported public import struct FlowSystem.LibraryError
@_exported public import struct FlowSystem.PercentEncoding
@_exported public import struct FlowSystem.Position
@_exported public import struct FlowSystem.SHA256
@_exported public import struct FlowSystem.SystemLibrary
@_exported public import struct FlowSystem.TextError
@_exported public import struct FlowSystem.URIAuthority
@_exported public import struct FlowSystem.URIReference
