"""A session of pytest-lsp with `flow lsp`, for the requests that the editors here do not send.

FLOW=path/to/flow python -m pytest test_session.py
"""

import os
import pathlib
import subprocess

import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

FLOW = os.environ["FLOW"]
MAIN = """flow: 1
components:
  balance: {plugin: balance, with: {opening: 100.00}}
steps:
  - id: load
    uses: balance.load
  - id: unused
    wait: 1ms
"""


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[FLOW, "lsp"]))
async def client(lsp_client: LanguageClient):
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(_: types.RegistrationParams):
        """Watches nothing."""

    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"), root_uri=None))
    yield
    await lsp_client.shutdown_session()


def open_text(client, path, text, language="flow"):
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            text_document=types.TextDocumentItem(
                uri=path.as_uri(), language_id=language, version=1, text=text)))
    return types.TextDocumentIdentifier(uri=path.as_uri())


async def test_every_feature(client: LanguageClient, tmp_path: pathlib.Path):
    path = tmp_path / "main.yaml"
    path.write_text(MAIN)
    subprocess.run([FLOW, "run", str(path), "--record", "--quiet"], check=True)
    document = open_text(client, path, MAIN)
    await client.wait_for_notification("textDocument/publishDiagnostics")
    found = client.diagnostics[path.as_uri()]
    assert [d.code for d in found] == ["F1501"]
    assert list(found[0].tags) == [types.DiagnosticTag.Unnecessary]

    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(document, types.Range(types.Position(0, 0), types.Position(9, 0))))
    assert hints[0].label == '= {"balance":"100.00"}'

    tokens = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(document))
    assert len(tokens.data) % 5 == 0 and len(tokens.data) > 50

    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(document))
    assert [symbol.name for symbol in symbols] == ["components", "steps"]
    assert [symbol.name for symbol in symbols[1].children] == ["load", "unused"]

    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert (3, 7) in [(fold.start_line, fold.end_line) for fold in folds]

    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert [lens.command.title for lens in lenses][:5] == [
        "Run", "Record", "Replay", "Debug", "Run this step on the recording"]

    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(document, types.FormattingOptions(2, True)))
    assert not edits

    highlights = await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(document, types.Position(2, 4)))
    assert len(highlights) == 2


async def test_half_written(client: LanguageClient, tmp_path: pathlib.Path):
    text = MAIN + "  - assert: ${{ steps."
    document = open_text(client, tmp_path / "half.yaml", text)
    found = await client.text_document_completion_async(
        types.CompletionParams(document, types.Position(8, 24)))
    assert [item.label for item in found.items] [-1:] == ["load"]
