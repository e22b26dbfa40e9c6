"""Prints for each query of a JSON list whether graphql-core finds it right."""
import json
import sys

from graphql import GraphQLError, build_schema, parse, validate

schema_text, queries = json.load(sys.stdin if len(sys.argv) < 2 else open(sys.argv[1]))
# Version 3.2 does not know the directive.
schema = build_schema(schema_text.replace(" @oneOf", ""))


def is_right(query):
    try:
        return not validate(schema, parse(query))
    except GraphQLError:
        return False


print(json.dumps([is_right(query) for query in queries]))
