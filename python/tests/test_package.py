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

DOCUMENTS = [("python/README.md", True), ("docs/trading/python.md", False)]
"""With whether each block is a program of its own."""


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


@pytest.mark.parametrize(("document", "are_programs"), DOCUMENTS)
def test_the_code_of_a_document_works(
    document: str,
    are_programs: bool,
    exchange: Exchange,
    alice: Client,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Runs its blocks one after the other, with the environment that the sandbox writes."""
    for line in (exchange.data / "sandbox.env").read_text().splitlines():
        name, value = line.removeprefix("export ").split("=", 1)
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    alice.place_order(symbol="BTC/USDT", side="buy", type="limit", amount=1, price=40000)
    blocks = re.findall(r"^```python\n(.*?)^```$", (TREE / document).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    modules = [types.ModuleType("document")]
    for block in blocks:
        if are_programs:
            modules.append(types.ModuleType("program"))
        exec(compile(block, document, "exec"), vars(modules[-1]))
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, Client):
                value.close()
