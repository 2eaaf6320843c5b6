"""The installed package, and the code in its documents."""

from __future__ import annotations

import importlib.metadata
import re
import types
import typing
from dataclasses import is_dataclass
from pathlib import Path

import pytest
from servers import TREE, Exchange

import buttonwood
from buttonwood import Client, models

DOCUMENTS = ["python/README.md", "docs/trading/python.md"]


def test_the_package_is_typed_and_has_its_metadata() -> None:
    folder = Path(buttonwood.__file__).parent
    assert (folder / "py.typed").exists()
    metadata = importlib.metadata.metadata("buttonwood")
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.10"
    assert "asyncio" in metadata["Description"]
    files = {str(each) for each in importlib.metadata.files("buttonwood") or []}
    assert "buttonwood/py.typed" in files
    assert any(each.endswith("licenses/LICENSE") for each in files)
    assert not any(each.startswith("tests") for each in files)


def test_everything_that_is_exported_exists() -> None:
    for module in (buttonwood, models):
        assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_no_model_has_a_float() -> None:
    records = [each for each in vars(models).values() if is_dataclass(each)]
    assert len(records) > 50
    for record in records:
        for hint in typing.get_type_hints(record).values():
            assert float not in parts(hint)


def parts(hint: object) -> list[object]:
    return [hint, *(each for argument in typing.get_args(hint) for each in parts(argument))]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_code_of_a_document_works(
    document: str, exchange: Exchange, alice: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Runs its blocks one after the other, with the environment that the sandbox writes."""
    credentials = exchange.credentials("alice")
    monkeypatch.setenv("BUTTONWOOD_URL", exchange.url)
    monkeypatch.setenv("API_KEY", credentials["api_key"])
    monkeypatch.setenv("API_SECRET", credentials["api_secret"])
    monkeypatch.chdir(tmp_path)
    alice.place_order(symbol="BTC/USDT", side="buy", type="limit", amount=1, price=40000)
    blocks = re.findall(r"^```python\n(.*?)^```$", (TREE / document).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    module = types.ModuleType("document")
    for block in blocks:
        exec(compile(block, document, "exec"), vars(module))
    for value in vars(module).values():
        if isinstance(value, Client):
            value.close()
