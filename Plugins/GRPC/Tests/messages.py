"""Writes random messages of every kind of field, as Python's protobuf has them.

usage: messages.py FOLDER COUNT

FOLDER gets all.binpb, a FileDescriptorSet, and messages.jsonl, one message a line.
"""
import base64
import json
import os
import random
import struct
import sys
from pathlib import Path

# The entries of maps are sorted by their keys in this implementation alone.
os.environ["PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"] = "python"
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf import any_pb2, duration_pb2, field_mask_pb2, struct_pb2  # noqa: F401
from google.protobuf import timestamp_pb2, wrappers_pb2
from grpc_tools import protoc
import grpc_tools

SCALARS = [
    "double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32",
    "fixed64", "sfixed32", "sfixed64", "bool", "string", "bytes",
]
KEYS = [s for s in SCALARS if s not in ("double", "float", "bytes")]
KNOWN = [
    "Any", "Timestamp", "Duration", "FieldMask", "Struct", "Value", "ListValue", "Empty",
    "DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value", "UInt32Value",
    "BoolValue", "StringValue", "BytesValue",
]
IMPORTS = "".join(
    f'import "google/protobuf/{name}.proto";\n'
    for name in ["any", "timestamp", "duration", "field_mask", "struct", "empty", "wrappers"])


def fields(labels):
    number, lines = 1, []
    for label in labels:
        for scalar in SCALARS + ["Kind", "Inner"]:
            lines.append(f"  {label} {scalar} {label or 'plain'}_{scalar.lower()} = {number};")
            number += 1
    return number, lines


def maps(number, kind="Kind"):
    lines = [f"  map<{key}, int32> by_{key} = {number + i};" for i, key in enumerate(KEYS)]
    number += len(KEYS)
    for value in SCALARS + [kind, "Inner"]:
        lines.append(f"  map<string, {value}> of_{value.lower()} = {number};")
        number += 1
    lines.append("  oneof choice {")
    for value in SCALARS + ["Kind", "Inner"]:
        lines.append(f"    {value} one_{value.lower()} = {number};")
        number += 1
    return number, lines + ["  }"]


def schemas():
    number, lines = fields(["", "optional", "repeated"])
    number, more = maps(number)
    for name in KNOWN:
        lines.append(f"  google.protobuf.{name} known_{name} = {number};")
        lines.append(f"  repeated google.protobuf.{name} list_{name} = {number + 1};")
        number += 2
    lines.append(f"  All recursive = {number};")
    lines.append(f"  repeated int32 loose = {number + 1} [packed = false];")
    lines.append(f"  int32 far = 536870911;")
    lines.append(f"  google.protobuf.NullValue nothing = {number + 3};")
    lines.append(f'  int32 odd_name = {number + 4} [json_name = "Other"];')
    three = lines + more
    number, lines = fields(["optional", "required", "repeated"])
    number, more = maps(number, "Zero")
    lines.append(f"  optional group Part = {number} {{ optional int32 a = 1; repeated group In = 2 {{ optional string b = 1; }} }}")
    lines.append(f"  repeated int32 tight = {number + 1} [packed = true];")
    lines.append(f"  optional int32 given = {number + 2} [default = 7];")
    two = lines + more
    number, lines = fields(["", "repeated"])
    number, more = maps(number)
    lines.append(f"  int32 bare = {number} [features.field_presence = IMPLICIT];")
    lines.append(f"  int32 must = {number + 1} [features.field_presence = LEGACY_REQUIRED];")
    lines.append(f"  repeated int32 wide = {number + 2} [features.repeated_field_encoding = EXPANDED];")
    lines.append(f"  Inner between = {number + 3} [features.message_encoding = DELIMITED];")
    lines.append(f"  repeated Inner many_between = {number + 4} [features.message_encoding = DELIMITED];")
    lines.append(f"  Closed closed = {number + 5};")
    ed = lines + more
    inner = "message Inner { %sint32 a = 1; %sstring b = 2; repeated Inner more = 3; }\n"
    closed = "enum Closed { option features.enum_type = CLOSED; SOLE = 1; TWO_ = 2; }\n"
    return {
        "three.proto": 'syntax = "proto3";\npackage three;\n' + IMPORTS
        + "enum Kind { ZERO = 0; ONE = 1; FAR = -7; BIG = 2147483647; }\n"
        + inner % ("", "") + "message All {\n" + "\n".join(three) + "\n}\n",
        "two.proto": 'syntax = "proto2";\npackage two;\nenum Kind { FIRST = 3; SECOND = -1; }\nenum Zero { NONE = 0; SOME = 1; }\n'
        + inner % ("optional ", "optional ") + "message All {\n" + "\n".join(two) + "\n}\n",
        "ed.proto": 'edition = "2023";\npackage ed;\n'
        + "enum Kind { ZERO = 0; ONE = 1; FAR = -7; }\n" + closed
        + inner % ("", "") + "message All {\n" + "\n".join(ed) + "\n}\n",
    }


def number(r, bits, signed):
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return r.choice([low, high, 0, 1, r.randint(low, high), max(low, -1), r.randint(0, 300)])


def text(r):
    return "".join(r.choice("abcz09_ \u00e9\u4e2d\U0001f600\x00\"\\") for _ in range(r.randint(0, 12)))


def scalar(r, field):
    t = field.cpp_type
    if t == field.CPPTYPE_INT32: return number(r, 32, True)
    if t == field.CPPTYPE_INT64: return number(r, 64, True)
    if t == field.CPPTYPE_UINT32: return number(r, 32, False)
    if t == field.CPPTYPE_UINT64: return number(r, 64, False)
    if t == field.CPPTYPE_BOOL: return r.random() < 0.5
    if t == field.CPPTYPE_ENUM:
        values = [v.number for v in field.enum_type.values]
        if not field.enum_type.is_closed and len(values) > 1 and r.random() < 0.1: return 12345
        return r.choice(values)
    if t in (field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT):
        special = [0.0, float("inf"), float("-inf"), float("nan"), 1.5, -1e-30, 0.1]
        value = r.choice(special + [r.uniform(-1e9, 1e9)])
        return struct.unpack("f", struct.pack("f", value))[0] if t == field.CPPTYPE_FLOAT else value
    if field.type == field.TYPE_BYTES: return r.randbytes(r.randint(0, 9))
    return text(r)


def json_value(r, depth):
    kinds = ["null", "number", "text", "bool"] + (["list", "struct"] if depth > 0 else [])
    kind = r.choice(kinds)
    if kind == "null": return None
    if kind == "number": return r.choice([0, 1.5, -2, 1e20])
    if kind == "text": return text(r)
    if kind == "bool": return r.random() < 0.5
    if kind == "list": return [json_value(r, depth - 1) for _ in range(r.randint(0, 3))]
    return {text(r): json_value(r, depth - 1) for _ in range(r.randint(0, 3))}


def special(r, message, pool):
    name = message.DESCRIPTOR.full_name
    if name == "google.protobuf.Timestamp":
        message.seconds = r.choice([-62135596800, 253402300799, 0, r.randint(-10**9, 2 * 10**9)])
        message.nanos = r.choice([0, 1, 999999999, 500000000, 120000])
    elif name == "google.protobuf.Duration":
        sign = r.choice([-1, 1])
        message.seconds = sign * r.choice([0, 1, r.randint(0, 10**9)])
        message.nanos = sign * r.choice([0, 1, 999999999, 500000000])
    elif name == "google.protobuf.FieldMask":
        message.paths.extend(r.sample(["a", "user.display_name", "foo_bar", "b.c_d"], r.randint(0, 4)))
    elif name == "google.protobuf.Struct":
        json_format.ParseDict({text(r): json_value(r, 3) for _ in range(r.randint(0, 3))}, message)
    elif name == "google.protobuf.Value":
        json_format.ParseDict(json_value(r, 3), message)
    elif name == "google.protobuf.ListValue":
        json_format.ParseDict([json_value(r, 3) for _ in range(r.randint(0, 3))], message)
    elif name == "google.protobuf.Any":
        kind = r.choice(["three.Inner", "google.protobuf.Duration", "google.protobuf.Struct", ""])
        if kind:
            inner = message_factory.GetMessageClass(pool.FindMessageTypeByName(kind))()
            fill(r, inner, 1, pool)
            message.Pack(inner, deterministic=True)
    else:
        return False
    return True


def fill(r, message, depth, pool):
    if special(r, message, pool): return
    for field in message.DESCRIPTOR.fields:
        if field.containing_oneof is None and not field.is_required and r.random() < 0.6: continue
        if field.containing_oneof is not None and r.random() < 0.9: continue
        is_message = field.cpp_type == field.CPPTYPE_MESSAGE
        if is_message and field.message_type.GetOptions().map_entry:
            entries = getattr(message, field.name)
            key, value = field.message_type.fields
            for _ in range(r.randint(0, 4)):
                if value.cpp_type != value.CPPTYPE_MESSAGE:
                    entries[scalar(r, key)] = scalar(r, value)
                elif depth > 0:
                    fill(r, entries[scalar(r, key)], depth - 1, pool)
        elif field.is_repeated:
            values = getattr(message, field.name)
            for _ in range(r.randint(0, 4)):
                if not is_message: values.append(scalar(r, field))
                elif depth > 0: fill(r, values.add(), depth - 1, pool)
        elif is_message:
            if depth <= 0 and not field.is_required: continue
            getattr(message, field.name).SetInParent()
            fill(r, getattr(message, field.name), depth - 1, pool)
        else:
            setattr(message, field.name, scalar(r, field))


def main(folder, count):
    folder = Path(folder)
    for name, source in schemas().items(): (folder / name).write_text(source)
    include = str(Path(grpc_tools.__file__).parent / "_proto")
    target = folder / "all.binpb"
    code = protoc.main(
        ["protoc", f"-I{folder}", f"-I{include}", "--include_imports",
         f"--descriptor_set_out={target}"] + [str(folder / n) for n in schemas()])
    assert code == 0
    files = descriptor_pb2.FileDescriptorSet.FromString(target.read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file: pool.Add(file)
    r = random.Random(7)
    with open(folder / "messages.jsonl", "w") as out:
        for index in range(count):
            name = ["three.All", "two.All", "ed.All"][index % 3]
            message = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()
            fill(r, message, r.randint(0, 3), pool)
            content = message.SerializeToString(deterministic=True)
            shown = json_format.MessageToDict(message, descriptor_pool=pool)
            line = {"type": name, "bytes": base64.b64encode(content).decode(), "json": shown}
            out.write(json.dumps(line) + "\n")


main(sys.argv[1], int(sys.argv[2]))
